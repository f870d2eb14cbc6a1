//! The sentences of the standard failures, each written once (templates of the error-code document; rulings W1, W4).
//!
//! None of them may look like a leak: no file path, no parser or type name, no word ending in "at" before a space.

use super::{Code, Failure};

/// Most characters of a word from outside in a sentence of ours.
const LONGEST_ECHO: usize = 80;

/// A client's or an author's word as it may stand in a sentence: one line, not long, and nothing that would make the
/// sentence look like a leak. To be followed by a quote or a comma, never by a space.
pub fn echo(word: &str) -> String {
    let line: String = word.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if looks_like_a_leak(&format!("{line}'")) {
        return "[not shown]".to_owned();
    }
    shortened(&line, LONGEST_ECHO)
}

/// The text, cut to so many characters.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((cut, _)) => format!("{}...", &text[..cut]),
        None => text.to_owned(),
    }
}

/// No such operation, with up to five that are near.
pub fn unknown_operation(name: &str, suggestions: &[&str]) -> Failure {
    let mut message = format!("Unknown operation: '{}'.", echo(name));
    match suggestions.first() {
        Some(best) => message.push_str(&format!(" Did you mean '{best}'?")),
        None => message.push_str(" List them with introspect, query 'operations'."),
    }
    Failure::new(Code::NotFoundOperation, message)
        .with("operation", shortened(name, 200))
        .with("suggestions", suggestions.to_vec())
}

/// A limit was crossed.
pub fn payload_too_large(limit_type: &str, limit: u64, actual: u64, unit: &str) -> Failure {
    Failure::new(Code::ValidationPayloadTooLarge, format!("Payload exceeds {limit_type} limit of {limit}"))
        .with("limit_type", limit_type)
        .with("limit_value", limit)
        .with("actual_value", actual)
        .with("unit", unit)
}

/// Text that is not clean Unicode.
pub fn invalid_encoding(location: Option<&str>, byte_offset: Option<u64>) -> Failure {
    let mut failure = Failure::new(
        Code::ValidationInvalidEncoding,
        "Invalid character encoding in request. Send UTF-8 without NUL characters or lone surrogates.",
    );
    if let Some(location) = location {
        failure = failure.with("location", location);
    }
    if let Some(offset) = byte_offset {
        failure = failure.with("byte_offset", offset);
    }
    failure
}

/// A number that no common reader of JSON can hold.
pub fn number_out_of_range() -> Failure {
    Failure::new(
        Code::ValidationInvalidValue,
        "A number in the request is out of range: the largest one possible is about 1.8e308.",
    )
}

/// The operation belongs to another tool. Families are written as the reader of a message expects them.
pub fn endpoint_mismatch(operation: &str, expected: (&str, &str), actual: (&str, &str)) -> Failure {
    let ((expected_family, expected_tool), (actual_family, actual_tool)) = (expected, actual);
    Failure::new(
        Code::ValidationEndpointMismatch,
        format!(
            "Operation '{operation}' must use {expected_family} endpoint, not {actual_family}. Call {expected_tool}."
        ),
    )
    .with("operation", operation)
    .with("expected_endpoint", expected_family)
    .with("actual_endpoint", actual_family)
    .with("expected_tool", expected_tool)
    .with("actual_tool", actual_tool)
}

/// Something inside this server broke. The cause goes to the log.
pub fn internal(cause: impl std::fmt::Display) -> Failure {
    Failure::new(
        Code::InternalError,
        "Internal error: 'the call could not be completed'. Try it again; the server's log has the cause.",
    )
    .caused_by(cause)
}

/// The patterns by which the public conformance runner recognises leaked internals.
pub fn looks_like_a_leak(message: &str) -> bool {
    let lower = message.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let at_before_word = words.windows(2).any(|pair| pair[0].ends_with("at"));
    at_before_word
        || ["typeerror", "referenceerror", "syntaxerror", "/src/", "/node_modules/", ".ts:", ".js:"]
            .iter()
            .any(|pattern| lower.contains(pattern))
}

#[cfg(test)]
mod tests {
    use super::super::Failure;
    use super::{
        echo, endpoint_mismatch, internal, invalid_encoding, looks_like_a_leak, number_out_of_range,
        payload_too_large, unknown_operation,
    };
    use serde_json::json;

    /// Every sentence of this file.
    fn samples() -> Vec<Failure> {
        vec![
            unknown_operation("get_x", &[]),
            unknown_operation("get_x", &["get_y"]),
            payload_too_large("request_size", 1, 2, "bytes"),
            invalid_encoding(Some("params.x"), Some(3)),
            number_out_of_range(),
            endpoint_mismatch("x", ("READ", "mcp_aql_read"), ("CREATE", "mcp_aql_create")),
            internal(json!("cause")),
        ]
    }

    /// X-intro-29 R11.3-1 R11.3-3: our own sentences never look like leaked internals.
    #[test]
    fn no_sentence_looks_like_a_leak() {
        for failure in samples() {
            assert!(!looks_like_a_leak(&failure.message), "{}", failure.message);
        }
        assert!(looks_like_a_leak("failed at line 3"));
        assert!(looks_like_a_leak("a format in which"));
        assert!(!looks_like_a_leak("Parameter 'format' is not known"));
    }

    /// X-intro-29: words from outside cannot make a sentence of ours look like a leak, nor endless.
    #[test]
    fn echoed_words() {
        for plain in ["get_item", "format", "naïve ✓", "two words"] {
            assert_eq!(echo(plain), plain);
        }
        for bad in ["failed at line 3", "at ", "a TypeError", "see /src/main", "flat\nwhite"] {
            assert_eq!(echo(bad), "[not shown]", "{bad:?}");
            assert!(!looks_like_a_leak(&unknown_operation(bad, &[]).message));
        }
        assert_eq!(echo("a\u{7}b"), "a b");
        let failure = unknown_operation(&"é".repeat(100_000), &[]);
        assert!(failure.message.len() < 400 && failure.details["operation"].as_str().unwrap().len() < 500);
    }

    /// X-errors-15: text and details of a crossed limit.
    #[test]
    fn limit_details() {
        let failure = payload_too_large("string_length", 10, 11, "bytes");
        assert_eq!(failure.message, "Payload exceeds string_length limit of 10");
        assert_eq!(
            serde_json::Value::Object(failure.details),
            json!({"limit_type": "string_length", "limit_value": 10, "actual_value": 11, "unit": "bytes"})
        );
    }

    /// O6.3-3 O6.3-4: text and details of a mismatch (ruling W9 adds the tool to call).
    #[test]
    fn mismatch_words() {
        let failure =
            endpoint_mismatch("get_x", ("READ", "gh_mcp_aql_read"), ("CREATE", "gh_mcp_aql_create"));
        assert_eq!(
            failure.message,
            "Operation 'get_x' must use READ endpoint, not CREATE. Call gh_mcp_aql_read."
        );
        assert_eq!(failure.details["expected_endpoint"], "READ");
        assert_eq!(failure.details["actual_endpoint"], "CREATE");
        assert_eq!(failure.details["expected_tool"], "gh_mcp_aql_read");
    }
}
