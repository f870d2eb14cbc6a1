//! One item of a collection, and the values that a request's keys find in it.
//!
//! In: an item's JSON text and a key, a dotted path or `_computed.NAME`. Out: the values there. A path leads through
//! arrays without saying so and may find several. Only what is found becomes a tree. Of a repeated member the last
//! one counts.

use crate::{compute, peek};
use aqueduct_operations::answers::{ComputedField, FieldPath};
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
mod tests {
    use super::{FoundValue, Item, ItemKey, find};
    use aqueduct_operations::answers::{ComputedExpression, ComputedField, FieldPath};
    use aqueduct_testkit::json::any_json;
    use jiff::Timestamp;
    use proptest::proptest;
    use serde_json::{Value, json};

    fn at(json: &str, path: &str) -> Vec<Value> {
        find(json, &FieldPath::parse(path).unwrap()).values
    }

    #[test]
    fn paths_lead_through_arrays() {
        let item = r#"{"a":{"b":[{"c":1},{"c":[2,3]},[{"c":4}],5,{"d":6}]},"e":null,"na\u006de":"x"}"#;
        assert_eq!(at(item, "a.b.c"), [json!(1), json!([2, 3]), json!(4)]);
        assert_eq!(at(item, "e"), [Value::Null]);
        assert_eq!(at(item, "name"), ["x"]);
        for nothing in ["x", "e.f", "a.x", "name.x", "a.b.c.d"] {
            assert!(at(item, nothing).is_empty(), "{nothing}");
        }
        let found = find(item, &FieldPath::parse("a.b.c").unwrap());
        assert!(found.through_array);
        assert_eq!(found.elements().cloned().collect::<Vec<_>>(), [1, 2, 3, 4]);
    }

    #[test]
    fn the_last_of_two_members_counts() {
        assert_eq!(at(r#"{"a":{"b":1},"a":{"b":2}}"#, "a.b"), [json!(2)]);
        assert!(at(r#"{"a":{"b":1},"a":null}"#, "a.b").is_empty());
    }

    #[test]
    fn computed_fields_are_worked_out() {
        let computed = [ComputedField {
            name: "tags".to_owned(),
            type_name: "number".to_owned(),
            description: None,
            filterable: true,
            sortable: true,
            value: ComputedExpression::Count(FieldPath::parse("tags").unwrap()),
        }];
        let item =
            Item::new(r#"{"tags":["a","b"],"_computed":{"tags":9}}"#, &computed, Timestamp::UNIX_EPOCH);
        assert_eq!(item.find(&ItemKey::parse("_computed.tags").unwrap()).values, [2]);
        assert_eq!(item.find(&ItemKey::parse("_computed.other").unwrap()), FoundValue::default());
    }

    /// The same on a tree, written the plain way.
    fn reference<'v>(value: &'v Value, names: &[String], out: &mut Vec<&'v Value>) {
        match (value, names) {
            (value, []) => out.push(value),
            (Value::Object(map), [name, rest @ ..]) => {
                if let Some(value) = map.get(name) {
                    reference(value, rest, out);
                }
            }
            (Value::Array(values), names) => values.iter().for_each(|value| reference(value, names, out)),
            _ => {}
        }
    }

    /// Names on some way down the tree, so that paths find something.
    fn some_path(value: &Value, mut turns: u64, names: &mut Vec<String>) {
        let next = match value {
            Value::Array(values) => values.get(turns as usize % values.len().max(1)),
            Value::Object(map) => map.iter().nth(turns as usize % map.len().max(1)).map(|(name, value)| {
                names.push(name.clone());
                value
            }),
            _ => None,
        };
        turns /= 3;
        if let Some(next) = next
            && !turns.is_multiple_of(5)
        {
            some_path(next, turns, names);
        }
    }

    proptest! {
        #[test]
        fn as_on_a_tree(value in any_json(), turns in proptest::num::u64::ANY) {
            let mut names = Vec::new();
            some_path(&value, turns, &mut names);
            if let Some(path) = FieldPath::parse(&names.join(".")) {
                let mut expected = Vec::new();
                reference(&value, path.names(), &mut expected);
                let found = find(&value.to_string(), &path);
                proptest::prop_assert_eq!(found.values.iter().collect::<Vec<_>>(), expected);
            }
        }

        #[test]
        fn any_text_is_survived(text in ".*") {
            find(&text, &FieldPath::parse("a.b").unwrap());
        }
    }
}
