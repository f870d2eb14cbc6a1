//! Tests of `client_file`.

use super::{JsonFile, json_value, of_codex, of_gemini};
use serde_json::{Value, json};

#[test]
fn servers_of_codex() {
    let table = json!({
        "command": "x", "env": {"A": "1"}, "env_vars": ["B"], "startup_timeout_sec": 9, "tool_timeout_sec": 30,
        "disabled_tools": ["drop"]
    });
    let expected =
        json!({"command": "x", "timeout": 30, "disabledTools": ["drop"], "env": {"A": "1", "B": "${B}"}});
    assert_eq!(of_codex(table.as_object().cloned()), expected);
    let remote =
        json!({"url": "https://e.example/mcp", "bearer_token_env_var": "T", "env_http_headers": {"X": "Y"}});
    let expected =
        json!({"url": "https://e.example/mcp", "headers": {"Authorization": "Bearer ${T}", "X": "${Y}"}});
    assert_eq!(of_codex(remote.as_object().cloned()), expected);
}

/// What Gemini's entry is read as.
fn gemini(server: &Value) -> Value {
    let read = JsonFile::read(b"{}", false).unwrap();
    read.object().append("server", of_gemini(json_value(server)));
    serde_json::from_str::<Value>(&read.text()).unwrap()["server"].take()
}

#[test]
fn servers_of_gemini() {
    let local = json!({"command": "x", "args": ["$HOME/a $B/c"],
            "env": {"A": "$B", "C": "${D}", "E": "5 $", "F": "a$b c"}});
    let expected = json!({"command": "x", "args": ["${HOME}/a ${B}/c"],
            "env": {"A": "${B}", "C": "${D}", "E": "5 $", "F": "a$b c"}});
    assert_eq!(gemini(&local), expected);
    let remote = json!({"httpUrl": "https://e.example/mcp", "headers": {"Authorization": "Bearer $T"}});
    assert_eq!(gemini(&remote)["headers"]["Authorization"], "Bearer ${T}");
    assert_eq!(gemini(&json!({"url": "https://e.example/sse"}))["type"], "sse");
}
