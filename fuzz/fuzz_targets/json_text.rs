//! JSON of an API, read as text: fields, items, sizes. What is valid stays valid.

#![no_main]

use libfuzzer_sys::fuzz_target;

use aqueduct::serde_json::{Value, from_str, json};
use aqueduct_operations::response::FieldPath;
use aqueduct_query::{measure, merge, peek, select::Selection};

fuzz_target!(|input: (&str, &str)| {
    let (path, json) = input;
    let is_valid = from_str::<Value>(json).is_ok();
    measure::tokens(json);
    let Some(path) = FieldPath::parse(path) else { return };
    peek::value_at(json, &path);
    peek::text_at(json, &path);
    if let Some(items) = peek::items(json, Some(&path)) {
        items.take(1000).for_each(drop);
    }
    peek::members(json).take(1000).for_each(drop);
    let mut selected = String::new();
    Selection::new([&path]).select(json, &mut selected);
    let merged = merge::merge_text(json, &json!({ "a": null, "b": { "c": 1 } }));
    if is_valid {
        assert!(from_str::<Value>(&selected).is_ok(), "{selected}");
        assert!(from_str::<Value>(&merged).is_ok(), "{merged}");
    }
});
