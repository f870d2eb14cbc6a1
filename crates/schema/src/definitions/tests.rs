//! Tests of `definitions`.

use super::{DefinitionLimits, complete, names, part_of, reach};
use crate::from_schema;
use serde_json::{Value, json};

fn chain(name: &str) -> Option<Value> {
    let number: usize = name.strip_prefix('S')?.parse().ok()?;
    Some(
        json!({"properties": {"next": {"$ref": format!("#/$defs/S{}", number + 1)}, "back": {"$ref": "#/$defs/S0"}}}),
    )
}

/// The nearest definitions stay, the next ones accept anything, and nothing leads to a place that is not there.
#[test]
fn the_nearest_come_first() {
    let most = DefinitionLimits { definitions: 10, size: usize::MAX };
    let reached = reach(names(&json!({"items": {"$ref": "#/$defs/S0"}})), most, &mut chain);
    assert_eq!(reached.definitions.len(), 11);
    assert_eq!(reached.definitions["S10"], json!(true));
    assert_eq!(reached.cut, ["S10"]);
    let by_size = DefinitionLimits { definitions: usize::MAX, size: 200 };
    let reached = reach(names(&json!({"$ref": "#/$defs/S0"})), by_size, &mut chain);
    assert!(reached.definitions.len() < 10 && reached.cut.len() == 1, "{reached:?}");
}

/// A name that means nothing is passed over, and what is referred to twice is looked up once.
#[test]
fn each_is_looked_up_once() {
    let mut asked = Vec::new();
    let mut find = |name: &str| {
        asked.push(name.to_owned());
        (name != "C")
            .then(|| json!({"anyOf": [{"$ref": "#/$defs/B"}, {"$ref": "#/$defs/C"}, {"$ref": "#/$defs/A"}]}))
    };
    let reached = reach(["A".to_owned()].into(), DefinitionLimits::ALL, &mut find);
    assert_eq!(reached.definitions.keys().collect::<Vec<_>>(), ["A", "B"]);
    assert!(asked.iter().filter(|name| *name != "C").count() == 2, "{asked:?}");
}

/// What a schema leads to comes along; its own definitions stay.
#[test]
fn schemas_become_complete() {
    let mut schema =
        json!({"items": {"$ref": "#/$defs/S0"}, "not": {"$ref": "#/$defs/Own"}, "$defs": {"Own": false}});
    let limits = DefinitionLimits { definitions: 1, size: usize::MAX };
    let cut = complete(&mut schema, limits, &mut chain);
    assert_eq!(cut, ["S1"]);
    assert_eq!(schema["$defs"]["Own"], json!(false));
    assert_eq!(schema["$defs"]["S1"], json!(true));
    let mut plain = json!({"type": "string"});
    assert!(complete(&mut plain, limits, &mut chain).is_empty());
    assert_eq!(plain, json!({"type": "string"}));
}

/// A part keeps the version and the definitions that it needs, in either spelling, and nothing else.
#[test]
fn a_part_is_a_document() {
    let document = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"a": {"$ref": "#/definitions/A"}},
        "definitions": {"A": {"items": {"$ref": "#/definitions/B"}}, "B": {"enum": [{"$ref": "#/x"}]}, "C": {}},
    });
    let part = part_of(&document, &document["properties"]["a"]);
    assert_eq!(part["$schema"], document["$schema"]);
    let names: Vec<&String> = part["definitions"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["A", "B"]);
}

/// A reference to another place takes the whole document along.
#[test]
fn a_part_may_refer_to_any_place() {
    let document =
        json!({"properties": {"$schema": {"type": "string"}, "b": {"$ref": "#/properties/$schema"}}});
    let part = from_schema(&part_of(&document, &document["properties"]["b"]));
    assert!(part.accepts(&json!("x")) && !part.accepts(&json!(1)));
}
