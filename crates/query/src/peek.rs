//! Reads pieces of JSON text: the items of a response, the value at a path, the members of an object.
//!
//! Valid compact JSON in, slices of it out; no tree is built. Text that is something else gives nothing, or an early
//! end, and never a panic. Of members with the same name the last one counts, as in a parsed tree.

use crate::scan;
pub use crate::scan::ArrayElements;
use aqueduct_operations::response::{FieldPath, ITEM_FIELDS};
use std::borrow::Cow;
use std::collections::HashMap;

/// What stands beside the items of a response, as a list.
const BESIDE_ITEMS: [&str; 5] = ["errors", "warnings", "messages", "notices", "links"];

/// Names of an object that holds what a response is about, besides the usual names of items.
const CONTENT_FIELDS: [&str; 4] = ["result", "response", "payload", "content"];

/// The elements of the array in a response: the response itself when it is one; else what is at the declared path; else,
/// with none declared, the first array by the usual names, or the only array there is. `BESIDE_ITEMS` are no such array where
/// there is another one, or an object that may hold the items.
pub fn items<'a>(json: &'a str, path: Option<&FieldPath>) -> Option<ArrayElements<'a>> {
    let array = match path {
        _ if is_array(json) => Some(json),
        Some(path) => value_at(json, path).filter(|value| is_array(value)),
        None => likely_items(json),
    };
    array.map(elements)
}

fn likely_items(json: &str) -> Option<&str> {
    let members: HashMap<Cow<'_, str>, &str> = members(json).collect();
    let array = |name: &str| members.get(name).copied().filter(|value| is_array(value));
    if let Some(found) = ITEM_FIELDS.into_iter().find_map(array) {
        return Some(found);
    }
    let is_beside = |name: &str| BESIDE_ITEMS.contains(&name);
    let arrays = || members.iter().filter(|(_, value)| is_array(value));
    let mut named = arrays().filter(|(name, _)| !is_beside(name));
    if let Some((_, only)) = named.next() {
        return named.next().is_none().then_some(only);
    }
    let is_content = |name: &&str| members.get(*name).is_some_and(|value| value.starts_with('{'));
    if ITEM_FIELDS.iter().chain(&CONTENT_FIELDS).any(is_content) {
        return None;
    }
    let mut beside = arrays();
    let (_, only) = beside.next()?;
    beside.next().is_none().then_some(only)
}

fn is_array(json: &str) -> bool {
    json.starts_with('[')
}

/// The text of the value at this path of an object. It leads through objects only.
pub fn value_at<'a>(json: &'a str, path: &FieldPath) -> Option<&'a str> {
    path.names().iter().try_fold(json, |value, name| member(value, name))
}

/// The value at the first of these dotted paths that is there; null is something that is there.
pub fn first_of<'a>(json: &'a str, paths: &[&str]) -> Option<&'a str> {
    paths.iter().find_map(|path| path.split('.').try_fold(json, member))
}

/// The text at this path, as `text` gives it.
pub fn text_at<'a>(json: &'a str, path: &FieldPath) -> Option<Cow<'a, str>> {
    value_at(json, path).and_then(text)
}

/// A JSON value as text: a string without quotes and escapes, a number or boolean as it is written. Nothing for null,
/// arrays and objects.
pub fn text(json: &str) -> Option<Cow<'_, str>> {
    match json.as_bytes().first()? {
        b'"' if json.contains('\\') => scan::decoded(json).map(Cow::Owned),
        b'"' => json.strip_prefix('"')?.strip_suffix('"').map(Cow::Borrowed),
        b'{' | b'[' | b'n' => None,
        _ => Some(Cow::Borrowed(json)),
    }
}

/// The text of the member with this name.
fn member<'a>(object: &'a str, name: &str) -> Option<&'a str> {
    scan::ObjectMembers::of(object).filter(|(key, _)| key.name() == name).last().map(|(_, value)| value)
}

/// The members of an object, in order: the name, and the text of the value. Nothing for what is no object.
pub fn members(object: &str) -> impl Iterator<Item = (Cow<'_, str>, &str)> {
    scan::ObjectMembers::of(object).map(|(key, value)| (key.name(), value))
}

/// The elements of an array, in order, each as its text. Nothing for what is no array.
pub fn elements(array: &str) -> ArrayElements<'_> {
    ArrayElements::of(array)
}

/// How large each member of an object is by this measure of a value's text, the largest first.
pub fn field_sizes(object: &str, size: impl Fn(&str) -> u64) -> Vec<(Cow<'_, str>, u64)> {
    let mut sizes: Vec<_> = members(object).map(|(name, value)| (name, size(value))).collect();
    sizes.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    sizes
}

/// This object with one more member behind the others, in place of those with the same name. The value is JSON text.
/// What is no object counts as an empty one.
pub fn push_member(object: &str, name: &str, value: &str) -> String {
    let quoted = serde_json::Value::from(name).to_string();
    let mut out = String::with_capacity(object.len() + quoted.len() + value.len() + 2);
    out.push('{');
    for (key, value) in scan::ObjectMembers::of(object).filter(|(key, _)| key.name() != name) {
        push_pair(&mut out, key.quoted, value);
    }
    push_pair(&mut out, &quoted, value);
    out.push('}');
    out
}

fn push_pair(out: &mut String, key: &str, value: &str) {
    if out.len() > 1 {
        out.push(',');
    }
    for piece in [key, ":", value] {
        out.push_str(piece);
    }
}

#[cfg(test)]
mod tests;
