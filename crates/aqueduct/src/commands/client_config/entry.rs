//! One server as a client writes it down: the program, its words, and the variables it needs.
//!
//! An entry and a client in, JSON in that client's own form out.

use super::Client;
use serde_json::{Map, Value, json};

/// How this program is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The whole path of the program.
    pub command: String,
    /// Its words, `serve` first.
    pub arguments: Vec<String>,
    /// Names of the variables that calls will read.
    pub variables: Vec<String>,
}

impl Entry {
    /// The members of the entry, in the order in which people write them.
    pub fn members(&self, client: Client) -> Map<String, Value> {
        let mut members = Map::new();
        if client.names_transport() {
            members.insert("type".to_owned(), "stdio".into());
        }
        members.insert("command".to_owned(), self.command.as_str().into());
        members.insert("args".to_owned(), self.arguments.clone().into());
        if !self.variables.is_empty() {
            let value = |variable: &str| {
                client.reference(variable).unwrap_or_else(|| format!("put the value of {variable} here"))
            };
            let pairs = self.variables.iter().map(|variable| (variable.clone(), value(variable).into()));
            members.insert("env".to_owned(), Value::Object(pairs.collect()));
        }
        members
    }

    /// The entry under its name, as a whole file would hold it.
    pub fn snippet(&self, client: Client, name: &str) -> Value {
        json!({ client.key(): { name: self.members(client) } })
    }
}

#[cfg(test)]
mod tests {
    use super::{Client, Entry};
    use serde_json::json;

    #[test]
    fn every_client_has_its_own_form() {
        let entry = Entry {
            command: "/bin/aqueduct".into(),
            arguments: vec!["serve".into(), "/a-adapter.md".into()],
            variables: vec!["T".into()],
        };
        let args = json!(["serve", "/a-adapter.md"]);
        let plain =
            json!({"command": "/bin/aqueduct", "args": args, "env": {"T": "put the value of T here"}});
        let typed = |reference: &str| json!({"type": "stdio", "command": "/bin/aqueduct", "args": args, "env": {"T": reference}});
        let windsurf = json!({"command": "/bin/aqueduct", "args": args, "env": {"T": "${env:T}"}});
        for (client, expected) in [
            (Client::ClaudeDesktop, json!({"mcpServers": {"a": plain}})),
            (Client::ClaudeCode, json!({"mcpServers": {"a": typed("${T}")}})),
            (Client::Cursor, json!({"mcpServers": {"a": typed("${env:T}")}})),
            (Client::VsCode, json!({"servers": {"a": typed("${env:T}")}})),
            (Client::Windsurf, json!({"mcpServers": {"a": windsurf}})),
            (Client::Zed, json!({"context_servers": {"a": plain}})),
        ] {
            assert_eq!(entry.snippet(client, "a"), expected, "{client:?}");
        }
        let open = Entry { variables: Vec::new(), ..entry };
        assert!(!open.members(Client::Cursor).contains_key("env"));
    }
}
