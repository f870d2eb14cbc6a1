//! Numbers that no machine number holds, such as `1e400`: JSON allows them, and most readers choke on them.
//!
//! JSON text in; the same text with such numbers in quotes out, and how many there are. Text in strings is left alone.

use crate::json_text::{JsonTokenKind, JsonTokens};

/// The text with numbers beyond all range in quotes.
pub(super) fn quoted(text: &str) -> (String, usize) {
    let mut out = String::with_capacity(text.len() + 16);
    let (mut copied, mut count) = (0, 0);
    for token in JsonTokens::of(text.as_bytes()).filter(|token| token.kind == JsonTokenKind::Number) {
        let number = &text[token.start..token.end];
        if number.parse::<f64>().is_ok_and(f64::is_infinite) {
            out.push_str(&text[copied..token.start]);
            out.extend(["\"", number, "\""]);
            copied = token.end;
            count += 1;
        }
    }
    out.push_str(&text[copied..]);
    (out, count)
}

#[cfg(test)]
mod tests;
