//! One server as a client writes it down: a program with its words and the variables it needs, or one that runs already.
//!
//! An entry and a client in, what stands under the server's name in that client's file out; and the whole as a person
//! would paste it.

use super::client::RemoteForm;
use super::{Client, toml_file};
use crate::commands::pretty;
use serde_json::{Map, Value, json};

/// How a client gets to this program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientEntry {
    /// It starts it.
    Program {
        /// The whole path of the program.
        command: String,
        /// Its words, `serve` first.
        arguments: Vec<String>,
        /// Names of the variables that calls will read.
        variables: Vec<String>,
    },
    /// It connects to one that runs.
    Running {
        /// The address.
        url: String,
        /// The variable with the token that the client sends.
        token_env: Option<String>,
    },
}

impl ClientEntry {
    /// Names of the variables that have to be set.
    pub fn variables(&self) -> &[String] {
        match self {
            ClientEntry::Program { variables, .. } => variables,
            ClientEntry::Running { token_env, .. } => token_env.as_slice(),
        }
    }

    /// The members of the entry, in the order in which people write them.
    pub fn members(&self, client: Client) -> Map<String, Value> {
        let mut members = Map::new();
        let mut put = |key: &str, value: Value| drop(members.insert(key.to_owned(), value));
        match self {
            ClientEntry::Program { command, arguments, variables } => {
                if client.names_transport() {
                    put("type", "stdio".into());
                }
                put("command", command.as_str().into());
                put("args", arguments.clone().into());
                match client {
                    _ if variables.is_empty() => {}
                    Client::Codex => put("env_vars", variables.clone().into()),
                    _ => {
                        let pair = |variable: &String| (variable.clone(), value_of(client, variable).into());
                        put("env", Value::Object(variables.iter().map(pair).collect()));
                    }
                }
            }
            ClientEntry::Running { url, token_env } => {
                if matches!(client, Client::ClaudeCode | Client::VsCode) {
                    put("type", "http".into());
                }
                if let RemoteForm::Under(key) = client.remote() {
                    put(key, url.as_str().into());
                }
                match token_env {
                    None => {}
                    Some(variable) if client == Client::Codex => {
                        put("bearer_token_env_var", variable.as_str().into());
                    }
                    Some(variable) => {
                        let value = format!("Bearer {}", value_of(client, variable));
                        put("headers", json!({ "Authorization": value }));
                    }
                }
            }
        }
        members
    }

    /// The entry under its name, as a whole file would hold it.
    pub fn snippet(&self, client: Client, name: &str) -> String {
        if client.is_toml() {
            return toml_file::snippet(client.key(), name, &self.members(client));
        }
        pretty(&json!({ client.key(): { name: self.members(client) } }))
    }
}

/// What stands for the value of a variable.
pub fn value_of(client: Client, variable: &str) -> String {
    client.reference(variable).unwrap_or_else(|| format!("put the value of {variable} here"))
}

#[cfg(test)]
mod tests;
