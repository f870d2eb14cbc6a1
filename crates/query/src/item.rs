//! One item of a collection, and the values that a request's keys find in it.
//!
//! In: an item's JSON text and a key, a dotted path or `_computed.NAME`. Out: the values there. A path leads through
//! arrays without saying so and may find several. Only what is found becomes a tree. Of a repeated member the last
//! one counts.

use crate::{compute, peek};
use aqueduct_operations::response::{ComputedField, FieldPath};
use jiff::Timestamp;
use serde_json::Value;

/// What `_computed` fields begin with in a request.
const COMPUTED_PREFIX: &str = "_computed.";

/// An item, with what is needed to work out its computed fields.
#[derive(Debug, Clone, Copy)]
pub struct Item<'a> {
    json: &'a str,
    computed: &'a [ComputedField],
    now: Timestamp,
}

impl<'a> Item<'a> {
    /// An item's compact JSON text, the computed fields that its operation declares, and the time.
    pub fn new(json: &'a str, computed: &'a [ComputedField], now: Timestamp) -> Item<'a> {
        Item { json, computed, now }
    }

    /// Its text.
    pub fn json(&self) -> &'a str {
        self.json
    }

    /// What a key finds in it.
    pub(crate) fn find(&self, key: &ItemKey) -> FoundValue {
        match &key.place {
            ItemPath::Field(path) => find(self.json, path),
            ItemPath::Computed(name) => {
                let declared = self.computed.iter().find(|computed| computed.name == *name);
                let values = declared.map(|computed| compute::value(computed, self.json, self.now));
                FoundValue { values: values.into_iter().collect(), through_array: false }
            }
        }
    }
}

/// A field as a request names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemKey {
    text: String,
    place: ItemPath,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum ItemPath {
    Field(FieldPath),
    Computed(String),
}

impl ItemKey {
    /// Reads a dotted path or `_computed.NAME`. Nothing when a name in it is empty.
    pub fn parse(text: &str) -> Option<ItemKey> {
        let path = FieldPath::parse(text)?;
        let place = match text.strip_prefix(COMPUTED_PREFIX) {
            Some(name) => ItemPath::Computed(name.to_owned()),
            None => ItemPath::Field(path),
        };
        Some(ItemKey { text: text.to_owned(), place })
    }

    /// As the request has it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The name of the computed field, where it is one.
    pub fn computed(&self) -> Option<&str> {
        match &self.place {
            ItemPath::Computed(name) => Some(name),
            ItemPath::Field(_) => None,
        }
    }

    /// The path within an item, where it is no computed field.
    pub fn path(&self) -> Option<&FieldPath> {
        match &self.place {
            ItemPath::Field(path) => Some(path),
            ItemPath::Computed(_) => None,
        }
    }
}

/// What a path leads to.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct FoundValue {
    /// The values at the end of the path, in the order of the text. An array there is one value.
    pub(crate) values: Vec<Value>,
    /// The path led through an array, so that there may be any number of values.
    pub(crate) through_array: bool,
}

impl FoundValue {
    /// The values, with the elements of arrays in the place of the arrays.
    pub(crate) fn elements(&self) -> impl Iterator<Item = &Value> {
        let mut elements = Vec::new();
        self.values.iter().for_each(|value| push_elements(value, &mut elements));
        elements.into_iter()
    }

    /// True when there is something other than null.
    pub(crate) fn exists(&self) -> bool {
        self.values.iter().any(|value| !value.is_null())
    }
}

fn push_elements<'v>(value: &'v Value, elements: &mut Vec<&'v Value>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| push_elements(value, elements)),
        value => elements.push(value),
    }
}

/// What a path finds in JSON text; nothing in text that is not JSON.
pub(crate) fn find(json: &str, path: &FieldPath) -> FoundValue {
    let (mut reached, mut through_array) = (vec![json], false);
    for name in path.names() {
        through_array |= reached.iter().any(|value| value.starts_with('['));
        let objects = reached.into_iter().flat_map(without_arrays);
        reached = objects.filter_map(|object| peek::first_of(object, &[name.as_str()])).collect();
    }
    let values = reached.into_iter().filter_map(|value| serde_json::from_str(value).ok()).collect();
    FoundValue { values, through_array }
}

/// The value, or what is in its arrays, in the order of the text.
fn without_arrays(value: &str) -> Vec<&str> {
    let (mut open, mut rest) = (vec![value], Vec::new());
    while let Some(value) = open.pop() {
        if value.starts_with('[') {
            let before = open.len();
            open.extend(peek::elements(value));
            open[before..].reverse();
        } else {
            rest.push(value);
        }
    }
    rest
}

#[cfg(test)]
mod tests;
