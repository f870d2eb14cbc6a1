//! Tests of `keyed`.

use super::{IN_LINE, IN_WORDS, line_without_values, words_without_values};

#[test]
fn every_pattern_compiles() {
    assert!(IN_LINE.is_some() && IN_WORDS.is_some());
}

/// A number of tokens is no token; a secret behind it on the same line stays hidden.
#[test]
fn lines_of_files() {
    for line in [
        "max_response_tokens = 5",
        "max_response_tokens = \"many\"",
        "cost_per_token: 0.01",
        "maxTokens: 5",
        "key_env: API_KEY",
        "token_env: API_KEY",
        "credential_origins = \"x\"",
        "author: me",
        "auth: {type: basic}",
        "pass_through: yes",
    ] {
        assert_eq!(line_without_values(line), line);
    }
    for (line, hidden) in [
        (
            "{ max_response_tokens = 5, api_token = \"hunter2\" }",
            "{ max_response_tokens = 5, api_token = [REDACTED]",
        ),
        (
            "{ token_url: https://a.example, token: hunter2 }",
            "{ token_url: https://a.example, token: [REDACTED]",
        ),
        ("response_tokens = \"hunter2\"", "response_tokens = [REDACTED]"),
        ("tokens: hunter2", "tokens: [REDACTED]"),
        ("password = 123456", "password = [REDACTED]"),
        ("maximum_secret: hunter2", "maximum_secret: [REDACTED]"),
        ("--api-key=hunter2", "--api-key=[REDACTED]"),
        // Names that only other lists had.
        ("passphrase: open sesame", "passphrase: [REDACTED]"),
        ("aws_access_key: hunter2", "aws_access_key: [REDACTED]"),
        ("db_pass = hunter2", "db_pass = [REDACTED]"),
    ] {
        assert_eq!(line_without_values(line), hidden);
    }
}

#[test]
fn words_of_others() {
    for text in [
        "Invalid token: expired",
        "password: must have 8 characters",
        "tokens=4096",
        "key=abcd",
        "bypass=true",
    ] {
        assert_eq!(words_without_values(text.to_owned()), text);
    }
    for (text, hidden) in [
        ("api_key=hunter2 is wrong", "api_key=[REDACTED] is wrong"),
        ("{\"access_token\": \"a1b2c3d4e5\"}", "{\"access_token\": \"[REDACTED]\"}"),
        ("accessToken=hunter2", "accessToken=[REDACTED]"),
        ("cookie: sid1234567", "cookie: [REDACTED]"),
        ("x?sig=abcd&y=2", "x?sig=[REDACTED]&y=2"),
        ("smtp_pass='hunter2'", "smtp_pass='[REDACTED]'"),
    ] {
        assert_eq!(words_without_values(text.to_owned()), hidden);
    }
}
