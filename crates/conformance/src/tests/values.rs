//! Values made from descriptions, and texts made from patterns.

use crate::catalog::chosen;
use crate::operation::Operation;
use crate::{pattern, sample_value};
use serde_json::{Value, json};

fn operation(parameter: Value) -> Operation {
    let raw = json!({"name": "get_thing", "parameters": [parameter], "examples": [{"request": {"operation": "get_thing", "params": {"given": "g"}}}]});
    Operation::read(&raw).unwrap()
}

/// X-conf-25: a value is made of what introspection says of a parameter, and of nothing else.
#[test]
fn right_values() {
    for (description, expected) in [
        (json!({"name": "given", "type": "string"}), json!("g")),
        (json!({"name": "p", "type": "string", "enum": ["b", "a"]}), json!("b")),
        (json!({"name": "p", "type": "integer", "default": 7}), json!(7)),
        (json!({"name": "p", "type": "integer"}), json!(1)),
        (json!({"name": "p", "type": "integer", "minimum": 5}), json!(5)),
        (json!({"name": "p", "type": "integer", "minimum": -5, "maximum": -2}), json!(-5)),
        (json!({"name": "p", "type": "integer", "maximum": 0}), json!(0)),
        (json!({"name": "p", "type": "number", "minimum": 0.5}), json!(1.0)),
        (json!({"name": "p", "type": "boolean"}), json!(false)),
        (json!({"name": "p", "type": "string", "maxLength": 3}), json!("con")),
        (json!({"name": "p", "type": "string", "minLength": 13}), json!("conformancexx")),
        (json!({"name": "p", "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}$"}), json!("1111-11")),
        (json!({"name": "p", "type": "string", "format": "date"}), json!("2026-02-04")),
        (json!({"name": "p", "type": "string | string[]"}), json!("conformance")),
        (json!({"name": "p", "type": "string[]"}), json!([])),
        (json!({"name": "p", "type": "array", "items": {"type": "integer"}}), json!([1])),
        (json!({"name": "p", "type": "object"}), json!({})),
    ] {
        let operation = operation(description.clone());
        assert_eq!(sample_value::right(&operation, &operation.parameters[0]), expected, "{description}");
    }
}

#[test]
fn wrong_values_break_one_constraint_each() {
    let description = json!({"name": "p", "type": "integer", "minimum": 1, "maximum": 20});
    assert_eq!(
        sample_value::wrong(&operation(description).parameters[0]),
        [("minimum", json!(0)), ("maximum", json!(21))]
    );
    let description =
        json!({"name": "p", "type": "string", "minLength": 1, "maxLength": 2, "format": "email"});
    let found = sample_value::wrong(&operation(description).parameters[0]);
    assert_eq!(
        found,
        [("minLength", json!("")), ("maxLength", json!("xxx")), ("format", json!("of no format"))]
    );
    assert!(sample_value::wrong(&operation(json!({"name": "p", "type": "string"})).parameters[0]).is_empty());
}

#[test]
fn texts_match_their_patterns() {
    for pattern in [
        "^[a-z][a-z0-9_]*$",
        r"^\d{3}-\d{4}$",
        "^(red|green)$",
        "a+b?c{2,5}",
        "^[^a-z]$",
        r"^\p{Greek}+$",
        "x",
    ] {
        let text = pattern::matching(pattern).unwrap();
        assert!(regex::Regex::new(pattern).unwrap().is_match(&text), "{pattern}: {text}");
    }
    assert_eq!(pattern::matching("(?=a)b"), None);
    assert_eq!(pattern::matching("a{5000}"), None);
}

/// Names of things are found with or without the name of a source before them.
#[test]
fn verbs_and_nouns() {
    let words = |name: &str| {
        let operation = Operation::read(&json!({"name": name})).unwrap();
        let (verb, noun) = operation.words();
        (verb.to_owned(), noun, operation.source().to_owned())
    };
    assert_eq!(words("shop__list_books"), ("list".to_owned(), "book".to_owned(), "shop".to_owned()));
    assert_eq!(words("get_pet_by_id"), ("get".to_owned(), "pet".to_owned(), String::new()));
    assert_eq!(words("introspect"), ("introspect".to_owned(), String::new(), String::new()));
}

/// Of thousands of operations a sample is examined: introspection, some of every category, and the same ones every time.
#[test]
fn a_sample_of_many() {
    let categories = ["EXECUTE", "DELETE", "UPDATE", "CREATE", "READ"];
    let item =
        |number: usize| json!({"name": format!("do_{number}"), "semantic_category": categories[number % 5]});
    let mut listed: Vec<Value> = (0..2_000).map(item).collect();
    listed.push(json!({"name": "list_things", "semantic_category": "READ"}));
    listed.push(json!({"name": "introspect", "semantic_category": "READ"}));
    let names = chosen(&listed, 40);
    assert_eq!(names.len(), 40);
    assert_eq!(names[0], "introspect");
    assert!(names.contains(&"list_things"));
    assert_eq!(names, chosen(&listed, 40));
    for category in categories {
        let of_category = |item: &&Value| {
            item["semantic_category"] == category && names.iter().any(|name| item["name"] == *name)
        };
        assert!(listed.iter().filter(of_category).count() >= 7, "{category}");
    }
    assert_eq!(chosen(&listed, 5_000).len(), 2_002, "few enough are all examined");
}
