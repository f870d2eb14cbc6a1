//! Tests of `shapes`.

use super::{
    CERTAIN, LIKELY, SHAPES, first_in, looks_like_a_key, without_certain, without_likely, without_random,
};

#[test]
fn every_pattern_compiles() {
    assert_eq!((CERTAIN.len(), LIKELY.len()), (SHAPES.len(), SHAPES.len()));
    assert!(super::LONG.is_some());
}

const SECRETS: [&str; 16] = [
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "github_pat_abcdefghijklmnopqrstuvwxyz",
    "glpat-abcdefghijklmnop1",
    "sk_live_abcdefghijklmnop",
    "sk-proj-abcdefghijklmnopqrstuvwxyz",
    "xoxb-1234567890-abc",
    "AIzaabcdefghijklmnopqrstuvwxyz0123456789",
    "AKIAABCDEFGHIJKLMNOP",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc",
    "-----BEGIN RSA PRIVATE KEY-----",
    "Authorization: Bearer abc123def456ghi789jkl",
    "Basic dXNlcjpwYXNzd29yZDE=",
    "postgres://user:hunter2@db/x",
    // Each of these stood in one of two lists only.
    "redis://:hunter2@db/x",
    "npm_abcdefghijklmnopqrstuvwxyz0123456789",
    "ya29.abcdefghijklmnopqrstuvwxyz",
];

/// What a file is refused for is shown by no one: whatever is certain is likely too, and has a sign.
#[test]
fn looks_of_credentials() {
    for secret in SECRETS {
        assert!(first_in(secret).is_some(), "{secret}");
        for clean in [without_certain(format!("x {secret} y")), without_likely(format!("x {secret} y"))] {
            assert!(clean.contains("[REDACTED]"), "{secret}");
        }
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
        "npm_config_registry",
        "https://api.example.com/a@b",
        "https://api.example.com:8443/a@b",
        "task-list",
        "The sk_ prefix marks secret keys",
        "/users/{id}:activate",
    ] {
        assert_eq!(first_in(plain), None, "{plain}");
    }
}

#[test]
fn every_shape_is_tested() {
    for (shape, pattern) in CERTAIN.iter() {
        assert!(SECRETS.iter().any(|secret| pattern.is_match(secret)), "{}", shape.what);
    }
}

/// Words of others lose beginnings of tokens too, and long random words.
#[test]
fn likely_ones() {
    for (text, clean) in [
        ("xoxo-123456", "[REDACTED]"),
        ("with token abc12345 here", "with token [REDACTED] here"),
        ("basic authentication is needed", "basic authentication is needed"),
        ("-----BEGIN CERTIFICATE-----\nabc", "[REDACTED]"),
    ] {
        assert_eq!(without_likely(text.to_owned()), clean);
    }
    let digest = "digest 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b of 123e4567-e89b-12d3-a456-426614174000";
    let clean = "digest [REDACTED] of 123e4567-e89b-12d3-a456-426614174000";
    assert_eq!(without_random(digest.to_owned()), clean);
}

#[test]
fn keys_in_settings() {
    assert!(looks_like_a_key("literal-secret-99"));
    for plain in ["short1", "only-letters-here", "123456789012", "words with 1 digit"] {
        assert!(!looks_like_a_key(plain), "{plain}");
    }
}
