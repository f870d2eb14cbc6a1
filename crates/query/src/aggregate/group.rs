//! The groups of `group_by`, and their names in the response.
//!
//! In: what the key finds in an item. Out: its groups, each once; later, a name for each of them. Numbers that are worth
//! the same are one group, and so is nothing with null; a text is never in the group of another kind. A name is the
//! value: a text as it is, everything else as JSON. Only a text that reads like another name of the same answer is
//! written in quotes.

use crate::item::FoundValue;
use crate::number::Number;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// A value to group by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum GroupKey {
    Text(String),
    /// Any other value as JSON, `null` for nothing. It never begins with a quote.
    Other(String),
}

impl GroupKey {
    fn of(value: &Value) -> GroupKey {
        match value {
            Value::String(text) => GroupKey::Text(text.clone()),
            other => GroupKey::Other(
                Number::of(other).map_or_else(|| other.to_string(), |number| number.to_json().to_string()),
            ),
        }
    }
}

/// The groups that an item is in, each once, as they are first seen.
pub(super) fn groups_of(found: &FoundValue) -> Vec<GroupKey> {
    let mut seen = HashSet::new();
    let groups = found.elements().map(GroupKey::of);
    let mut groups: Vec<GroupKey> = groups.filter(|group| seen.insert(group.clone())).collect();
    if groups.is_empty() {
        groups.push(GroupKey::of(&Value::Null));
    }
    groups
}

/// The names of all groups, in the order of their places. No two are the same.
pub(super) fn names(places: HashMap<GroupKey, usize>) -> Vec<String> {
    let quoted = quoted_texts(&places);
    let mut groups: Vec<(GroupKey, usize)> = places.into_iter().collect();
    groups.sort_by_key(|(_, place)| *place);
    let name = |group| match group {
        GroupKey::Text(text) if quoted.contains(&text) => in_quotes(&text),
        GroupKey::Text(text) | GroupKey::Other(text) => text,
    };
    groups.into_iter().map(|(group, _)| name(group)).collect()
}

/// The texts that read like the name of a value of another kind, or like such a text in its quotes.
fn quoted_texts(places: &HashMap<GroupKey, usize>) -> HashSet<String> {
    let mut quoted = HashSet::new();
    for group in places.keys() {
        let GroupKey::Other(name) = group else { continue };
        let mut text = GroupKey::Text(name.clone());
        while places.contains_key(&text) {
            let GroupKey::Text(plain) = text else { break };
            text = GroupKey::Text(in_quotes(&plain));
            quoted.insert(plain);
        }
    }
    quoted
}

fn in_quotes(text: &str) -> String {
    Value::from(text).to_string()
}
