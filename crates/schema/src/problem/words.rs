//! Words for values and types.
//!
//! Values in, short texts out: long values and long lists are shortened.

use serde_json::Value;

const SHOWN_CHARACTERS: usize = 80;
const SHOWN_OPTIONS: usize = 24;
/// Characters of a text of the schema, such as a pattern.
const SHOWN_TEXT: usize = 400;

/// The value as JSON, shortened; objects only by their kind.
pub(crate) fn shown(value: &Value) -> String {
    let text = match value {
        Value::Object(_) => return "object".to_owned(),
        // No more of a long one is written than is shown.
        Value::String(text) => {
            Value::from(text.chars().take(SHOWN_CHARACTERS + 1).collect::<String>()).to_string()
        }
        Value::Array(items) if items.len() > SHOWN_CHARACTERS => return format!("{} items", items.len()),
        other => other.to_string(),
    };
    cut(text, SHOWN_CHARACTERS)
}

/// Options one after the other, of which there are more than are given.
pub(crate) fn list<'v>(options: impl ExactSizeIterator<Item = &'v Value>, more: usize) -> String {
    let rest = options.len().saturating_sub(SHOWN_OPTIONS) + more;
    let shown: Vec<String> = options.take(SHOWN_OPTIONS).map(shown).collect();
    if rest == 0 { shown.join(", ") } else { format!("{} and {rest} more", shown.join(", ")) }
}

/// A number of things.
pub(crate) fn counted(number: u64, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

/// A number of properties.
pub(crate) fn properties(number: u64) -> String {
    if number == 1 { "1 property".to_owned() } else { format!("{number} properties") }
}

/// A text of the schema, shortened.
pub(crate) fn short(text: &str) -> String {
    cut(text.to_owned(), SHOWN_TEXT)
}

fn cut(mut text: String, most: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(most) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// Alternatives, such as types, with the sign between them.
pub(crate) fn joined<'t>(alternatives: impl Iterator<Item = &'t str>) -> String {
    alternatives.collect::<Vec<_>>().join(" | ")
}
