//! Tests of `server_events`.

use super::question;
use crate::redact::ServerRedactor;
use crate::settings::VariableLookup;
use aqueduct_operations::mcp::{ServerConfig, ServerTransport};
use serde_json::json;
use std::time::Duration;

/// A person sees who asks, and nothing that is disguised or secret; what an answer has to repeat stays.
#[test]
fn questions_say_who_asks() {
    let env = vec![("TOKEN".to_owned(), "s3cret-value".into())];
    let reach = ServerTransport::Stdio { command: "x".into(), args: Vec::new(), env, cwd: None };
    let config = ServerConfig { name: "notes".into(), reach, timeout: Duration::from_secs(1) };
    let hidden = ServerRedactor::of(&config, &VariableLookup::new(|_| None));
    let params = json!({
        "message": "Your bank\u{202e}\u{200b} asks:\n\ntoken s3cret-value?",
        "requestedSchema": {"type": "object", "properties": {
            "title": {"type": "string", "title": "A\u{202e}\nB", "description": "c\u{200b}d"},
            "pick": {"type": "string", "enum": ["x\u{200b}"], "enumNames": ["y\u{200b}"]},
            "other": {"oneOf": [{"const": "z", "title": "\u{1b}[2Jz"}]},
        }},
    });
    let asked = question("notes", &hidden, &params).unwrap();
    assert_eq!(asked.message, "The MCP server 'notes' asks: Your bank asks: token [REDACTED]?");
    let fields = &asked.schema["properties"];
    assert_eq!(fields["title"], json!({"type": "string", "title": "A B", "description": "cd"}));
    assert_eq!(
        (&fields["pick"]["enum"][0], &fields["pick"]["enumNames"][0]),
        (&json!("x\u{200b}"), &json!("y"))
    );
    assert_eq!(fields["other"]["oneOf"][0], json!({"const": "z", "title": "[2Jz"}));
    assert!(question("notes", &hidden, &json!({"message": "x", "url": "https://x"})).is_none());
}
