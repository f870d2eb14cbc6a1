//! Words for values and types.
//!
//! Values in, short texts out: long values and long lists are shortened.

use jsonschema::error::TypeKind;
use serde_json::Value;

const SHOWN_CHARACTERS: usize = 80;
const SHOWN_OPTIONS: usize = 24;

/// The JSON type of a value, in the words of the types of parameters.
pub(super) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// The value as JSON, shortened; objects only by their kind.
pub(super) fn shown(value: &Value) -> String {
    if value.is_object() {
        return "object".to_owned();
    }
    let text = value.to_string();
    match text.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Options one after the other.
pub(super) fn list(options: &[Value]) -> String {
    let shown: Vec<String> = options.iter().take(SHOWN_OPTIONS).map(shown).collect();
    let rest = options.len().saturating_sub(SHOWN_OPTIONS);
    if rest == 0 { shown.join(", ") } else { format!("{} and {rest} more", shown.join(", ")) }
}

/// The types that a value may have, written as the types of parameters are.
pub(super) fn a_type(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(one) => one.as_str().to_owned(),
        TypeKind::Multiple(several) => joined(several.iter().map(|one| one.as_str().to_owned())),
    }
}

/// Alternatives, with the sign between them.
pub(super) fn joined(alternatives: impl Iterator<Item = String>) -> String {
    alternatives.collect::<Vec<_>>().join(" | ")
}
