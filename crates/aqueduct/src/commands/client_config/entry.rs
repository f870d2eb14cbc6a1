//! One server as a client writes it down: a program with its words and the variables it needs, or one that runs already.
//!
//! An entry and a client in, what stands under the server's name in that client's file out; and the whole as a person
//! would paste it.

use super::client::Remote;
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
                if let Remote::Under(key) = client.remote() {
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
mod tests {
    use super::{Client, ClientEntry};
    use serde_json::{Value, json};

    fn program(variables: Vec<String>) -> ClientEntry {
        let arguments = vec!["serve".into(), "/a-adapter.md".into()];
        ClientEntry::Program { command: "/bin/aqueduct".into(), arguments, variables }
    }

    fn snippet(entry: &ClientEntry, client: Client) -> Value {
        serde_json::from_str(&entry.snippet(client, "a")).unwrap()
    }

    #[test]
    fn every_client_has_its_own_form() {
        let entry = program(vec!["T".into()]);
        let args = json!(["serve", "/a-adapter.md"]);
        let with = |value: &str| json!({"command": "/bin/aqueduct", "args": args, "env": {"T": value}});
        let plain = with("put the value of T here");
        let typed = |reference: &str| json!({"type": "stdio", "command": "/bin/aqueduct", "args": args, "env": {"T": reference}});
        for (client, expected) in [
            (Client::ClaudeDesktop, json!({"mcpServers": {"a": plain}})),
            (Client::ClaudeCode, json!({"mcpServers": {"a": typed("${T}")}})),
            (Client::Cursor, json!({"mcpServers": {"a": typed("${env:T}")}})),
            (Client::VsCode, json!({"servers": {"a": typed("${env:T}")}})),
            (Client::Windsurf, json!({"mcpServers": {"a": with("${env:T}")}})),
            (Client::Zed, json!({"context_servers": {"a": plain}})),
            (Client::GeminiCli, json!({"mcpServers": {"a": with("${T}")}})),
        ] {
            assert_eq!(snippet(&entry, client), expected, "{client:?}");
        }
        let codex = "[mcp_servers.a]\ncommand = \"/bin/aqueduct\"\nargs = [\"serve\", \"/a-adapter.md\"]\nenv_vars = [\"T\"]\n";
        assert_eq!(entry.snippet(Client::Codex, "a"), codex);
        assert!(!program(Vec::new()).members(Client::Cursor).contains_key("env"));
    }

    /// One that runs is reached by its address; the token stays in the environment where the client can look there.
    #[test]
    fn servers_that_run() {
        let url = "http://127.0.0.1:7300/mcp";
        let entry = ClientEntry::Running { url: url.into(), token_env: Some("T".into()) };
        let headers = |value: &str| json!({"Authorization": format!("Bearer {value}")});
        for (client, expected) in [
            (Client::ClaudeCode, json!({"type": "http", "url": url, "headers": headers("${T}")})),
            (Client::Cursor, json!({"url": url, "headers": headers("${env:T}")})),
            (Client::VsCode, json!({"type": "http", "url": url, "headers": headers("${env:T}")})),
            (Client::Windsurf, json!({"serverUrl": url, "headers": headers("${env:T}")})),
            (Client::Zed, json!({"url": url, "headers": headers("put the value of T here")})),
            (Client::GeminiCli, json!({"httpUrl": url, "headers": headers("${T}")})),
        ] {
            assert_eq!(Value::Object(entry.members(client)), expected, "{client:?}");
        }
        let codex = format!("[mcp_servers.\"my shop\"]\nurl = \"{url}\"\nbearer_token_env_var = \"T\"\n");
        assert_eq!(entry.snippet(Client::Codex, "my shop"), codex);
        let open = ClientEntry::Running { url: url.into(), token_env: None };
        assert_eq!(Value::Object(open.members(Client::Cursor)), json!({"url": url}));
    }
}
