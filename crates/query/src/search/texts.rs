//! The texts in an item.
//!
//! JSON in; each string value out, escapes decoded. Keys are not among them.

use crate::peek;

/// True when one of the texts in this JSON text is such a one.
pub(super) fn any_text(json: &str, such: impl Fn(&str) -> bool) -> bool {
    let mut open = vec![json];
    while let Some(value) = open.pop() {
        match value.as_bytes().first() {
            Some(b'{') => open.extend(peek::members(value).map(|(_, value)| value)),
            Some(b'[') => open.extend(peek::elements(value)),
            Some(b'"') if peek::text(value).is_some_and(|text| such(&text)) => return true,
            _ => {}
        }
    }
    false
}
