//! The sentences of the standard failures, each written once (templates of the error-code document; rulings W1, W4).
//!
//! None of them may look like a leak: no file path, no parser or type name, no word ending in "at" before a space.

pub use super::leaks::looks_like_a_leak;
use super::{Code, Failure};
use crate::secrets::shapes;

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

/// The begin and the end of a text that is too long, and how much is left out between them: nothing hides at its end.
pub fn abridged(text: &str, most: usize) -> String {
    let length = text.chars().count();
    if length <= most {
        return text.to_owned();
    }
    let (begin, end) = (most - most / 4, most / 4);
    let left_out = length - begin - end;
    let begin: String = text.chars().take(begin).collect();
    let end: String = text.chars().skip(length - end).collect();
    format!("{begin}... [{left_out} more characters] ...{end}")
}

/// No such operation, with up to five that are near.
pub fn unknown_operation(name: &str, suggestions: &[&str]) -> Failure {
    let name = &*without_secrets(name);
    let mut message = format!("Unknown operation: '{}'.", echo(name));
    if let Some(best) = suggestions.first() {
        message.push_str(&format!(" Did you mean '{best}'?"));
    }
    Failure::new(Code::NotFoundOperation, message)
        .with("operation", shortened(name, 200))
        .with("suggestions", suggestions.to_vec())
}

/// A name without what may be a token, or a code of the operator's: a client that mixes up places sends one as an operation.
fn without_secrets(name: &str) -> String {
    const SIGNS_OF_CODE: usize = 26;
    let signs: Vec<u8> = name.bytes().filter(|byte| !matches!(byte, b'-' | b' ')).collect();
    let is_code = signs.len() == SIGNS_OF_CODE
        && signs.iter().all(u8::is_ascii_alphanumeric)
        && signs.iter().any(u8::is_ascii_digit);
    if is_code {
        return "[not shown]".to_owned();
    }
    shapes::without_likely(name.to_owned())
}

/// How operations are found, with a request as an example.
pub fn search_hint(sample: &str) -> String {
    format!(" Search with introspect {{query:\"search\", search:\"{sample}\"}}.")
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

/// A family, and the tool that serves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FamilyTool {
    /// The family.
    pub family: String,
    /// The name of its tool.
    pub tool: String,
}

/// The operation belongs to another tool. Families are written as the reader of a message expects them.
pub fn endpoint_mismatch(operation: &str, expected: &FamilyTool, actual: &FamilyTool) -> Failure {
    Failure::new(
        Code::ValidationEndpointMismatch,
        format!(
            "Operation '{operation}' must use {} endpoint, not {}. Call {}.",
            expected.family, actual.family, expected.tool
        ),
    )
    .with("operation", operation)
    .with("expected_endpoint", expected.family.as_str())
    .with("actual_endpoint", actual.family.as_str())
    .with("expected_tool", expected.tool.as_str())
    .with("actual_tool", actual.tool.as_str())
}

/// Something inside this server broke. The cause goes to the log.
pub fn internal(cause: impl std::fmt::Display) -> Failure {
    Failure::new(
        Code::InternalError,
        "Internal error: 'the call could not be completed'. Try it again; the server's log has the cause.",
    )
    .caused_by(cause)
}

#[cfg(test)]
mod tests;
