//! Tests of `entry`.

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
