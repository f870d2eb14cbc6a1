//! Checking, and documents and values without end.
//!
//! Whole schemas as callers use them: rule by rule, as deep as they can be, and shared between threads.

use crate::depth::dismantle;
use crate::{LazySchema, from_schema};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn nested(levels: usize, name: &str, innermost: Value) -> Value {
    let around = |inner| Value::Object(Map::from_iter([(name.to_owned(), inner)]));
    (0..levels).fold(innermost, |inner, _| around(inner))
}

/// S-schema-1 S-schema-2 S-schema-7 S-schema-20 S-registry-7: an object with a required name.
#[test]
fn an_object_with_a_required_name() {
    let schema = from_schema(&json!({
        "type": "object",
        "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
        "required": ["name"]
    }));
    assert!(schema.accepts(&json!({"name": "a"})));
    assert!(schema.accepts(&json!({"name": "a", "age": 3})));
    assert!(!schema.accepts(&json!({})));
    assert!(!schema.accepts(&json!({"name": 1})));
}

/// S-schema-3: the branches of `allOf` all count, each with its own properties.
#[test]
fn all_branches_count() {
    let schema = from_schema(&json!({"allOf": [
        {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
        {"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]}
    ]}));
    assert!(schema.accepts(&json!({"a": "x", "b": "y"})));
    for wrong in [json!({"a": "x"}), json!({"b": "y"}), json!({"a": "x", "b": 1})] {
        assert!(!schema.accepts(&wrong), "{wrong}");
    }
}

/// S-schema-4 S-schema-6 S-schema-9 S-schema-10 S-schema-14 S-schema-15 S-schema-16: one rule after the other.
#[test]
fn each_rule_checks() {
    for (document, fitting, other) in [
        (json!({"anyOf": [{"type": "string"}, {"type": "null"}]}), json!(null), json!(1)),
        (json!({"enum": ["a", 1]}), json!(1), json!("b")),
        (json!({"const": {"a": 1}}), json!({"a": 1}), json!({"a": 2})),
        (json!({"type": "array", "items": {"type": "string"}}), json!(["a"]), json!(["a", 1])),
        (json!({"type": "integer"}), json!(1), json!(1.5)),
        (json!({"type": "number", "minimum": 1}), json!(1.5), json!(0.5)),
        (json!({"type": "boolean"}), json!(true), json!("true")),
        (json!({"type": "null"}), json!(null), json!(0)),
        (json!({"type": "string", "maxLength": 1}), json!("a"), json!("ab")),
    ] {
        let schema = from_schema(&document);
        assert!(schema.accepts(&fitting), "{document}");
        assert!(!schema.accepts(&other), "{document}");
    }
}

/// Decision 22: exactly one branch when input is checked, S-schema-5: any when a value is fitted.
#[test]
fn one_of_is_strict_for_input_and_lenient_for_fitting() {
    let schema = from_schema(
        &json!({"properties": {"a": {"anyOf": [{"oneOf": [{"type": "number"}, {"minimum": 1}]}]}}}),
    );
    let both = json!({"a": 2});
    assert!(!schema.accepts(&both));
    assert_eq!(schema.problems(&both).len(), 1);
    assert_eq!(schema.normalise(&both).mismatches, []);
    assert_eq!(schema.normalise(&json!({"a": "x"})).mismatches, []);
    assert_eq!(
        from_schema(&json!({"oneOf": [{"type": "number"}]})).normalise(&json!("x")).mismatches.len(),
        1
    );
}

/// S-schema-17: 100,000 levels of schema are cut, not followed.
#[test]
fn endless_documents_are_cut() {
    for keyword in ["not", "items", "properties", "allOf", "x"] {
        let levels = nested(100_000, keyword, json!({"type": "string"}));
        let mut document = json!({"required": ["a"]});
        document[keyword] = if keyword == "allOf" { Value::Array(vec![levels]) } else { levels };
        let schema = from_schema(&document);
        assert!(!schema.accepts(&json!({})), "{keyword}");
        schema.node();
        schema.normalise(&json!({"a": 1}));
        let lazy = LazySchema::new(|| nested(100_000, "items", json!({})));
        assert!(lazy.get().accepts(&json!("x")));
        dismantle(document);
    }
}

#[test]
fn endless_values_are_refused() {
    let schema = from_schema(&json!({"type": "object", "properties": {"a": {"$ref": "#"}}}));
    let value = nested(100_000, "a", json!({}));
    assert!(!schema.accepts(&value));
    assert_eq!(schema.problems(&value)[0].keyword, "depth");
    assert_eq!(schema.normalise(&value).mismatches[0].keyword, "depth");
    dismantle(value);
    let parsed = nested(127, "a", json!({}));
    assert!(schema.accepts(&parsed));
    assert_eq!(schema.normalise(&parsed).value, parsed);
}

/// As deep as a schema can be, on the stack of a thread that serves calls.
#[test]
fn the_deepest_schema_and_value_fit_on_a_small_stack() {
    let deep = std::thread::Builder::new().stack_size(2 * 1024 * 1024).spawn(|| {
        for keyword in ["not", "items", "additionalProperties", "if", "contains"] {
            let schema = from_schema(&nested(155, keyword, json!({"type": "string"})));
            schema.node();
            schema.normalise(&nested(155, "a", json!(1)));
        }
        let everywhere = json!({"properties": {"a": {"oneOf": [{"$ref": "#"}, {"type": "array", "items": {"$ref": "#"}}]}}});
        let schema = from_schema(&everywhere);
        let value = nested(250, "a", json!([]));
        schema.problems(&value);
        schema.normalise(&value);
        schema.normalise(&nested(250, "a", json!(1)));
    });
    assert!(deep.expect("a thread").join().is_ok());
}

#[test]
fn a_lazy_schema_is_made_once() {
    let made = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&made);
    let lazy = LazySchema::new(move || {
        counter.fetch_add(1, Ordering::Relaxed);
        json!({"type": "string"})
    });
    assert_eq!(made.load(Ordering::Relaxed), 0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert!(lazy.get().accepts(&json!("a")) && !lazy.get().accepts(&json!(1))));
        }
    });
    assert_eq!(lazy.document(), json!({"type": "string"}));
    assert_eq!(made.load(Ordering::Relaxed), 1);
    assert_eq!(LazySchema::of(json!({"a": 1})).document(), json!({"a": 1}));
}

#[test]
fn schemas_serve_many_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<crate::Schema>();
    shared::<LazySchema>();
}
