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
        out.push_str(spelled.encode(&rest[..length]).as_str());
        rest = &rest[length..];
    }
    out.push_str(rest);
    Some(out)
}

/// What an escape stands for.
enum EscapeMeaning {
    /// A character that needs no escape.
    Plain(char),
    /// A character that needs its short escape.
    Short(&'static str),
    /// Itself.
    AsItIs,
}

impl EscapeMeaning {
    fn encode(&self, escape: &str) -> String {
        match self {
            EscapeMeaning::Plain(character) => character.to_string(),
            EscapeMeaning::Short(short) => (*short).to_owned(),
            EscapeMeaning::AsItIs => escape.to_owned(),
        }
    }
}

/// The escape in front of the text, and its length in bytes.
fn one_escape(text: &str) -> (EscapeMeaning, usize) {
    let after = text.chars().nth(1).map_or(0, char::len_utf8);
    match text.as_bytes().get(1) {
        Some(b'/') => (EscapeMeaning::Plain('/'), 2),
        Some(b'u') => match unicode_escape(text.as_bytes()) {
            Some(('"', length)) => (EscapeMeaning::Short("\\\""), length),
            Some(('\\', length)) => (EscapeMeaning::Short("\\\\"), length),
            Some((character, length)) if !character.is_control() => (EscapeMeaning::Plain(character), length),
            Some((_, length)) => (EscapeMeaning::AsItIs, length),
            None => (EscapeMeaning::AsItIs, 2),
        },
        _ => (EscapeMeaning::AsItIs, 1 + after),
    }
}

#[cfg(test)]
mod tests;
