//! A client's file with its servers, whatever language it is in.
//!
//! Bytes in; servers as this program reads them, and the text without some of them and with another one, out. Everything
//! else in the file stays as it is.

use super::{Client, ClientEntry, Map, Value, is_ours};
use crate::commands::client_config::entry::value_of;
use crate::commands::client_config::merge::digits::{self, KeptNumbers};
use crate::commands::client_config::merge::{self, MergeRefusal};
use crate::commands::client_config::toml_file;
use serde_json::json;
use std::path::Path;
use toml_edit::DocumentMut;

/// A client's file.
#[derive(Debug)]
pub struct ClientFile {
    content: ClientFileContent,
    kept: KeptNumbers,
}

#[derive(Debug)]
enum ClientFileContent {
    Json(Map<String, Value>),
    Toml(Box<DocumentMut>),
}

impl ClientFile {
    /// Reads a file.
    pub fn read(bytes: &[u8], client: Client) -> Result<ClientFile, MergeRefusal> {
        if client.is_toml() {
            let mut document = toml_file::read(bytes)?;
            toml_file::servers(&mut document, client.key())?;
            let (_, kept) = digits::take_out("{}");
            return Ok(ClientFile { content: ClientFileContent::Toml(Box::new(document)), kept });
        }
        let (mut root, kept) = merge::read(bytes, client)?;
        if root.contains_key(client.key()) {
            merge::object(&mut root, client.key(), &format!("under '{}'", client.key()))?;
        }
        Ok(ClientFile { content: ClientFileContent::Json(root), kept })
    }

    /// The servers, as this program reads them.
    pub fn servers(&self, client: Client) -> Vec<(String, Value)> {
        match &self.content {
            ClientFileContent::Json(root) => {
                let servers = root.get(client.key()).and_then(Value::as_object).into_iter().flatten();
                let read = |value: &Value| {
                    if client == Client::GeminiCli { of_gemini(value) } else { value.clone() }
                };
                servers.map(|(name, value)| (name.clone(), read(value))).collect()
            }
            ClientFileContent::Toml(document) => {
                let servers = document.get(client.key()).and_then(toml_edit::Item::as_table_like);
                let entries = servers.into_iter().flat_map(|table| table.iter());
                entries.map(|(name, item)| (name.to_owned(), of_codex(toml_file::object_of(item)))).collect()
            }
        }
    }

    /// Takes a server out.
    pub fn remove(&mut self, name: &str, client: Client) {
        match &mut self.content {
            ClientFileContent::Json(root) => {
                let servers = root.get_mut(client.key()).and_then(Value::as_object_mut);
                drop(servers.and_then(|servers| servers.shift_remove(name)));
            }
            ClientFileContent::Toml(document) => {
                let servers = document.get_mut(client.key()).and_then(toml_edit::Item::as_table_like_mut);
                drop(servers.and_then(|servers| servers.remove(name)));
            }
        }
    }

    /// The entry of this program that serves that file already, and its name.
    pub fn serving(&self, place: &Path, client: Client) -> Option<(String, Value)> {
        let place = place.display().to_string();
        let serves = |server: &Value| {
            is_ours(server)
                && server["args"].as_array().is_some_and(|args| args.iter().any(|word| *word == *place))
        };
        self.servers(client).into_iter().find(|(_, server)| serves(server))
    }

    /// Adds variables to an entry that has not got them; those that it has keep their values.
    pub fn add_variables(
        &mut self,
        name: &str,
        variables: &[String],
        client: Client,
    ) -> Result<(), MergeRefusal> {
        if variables.is_empty() {
            return Ok(());
        }
        match &mut self.content {
            ClientFileContent::Json(root) => {
                let servers = merge::object(root, client.key(), &format!("under '{}'", client.key()))?;
                let entry = merge::object(servers, name, &format!("under '{name}'"))?;
                let env = merge::object(entry, "env", &format!("under 'env' of '{name}'"))?;
                for variable in variables.iter().filter(|name| !env.contains_key(*name)).collect::<Vec<_>>() {
                    env.insert(variable.clone(), value_of(client, variable).into());
                }
                Ok(())
            }
            ClientFileContent::Toml(document) => {
                let members = Map::from_iter([("env_vars".to_owned(), variables.into())]);
                toml_file::put(document, client.key(), name, &members)
            }
        }
    }

    /// The name, or another one that is free.
    pub fn free_name(&self, name: &str, client: Client) -> String {
        let taken: Vec<String> = self.servers(client).into_iter().map(|(name, _)| name).collect();
        let later = (2..).map(|number: u32| format!("{name}-{number}"));
        let free = std::iter::once(name.to_owned()).chain(later).find(|name| !taken.contains(name));
        free.unwrap_or_else(|| name.to_owned())
    }

    /// Puts a server in.
    pub fn put(&mut self, name: &str, entry: &ClientEntry, client: Client) -> Result<(), MergeRefusal> {
        let members = entry.members(client);
        match &mut self.content {
            ClientFileContent::Json(root) => {
                let servers = merge::object(root, client.key(), &format!("under '{}'", client.key()))?;
                servers.insert(name.to_owned(), Value::Object(members));
                Ok(())
            }
            ClientFileContent::Toml(document) => toml_file::put(document, client.key(), name, &members),
        }
    }

    /// The file's text.
    pub fn text(&self) -> String {
        match &self.content {
            ClientFileContent::Json(root) => self.put_back(format!("{:#}\n", Value::Object(root.clone()))),
            ClientFileContent::Toml(document) => document.to_string(),
        }
    }

    /// A text that was made of what is in the file, with its numbers as they were written.
    pub fn put_back(&self, text: String) -> String {
        self.kept.put_back(text)
    }
}

/// Gemini writes `$VAR` for a variable, and `url` for a transport of its own beside `httpUrl`.
fn of_gemini(server: &Value) -> Value {
    let mut server = referring(server);
    if let Value::Object(members) = &mut server
        && members.contains_key("url")
        && !members.contains_key("type")
    {
        members.insert("type".to_owned(), "sse".into());
    }
    server
}

/// The same with `${VAR}` where a text ends in `$VAR`, or has one with capitals in it.
fn referring(value: &Value) -> Value {
    match value {
        Value::String(text) => with_braces(text).into(),
        Value::Array(elements) => elements.iter().map(referring).collect(),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(key, value)| (key.clone(), referring(value))).collect())
        }
        _ => value.clone(),
    }
}

fn with_braces(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        let length = after.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        let (name, behind) = after.split_at(length);
        let is_loud = name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
            && !name.bytes().any(|b| b.is_ascii_lowercase());
        let is_name = is_loud || !name.is_empty() && behind.is_empty();
        out.push_str(&if is_name { format!("${{{name}}}") } else { format!("${name}") });
        rest = behind;
    }
    out + rest
}

/// Codex names variables in keys of their own.
fn of_codex(table: Option<Map<String, Value>>) -> Value {
    let Some(table) = table else { return Value::Null };
    let mut server = Map::new();
    let (mut env, mut headers) = (Map::new(), Map::new());
    let reference = |name: &Value| Value::from(format!("${{{}}}", name.as_str().unwrap_or_default()));
    for (key, value) in table {
        match (key.as_str(), value) {
            ("env", Value::Object(more)) => env.extend(more),
            ("env_vars", Value::Array(names)) => {
                env.extend(
                    names.iter().filter_map(|name| Some((name.as_str()?.to_owned(), reference(name)))),
                );
            }
            ("bearer_token_env_var", name) => {
                headers.insert(
                    "Authorization".to_owned(),
                    format!("Bearer {}", reference(&name).as_str().unwrap_or_default()).into(),
                );
            }
            ("http_headers", Value::Object(more)) => headers.extend(more),
            ("env_http_headers", Value::Object(names)) => {
                headers.extend(names.iter().map(|(header, name)| (header.clone(), reference(name))));
            }
            ("tool_timeout_sec", seconds) => drop(server.insert("timeout".to_owned(), seconds)),
            ("enabled_tools", tools) => drop(server.insert("enabledTools".to_owned(), tools)),
            ("disabled_tools", tools) => drop(server.insert("disabledTools".to_owned(), tools)),
            // How long its start is waited for is not for a server to say here.
            ("startup_timeout_sec" | "startup_timeout_ms" | "required", _) => {}
            (_, value) => drop(server.insert(key, value)),
        }
    }
    for (key, values) in [("env", env), ("headers", headers)] {
        if !values.is_empty() {
            server.insert(key.to_owned(), json!(values));
        }
    }
    Value::Object(server)
}

#[cfg(test)]
mod tests;
