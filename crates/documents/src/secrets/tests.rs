//! Tests of `secrets`.

use super::{first_in, scrub};

/// A quick look never hides what a shape would find.
#[test]
fn every_shape_has_a_sign() {
    for pattern in super::PATTERNS.iter().map(|(_, pattern)| pattern.as_str()) {
        let word = pattern.to_ascii_lowercase();
        let is_known = super::SIGNS.iter().any(|sign| word.contains(sign.trim_matches('_')))
            || word.contains("gh[pousr]")
            || word.contains("live|test")
            || word.contains("://");
        assert!(is_known, "{pattern}");
    }
}

#[test]
fn looks_of_credentials() {
    for secret in [
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
        "sk_live_abcdefghijklmnop",
        "sk-proj-abcdefghijklmnopqrstuvwxyz",
        "xoxb-1234567890-abc",
        "AKIAABCDEFGHIJKLMNOP",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc",
        "-----BEGIN RSA PRIVATE KEY-----",
        "Authorization: Bearer abc123def456ghi789jkl",
        "Basic dXNlcjpwYXNzd29yZA==",
        "postgres://user:hunter2@db/x",
    ] {
        assert!(first_in(secret).is_some(), "{secret}");
        assert!(scrub(format!("x {secret} y")).contains("[REDACTED]"), "{secret}");
    }
    for plain in [
        "ghp_xxxxxxxxxxxxxxxxxxxx1234",
        "sk_live_YOUR_KEY_GOES_HERE",
        "AKIAIOSFODNN7EXAMPLE",
        "Bearer YOUR_TOKEN_0123456789",
        "https://user:password@host/",
        "Bearer ",
        "A bearer token is required for all of this",
        "Basic understanding of things",
        "GITHUB_TOKEN",
        "https://api.example.com/a@b",
        "task-list",
        "The sk_ prefix marks secret keys",
        "/users/{id}:activate",
    ] {
        assert_eq!(first_in(plain), None, "{plain}");
    }
}
