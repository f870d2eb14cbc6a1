//! A client's file with its servers, whatever language it is in.
//!
//! Bytes in; servers as this program reads them, and the text without some of them and with another one, out. Everything
//! else in the file stays as it is.

use super::{Client, ClientEntry, is_ours};
use crate::commands::client_config::entry::value_of;
use crate::commands::client_config::json_file::{self, JsonFile, JsonValue, json_value, member};
use crate::commands::client_config::merge::MergeRefusal;
use crate::commands::client_config::toml_file;
use jsonc_parser::cst::CstObjectProp;
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::path::Path;
use toml_edit::DocumentMut;

/// A client's file.
#[derive(Debug)]
pub enum ClientFile {
    /// JSON, perhaps with comments.
    Json(JsonFile),
    /// TOML.
    Toml(Box<DocumentMut>),
}

impl ClientFile {
    /// Reads a file.
    pub fn read(bytes: &[u8], client: Client) -> Result<ClientFile, MergeRefusal> {
        if client.is_toml() {
            let mut document = toml_file::read(bytes)?;
            toml_file::servers(&mut document, client.key())?;
            return Ok(ClientFile::Toml(Box::new(document)));
        }
        let file = JsonFile::read(bytes, client.allows_comments())?;
        if file.object().get(client.key()).is_some() {
            json_file::object(file.object(), client.key(), || format!("under '{}'", client.key()))?;
        }
        Ok(ClientFile::Json(file))
    }

    /// The servers, as this program reads them.
    pub fn servers(&self, client: Client) -> Vec<(String, JsonValue)> {
        match self {
            ClientFile::Json(file) if client == Client::GeminiCli => {
                file.servers(client).into_iter().map(|(name, value)| (name, of_gemini(value))).collect()
            }
            ClientFile::Json(file) => file.servers(client),
            ClientFile::Toml(document) => {
                let servers = document.get(client.key()).and_then(toml_edit::Item::as_table_like);
                let entries = servers.into_iter().flat_map(|table| table.iter());
                let read = |item| json_value(&of_codex(toml_file::object_of(item)));
                entries.map(|(name, item)| (name.to_owned(), read(item))).collect()
            }
        }
    }

    /// Takes a server out.
    pub fn remove(&mut self, name: &str, client: Client) {
        match self {
            ClientFile::Json(file) => {
                let server = file.object().object_value(client.key()).and_then(|servers| servers.get(name));
                server.into_iter().for_each(CstObjectProp::remove);
            }
            ClientFile::Toml(document) => {
                let servers = document.get_mut(client.key()).and_then(toml_edit::Item::as_table_like_mut);
                drop(servers.and_then(|servers| servers.remove(name)));
            }
        }
    }

    /// The entry of this program that serves that file already: its name and its words.
    pub fn serving(&self, place: &Path, client: Client) -> Option<(String, Vec<String>)> {
        let place = place.display().to_string();
        let ours = self.servers(client).into_iter().filter(|(_, server)| is_ours(server));
        ours.map(|(name, server)| (name, words_of(&server))).find(|(_, words)| words.contains(&place))
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
        match self {
            ClientFile::Json(file) => {
                let value = |variable: &String| (variable.clone(), value_of(client, variable).into());
                file.add_variables(client, name, variables.iter().map(value).collect())
            }
            ClientFile::Toml(document) => {
                let members = Map::from_iter([("env_vars".to_owned(), variables.into())]);
                toml_file::put(document, client.key(), name, &members)
            }
        }
    }

    /// The name, or another one that is free.
    pub fn free_name(&self, name: &str, client: Client) -> String {
        let taken: HashSet<String> = self.servers(client).into_iter().map(|(name, _)| name).collect();
        super::free_name(name, |name| taken.contains(name))
    }

    /// Puts a server in.
    pub fn put(&mut self, name: &str, entry: &ClientEntry, client: Client) -> Result<(), MergeRefusal> {
        let members = entry.members(client);
        match self {
            ClientFile::Json(file) => file.put(client, name, members),
            ClientFile::Toml(document) => toml_file::put(document, client.key(), name, &members),
        }
    }

    /// The file's text.
    pub fn text(&self) -> String {
        match self {
            ClientFile::Json(file) => file.text(),
            ClientFile::Toml(document) => document.to_string(),
        }
    }
}

/// The words of an entry.
fn words_of(server: &JsonValue) -> Vec<String> {
    let Some(JsonValue::Array(words)) = member(server, "args") else { return Vec::new() };
    let word = |word: &JsonValue| if let JsonValue::String(text) = word { Some(text.clone()) } else { None };
    words.iter().filter_map(word).collect()
}

/// Gemini writes `$VAR` for a variable, and `url` for a transport of its own beside `httpUrl`.
fn of_gemini(server: JsonValue) -> JsonValue {
    let needs_type = member(&server, "url").is_some() && member(&server, "type").is_none();
    let mut server = referring(server);
    if let JsonValue::Object(members) = &mut server
        && needs_type
    {
        members.push(("type".to_owned(), "sse".into()));
    }
    server
}

/// The same with `${VAR}` where a text ends in `$VAR`, or has one with capitals in it.
fn referring(value: JsonValue) -> JsonValue {
    match value {
        JsonValue::String(text) => with_braces(&text).into(),
        JsonValue::Array(elements) => JsonValue::Array(elements.into_iter().map(referring).collect()),
        JsonValue::Object(members) => {
            JsonValue::Object(members.into_iter().map(|(key, value)| (key, referring(value))).collect())
        }
        _ => value,
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
