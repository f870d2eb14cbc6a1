//! Deep merge of an update into what is stored, as RFC 7396 says (core 4.5.1).
//!
//! In: the text of what is stored, and a patch. Out: the text of what is to be stored. Objects merge member by member,
//! null removes, everything else (arrays too) replaces. What the patch does not touch keeps its place and every byte,
//! numbers their digits; of members with the same name the last one counts, in the place of the first.

use crate::scan::{MemberName, ObjectMembers};
use serde_json::Value;
use std::collections::HashMap;

/// The text of the target, which is compact JSON, with the patch applied.
pub fn merge_text(target: &str, patch: &Value) -> String {
    let mut out = String::with_capacity(target.len());
    write_merged(target, patch, &mut out);
    out
}

/// The text of the patch alone, each object in it merged into what the target has under its name. What is null goes out as
/// null: the receiver removes it.
pub fn merge_given(target: &str, patch: &Value) -> String {
    let Value::Object(changes) = patch else { return patch.to_string() };
    let stored = StoredText::read(target);
    let mut out = String::new();
    for (name, change) in changes {
        write_key(&Value::from(name.as_str()).to_string(), 0, &mut out);
        let place = stored.places.get(name).and_then(|place| stored.members.get(*place));
        match (change, place) {
            (Value::Object(_), Some((_, value))) => write_merged(value, change, &mut out),
            _ => out.push_str(&change.to_string()),
        }
    }
    out.push_str(if out.is_empty() { "{}" } else { "}" });
    out
}

fn write_merged(target: &str, patch: &Value, out: &mut String) {
    let Value::Object(changes) = patch else {
        out.push_str(&patch.to_string());
        return;
    };
    let stored = StoredText::read(target);
    let start = out.len();
    for (key, value) in &stored.members {
        match changes.get(key.name().as_ref()) {
            None => {
                write_key(key.quoted, start, out);
                out.push_str(value);
            }
            Some(Value::Null) => {}
            Some(change) => {
                write_key(key.quoted, start, out);
                write_merged(value, change, out);
            }
        }
    }
    for (name, change) in changes {
        if !change.is_null() && !stored.places.contains_key(name) {
            write_key(&Value::from(name.as_str()).to_string(), start, out);
            write_merged("null", change, out);
        }
    }
    out.push_str(if out.len() == start { "{}" } else { "}" });
}

/// The beginning of a member in the object that starts here.
fn write_key(quoted: &str, start: usize, out: &mut String) {
    out.push(if out.len() == start { '{' } else { ',' });
    out.push_str(quoted);
    out.push(':');
}

/// The members of what is stored, each name once; none for what is no object.
#[derive(Default)]
struct StoredText<'a> {
    members: Vec<(MemberName<'a>, &'a str)>,
    places: HashMap<String, usize>,
}

impl<'a> StoredText<'a> {
    fn read(target: &'a str) -> StoredText<'a> {
        let mut stored = StoredText::default();
        for (key, value) in ObjectMembers::of(target) {
            let place = *stored.places.entry(key.name().into_owned()).or_insert(stored.members.len());
            match stored.members.get_mut(place) {
                Some(member) => member.1 = value,
                None => stored.members.push((key, value)),
            }
        }
        stored
    }
}

#[cfg(test)]
mod tests;
