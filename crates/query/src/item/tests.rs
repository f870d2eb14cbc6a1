//! Tests of `item`.

use super::{FoundValue, Item, ItemKey, find};
use crate::test_support::count_of;
use aqueduct_operations::response::FieldPath;
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
    let computed = [count_of("tags", "tags")];
    let item = Item::new(r#"{"tags":["a","b"],"_computed":{"tags":9}}"#, &computed, Timestamp::UNIX_EPOCH);
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
