//! JSON text in its plainest spelling: `\\u002b` as `+`, `\\/` as `/`, so that a credential is found however it is escaped.
//!
//! Text in, the same JSON in other letters out; nothing when there is nothing to spell otherwise. Quotes and backslashes
//! get their short escapes and control characters keep theirs, so the text stays JSON.

use aqueduct_operations::json_text::unicode_escape;

/// The plainest spelling of JSON text, when it differs.
pub(super) fn plain(text: &str) -> Option<String> {
    if !text.contains("\\u") && !text.contains("\\/") {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (spelled, length) = one_escape(rest);
        match spelled {
            Some('"') => out.push_str("\\\""),
            Some('\\') => out.push_str("\\\\"),
            Some(character) => out.push(character),
            None => out.push_str(&rest[..length]),
        }
        rest = &rest[length..];
    }
    out.push_str(rest);
    Some(out)
}

/// The character of the escape in front of the text, unless it stays as it is; and its length in bytes.
fn one_escape(text: &str) -> (Option<char>, usize) {
    match text.as_bytes().get(1) {
        Some(b'/') => (Some('/'), 2),
        Some(b'u') => match unicode_escape(text.as_bytes()) {
            Some((character, length)) => (Some(character).filter(|it| !it.is_control()), length),
            None => (None, 2),
        },
        _ => (None, 1 + text.chars().nth(1).map_or(0, char::len_utf8)),
    }
}

#[cfg(test)]
mod tests;
