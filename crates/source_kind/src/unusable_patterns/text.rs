//! The patterns in the JSON text of a document, without parsing it: most documents have none that cannot be used.
//!
//! Text in; the patterns that cannot be used with their places out. Places are worked out only when there are some.

use super::{Judge, Unusable};
use crate::schema_references::is_data;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;

const PATTERN: &str = "\"pattern\"";
const BY_PATTERN: &str = "\"patternProperties\"";

/// The patterns of a document that cannot be used.
pub fn in_text(text: &str, judge: &mut Judge) -> Vec<Unusable> {
    let mut suspects: Vec<(usize, &'static str)> = Vec::new();
    for (at, _) in text.match_indices(PATTERN) {
        let Some(value) = value_after(text, at + PATTERN.len()).filter(|value| value.starts_with('"')) else {
            continue;
        };
        let pattern = first::<String>(value);
        suspects.extend(pattern.and_then(|pattern| Some((at, judge.words(&pattern)?))));
    }
    for (at, _) in text.match_indices(BY_PATTERN) {
        let Some(value) = value_after(text, at + BY_PATTERN.len()).filter(|value| value.starts_with('{'))
        else {
            continue;
        };
        let named = first::<BTreeMap<String, IgnoredAny>>(value).unwrap_or_default();
        suspects.extend(named.keys().filter_map(|pattern| Some((at, judge.words(pattern)?))));
    }
    if suspects.is_empty() {
        return Vec::new();
    }
    suspects.sort_unstable();
    placed(text, &suspects)
}

/// What follows a key, from its first character on.
fn value_after(text: &str, end: usize) -> Option<&str> {
    text.get(end..)?.trim_start().strip_prefix(':').map(str::trim_start)
}

/// The first value of a text; what follows it does not matter.
fn first<T: serde::de::DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::Deserializer::from_str(text).into_iter().next()?.ok()
}

/// A step on the way to a place.
enum Step {
    Key(String),
    Index(usize),
}

/// Walks through the text once, and keeps the way to where it is. What stands in data or in a text is no pattern.
fn placed(text: &str, suspects: &[(usize, &'static str)]) -> Vec<Unusable> {
    let bytes = text.as_bytes();
    let mut way: Vec<Step> = Vec::new();
    let mut found = Vec::new();
    let (mut at, mut next) = (0, 0);
    while let Some(&(suspect, words)) = suspects.get(next) {
        let Some(byte) = bytes.get(at) else { break };
        match byte {
            b'{' => way.push(Step::Key(String::new())),
            b'[' => way.push(Step::Index(0)),
            b'}' | b']' => {
                way.pop();
            }
            b',' => {
                if let Some(Step::Index(index)) = way.last_mut() {
                    *index += 1;
                }
            }
            b'"' => {
                let end = end_of_string(bytes, at);
                let is_key = matches!(way.last(), Some(Step::Key(_))) && value_after(text, end).is_some();
                if is_key {
                    let key = text.get(at..end).and_then(first::<String>).unwrap_or_default();
                    if let Some(Step::Key(last)) = way.last_mut() {
                        *last = key;
                    }
                    if at == suspect && !is_in_data(&way) {
                        found.push(Unusable::new(path_of(&way), words));
                    }
                }
                at = end;
                while suspects.get(next).is_some_and(|(suspect, _)| *suspect < at) {
                    next += 1;
                }
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// A property may be called like a keyword whose value is data, but only a schema stands below `properties`.
fn is_in_data(way: &[Step]) -> bool {
    let named = |index: usize| matches!(way.get(index), Some(Step::Key(key)) if key == "properties");
    way.iter().enumerate().any(|(index, step)| {
        let is_name = index > 0 && named(index - 1);
        matches!(step, Step::Key(key) if !is_name && (is_data(key) || key.starts_with("x-")))
    })
}

fn path_of(way: &[Step]) -> String {
    let mut place = String::new();
    for step in way {
        match step {
            Step::Index(index) => place.push_str(&format!("[{index}]")),
            Step::Key(key) if place.is_empty() => place.push_str(key),
            Step::Key(key) => place.push_str(&format!(".{key}")),
        }
    }
    place
}
