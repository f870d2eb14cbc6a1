//! Tests of `server_secrets`.

use super::redactor;
use aqueduct_egress::redact::Redactor;
use aqueduct_operations::mcp::{ServerConfig, ServerTransport};
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_testkit::environment::TestEnvironment;
use std::time::Duration;

fn variables() -> TestEnvironment {
    TestEnvironment::with(&[
        ("TOKEN", "s3cret-value"),
        ("SHARED_NAME", "world"),
        ("PIN", "ab12"),
        ("NOTES", "quiet \"words\" here"),
    ])
}

fn of(reach: ServerTransport) -> Redactor {
    let config = ServerConfig { name: "s".into(), reach, timeout: Duration::from_secs(1) };
    redactor(&config, &variables())
}

fn child(env: &[(&str, &str)], args: &[&str]) -> Redactor {
    of(ServerTransport::Stdio {
        command: "x".into(),
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        env: env.iter().map(|(name, value)| NamedSecret::new(*name, *value)).collect(),
        cwd: None,
    })
}

fn web(url: &str, headers: &[(&str, &str)]) -> Redactor {
    let headers = headers.iter().map(|(name, value)| NamedSecret::new(*name, *value)).collect();
    of(ServerTransport::Http { url: url.parse().unwrap(), headers })
}

/// Values of variables are hidden wherever they come back, however they are spelled there; not those that are no
/// secrets, and short ones only in our own words.
#[test]
fn variables_are_hidden() {
    let redactor = child(
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
    assert_eq!(redactor.data("a s3cret-value, x-s3cret-value"), "a [REDACTED], [REDACTED]");
    assert_eq!(redactor.data(r#"{"n": "quiet \"words\" here"}"#), r#"{"n": "[REDACTED]"}"#);
    assert_eq!(redactor.data("?q=quiet%20%22words%22%20here"), "?q=[REDACTED]");
    assert_eq!(redactor.data("hunter22 ghp_0123456789abcdef"), "[REDACTED] [REDACTED]");
    assert_eq!(redactor.data("literal-secret-99, open sesame"), "[REDACTED], [REDACTED]");
    let plain = "hello world, ada@example.com, warning: /srv/data/files https://api.example.com/v1 ab12";
    assert_eq!(redactor.data(plain), plain);
    assert_eq!(redactor.line("it says\n\u{1b}[2J\u{200b}ab12"), "it says [2J[REDACTED]");
}

/// Of headers and addresses what is secret: a token without its scheme, a password without its user.
#[test]
fn headers_and_addresses_are_hidden() {
    let url = "https://me:p%40ssw0rd@example.com/mcp?api_key=abcdef1&page=overview";
    let redactor = web(
        url,
        &[("Authorization", "Bearer ${TOKEN}"), ("X-Key", "key-123456"), ("X", "Basic YTpvcGVuIHNlc2FtZQ==")],
    );
    for secret in ["s3cret-value", "key-123456", "YTpvcGVuIHNlc2FtZQ==", "open sesame", "p@ssw0rd", "abcdef1"]
    {
        assert_eq!(redactor.data(secret), "[REDACTED]", "{secret}");
    }
    assert_eq!(redactor.data(url), "https://me:[REDACTED]@example.com/mcp?api_key=[REDACTED]&page=overview");
    assert_eq!(redactor.data("Bearer of overview news"), "Bearer of overview news");
}
