//! Tests of `redact`.

use super::ServerRedactor;
use crate::settings::VariableLookup;
use aqueduct_operations::mcp::{ServerConfig, ServerTransport};
use serde_json::json;
use std::time::Duration;

fn variables() -> VariableLookup {
    VariableLookup::new(|name| match name {
        "TOKEN" => Some("s3cret-value".into()),
        "SHARED_NAME" => Some("world".into()),
        "PIN" => Some("ab12".into()),
        "NOTES" => Some("quiet \"words\" here".into()),
        _ => None,
    })
}

fn of(reach: ServerTransport) -> ServerRedactor {
    let config = ServerConfig { name: "s".into(), reach, timeout: Duration::from_secs(1) };
    ServerRedactor::of(&config, &variables())
}

fn child(env: &[(&str, &str)], args: &[&str]) -> ServerRedactor {
    of(ServerTransport::Stdio {
        command: "x".into(),
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        env: env.iter().map(|(name, value)| ((*name).to_owned(), (*value).into())).collect(),
        cwd: None,
    })
}

fn web(url: &str, headers: &[(&str, &str)]) -> ServerRedactor {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).into())).collect();
    of(ServerTransport::Http { url: url.parse().unwrap(), headers })
}

/// Values of variables are hidden wherever they come back, however they are spelled there; not those that are no
/// secrets, and short ones only in our own words.
#[test]
fn variables_are_hidden() {
    let hidden = child(
        &[
            ("A", "x-${TOKEN}"),
            ("NOTES", "${NOTES}"),
            ("UNSET", "${UNSET}"),
            ("DATA_DIR", "/srv/data/files"),
            ("BASE", "https://api.example.com/v1"),
            ("DATABASE", "postgres://app:hunter22@db/app"),
            ("LOG_LEVEL", "warning"),
            ("MIRROR", "https://ghp_0123456789abcdef@example.com/x"),
            ("PIN", "${PIN}"),
            ("GREETING", "hello ${SHARED_NAME}"),
            ("LIT", "literal-secret-99"),
            ("GIT_AUTHOR_EMAIL", "ada@example.com"),
            ("X_AUTHORIZATION", "open sesame"),
        ],
        &["--password", "${TOKEN}"],
    );
    assert_eq!(hidden.text("a s3cret-value, x-s3cret-value"), "a [REDACTED], [REDACTED]");
    assert_eq!(hidden.text(r#"{"n": "quiet \"words\" here"}"#), r#"{"n": "[REDACTED]"}"#);
    assert_eq!(hidden.text("?q=quiet%20%22words%22%20here"), "?q=[REDACTED]");
    assert_eq!(hidden.text("hunter22 ghp_0123456789abcdef"), "[REDACTED] [REDACTED]");
    assert_eq!(hidden.text("literal-secret-99, open sesame"), "[REDACTED], [REDACTED]");
    let plain = "hello world, ada@example.com, warning: /srv/data/files https://api.example.com/v1 ab12";
    assert_eq!(hidden.text(plain), plain);
    assert_eq!(hidden.line("it says\n\u{1b}[2J\u{200b}ab12"), "it says [2J[REDACTED]");
    assert_eq!(hidden.line(&"x".repeat(900)).chars().count(), 303);
}

#[test]
fn values_are_cleaned_whole() {
    let hidden = child(&[("A", "${TOKEN}"), ("API_KEY", "12345678")], &[]);
    let mut value = json!({"a": ["s3cret-value!", {"s3cret-value": 1}], "b": 12345678, "c": true});
    hidden.value(&mut value);
    assert_eq!(value, json!({"a": ["[REDACTED]!", {"[REDACTED]": 1}], "b": "[REDACTED]", "c": true}));
}

/// Of headers and addresses what is secret: a token without its scheme, a password without its user.
#[test]
fn headers_and_addresses_are_hidden() {
    let url = "https://me:p%40ssw0rd@example.com/mcp?api_key=abcdef1&page=overview";
    let hidden = web(
        url,
        &[("Authorization", "Bearer ${TOKEN}"), ("X-Key", "key-123456"), ("X", "Basic YTpvcGVuIHNlc2FtZQ==")],
    );
    for secret in ["s3cret-value", "key-123456", "YTpvcGVuIHNlc2FtZQ==", "open sesame", "p@ssw0rd", "abcdef1"]
    {
        assert_eq!(hidden.text(secret), "[REDACTED]", "{secret}");
    }
    assert_eq!(hidden.text(url), "https://me:[REDACTED]@example.com/mcp?api_key=[REDACTED]&page=overview");
    assert_eq!(hidden.text("Bearer of overview news"), "Bearer of overview news");
}
