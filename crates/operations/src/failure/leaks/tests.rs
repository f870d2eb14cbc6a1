//! Tests of `leaks`.

use super::{leak, shows_internals};

/// X-conf-30 X-conf-62 X-conf-63: the eight patterns, as the public runner has them.
#[test]
fn leaks() {
    let patterns = [
        r"(?i)typeerror",
        r"(?i)referenceerror",
        r"(?i)syntaxerror",
        r"(?i)at\s+\S+",
        r"(?i)/src/",
        r"(?i)/node_modules/",
        r"(?i)\.ts:\d+",
        r"(?i)\.js:\d+",
    ];
    let patterns: Vec<regex::Regex> =
        patterns.iter().map(|pattern| regex::Regex::new(pattern).unwrap()).collect();
    for message in [
        "TypeError: x",
        "a ReferenceError",
        "syntaxerror",
        "format in",
        "that is",
        "float value",
        "repeat the",
        "at line 1",
        "at",
        "at ",
        "look\nat\n me",
        "/srv/src/a",
        "/src",
        "x/node_modules/y",
        "a.ts:12",
        "a.ts: 12",
        "b.JS:1",
        "b.js:",
        "ünïcode at\u{a0}x",
        "Missing required parameter 'query'. Expected: string",
        "what",
        "whatever",
        "Send objects and arrays as they are.",
    ] {
        let expected = patterns.iter().any(|pattern| pattern.is_match(message));
        assert_eq!(leak(message).is_some(), expected, "{message:?}");
    }
    assert!(leak("got #<Object>").is_some());
}

/// Paths, stack traces and types of a language; not words that end in "at".
#[test]
fn internals() {
    for message in [
        "ENOENT: no such file, stat '/srv/x'",
        "boom at /app/index.py line 3",
        "at Object.<anonymous> (/app/x.js)",
        "failed at run (node:internal/x)",
        "cannot look at C:\\data\\x",
        "TypeError: x is undefined",
        "see a.ts:12",
    ] {
        assert!(shows_internals(message), "{message}");
    }
    for message in [
        "name must be at least 3 characters",
        "that is not ours (yet)",
        "what the format is, is unknown",
        "expires at 2026/01/01",
        "no such file x",
    ] {
        assert!(!shows_internals(message), "{message}");
    }
}
