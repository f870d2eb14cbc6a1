//! Tests of `server_events`.

use super::question;
use aqueduct_egress::redact::Redactor;
use serde_json::json;

/// A person sees who asks, and nothing that is disguised or secret; what an answer has to repeat stays.
#[test]
fn questions_say_who_asks() {
    let mut redactor = Redactor::default();
    redactor.add_secret("s3cret-value");
    let params = json!({
        "message": "Your bank\u{202e}\u{200b} asks:\n\ntoken s3cret-value?",
        "requestedSchema": {"type": "object", "properties": {
            "title": {"type": "string", "title": "A\u{202e}\nB", "description": "c\u{200b}d"},
            "pick": {"type": "string", "enum": ["x\u{200b}"], "enumNames": ["y\u{200b}"]},
            "other": {"oneOf": [{"const": "z", "title": "\u{1b}[2Jz"}]},
        }},
    });
    let asked = question("notes", &redactor, &params).unwrap();
    assert_eq!(asked.message, "The MCP server 'notes' asks: Your bank asks: token [REDACTED]?");
    let fields = &asked.schema["properties"];
    assert_eq!(fields["title"], json!({"type": "string", "title": "A B", "description": "cd"}));
    assert_eq!(
        (&fields["pick"]["enum"][0], &fields["pick"]["enumNames"][0]),
        (&json!("x\u{200b}"), &json!("y"))
    );
    assert_eq!(fields["other"]["oneOf"][0], json!({"const": "z", "title": "[2Jz"}));
    assert!(question("notes", &redactor, &json!({"message": "x", "url": "https://x"})).is_none());
}
