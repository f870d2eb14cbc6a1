//! Whatever is in a document, the rest of it is still checked.
//!
//! Documents with bad patterns, endless references or anything at all go in: each compiles, and what is sound in it
//! still refuses values.

use super::{CheckLevel, compile};
use crate::from_schema;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::{collection, proptest};
use serde_json::{Map, Value, json};

/// One bad keyword deep inside is left out alone.
#[test]
fn a_pattern_that_no_engine_takes_is_left_out_alone() {
    let schema = from_schema(&json!({
        "type": "object",
        "required": ["a"],
        "properties": {
            "a": {"type": "array", "items": {"properties": {"b": {"type": "string", "pattern": "(", "maxLength": 3}}}},
            "c": {"type": "string", "pattern": "^x+$"}
        }
    }));
    assert!(schema.accepts(&json!({"a": [{"b": "abc"}], "c": "xx"})));
    for wrong in
        [json!({"a": [{"b": "abcd"}]}), json!({"a": [{"b": 1}]}), json!({}), json!({"a": [], "c": "y"})]
    {
        assert!(!schema.accepts(&wrong), "{wrong}");
    }
}

#[test]
fn a_name_pattern_that_no_engine_takes_opens_its_object_only() {
    let schema = from_schema(&json!({
        "properties": {
            "a": {"patternProperties": {"(": {"type": "string"}, "^n": {"type": "number"}}, "additionalProperties": false},
            "b": {"patternProperties": {"^n": {"type": "number"}}, "additionalProperties": false}
        }
    }));
    assert!(schema.accepts(&json!({"a": {"other": 1, "n": 1}})));
    assert!(!schema.accepts(&json!({"a": {"n": "text"}})));
    assert!(!schema.accepts(&json!({"b": {"other": 1}})));
}

#[test]
fn patterns_that_look_around_are_checked_with_a_limit() {
    let schema = from_schema(&json!({"type": "string", "pattern": "^(?!forbidden)[a-z]+$"}));
    assert!(schema.accepts(&json!("allowed")));
    assert!(!schema.accepts(&json!("forbidden")));
    let hostile = from_schema(&json!({"type": "string", "pattern": "^(?=(a+)+$)\\1b$"}));
    assert!(!hostile.accepts(&json!("a".repeat(60) + "!")));
}

#[test]
fn patterns_of_other_dialects_are_understood() {
    let schema = from_schema(&json!({"pattern": "^\\d{3}-\\p{Lu}$"}));
    assert!(schema.accepts(&json!("123-A")));
    assert!(!schema.accepts(&json!("123-a")));
    // A pattern that could take exponential time elsewhere.
    let linear = from_schema(&json!({"pattern": "^(a+)+$"}));
    assert!(!linear.accepts(&json!("a".repeat(5_000) + "!")));
}

/// What is sent is held against the formats that can be told; what came is not, and other names are for information.
#[test]
fn formats_of_what_is_sent() {
    let schema = from_schema(&json!({"properties": {
        "id": {"format": "uuid"}, "n": {"format": "int64"}, "host": {"format": "ipv4"},
        "on": {"type": "string", "format": "date"}, "when": {"type": ["string", "null"], "format": "date-time"},
    }}));
    let good = json!({"id": "123e4567-e89b-12d3-a456-426614174000", "n": "anything", "host": "anything",
        "on": "2026-02-04", "when": null});
    assert!(schema.accepts(&good));
    for (name, value) in [("id", "no"), ("on", "04/02/2026"), ("when", "yesterday")] {
        let bad = json!({ name: value });
        assert!(!schema.accepts(&bad), "{name}");
        let [problem] = schema.problems(&bad).try_into().unwrap();
        assert_eq!((problem.place.as_str(), problem.keyword.as_str()), (name, "format"));
        assert_eq!(problem.received, format!("\"{value}\""));
        assert_eq!(schema.normalise(&bad).value, bad);
        assert!(schema.normalise(&bad).mismatches.is_empty(), "an answer is passed on as it came");
    }
    let [problem] = schema.problems(&json!({"on": "soon"})).try_into().unwrap();
    assert_eq!(problem.expected, "an ISO 8601 date such as 2026-02-04");
    assert!(schema.accepts(&json!({"id": 7})), "a format is about text");
}

/// S-schema-17: 1,000 references one after the other, and references that only lead to each other.
#[test]
fn chains_and_circles_of_references_end() {
    let mut definitions = Map::new();
    for number in 0..1_000 {
        definitions.insert(format!("d{number}"), json!({"$ref": format!("#/$defs/d{}", number + 1)}));
    }
    definitions.insert("d1000".to_owned(), json!({"type": "string"}));
    let chain = from_schema(&json!({"$defs": definitions, "$ref": "#/$defs/d0"}));
    assert!(chain.accepts(&json!("text")));
    assert!(!chain.accepts(&json!(1)));
    for circle in [
        json!({"$ref": "#"}),
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}),
        json!({"allOf": [{"$ref": "#"}], "type": "object"}),
    ] {
        let schema = from_schema(&circle);
        assert!(schema.accepts(&json!({"a": {}})), "{circle}");
        assert_eq!(schema.normalise(&json!({"a": {}})).value, json!({"a": {}}), "{circle}");
    }
}

fn keyword() -> impl Strategy<Value = String> {
    proptest::sample::select(vec![
        "type",
        "enum",
        "const",
        "required",
        "minimum",
        "exclusiveMinimum",
        "multipleOf",
        "minLength",
        "maxItems",
        "uniqueItems",
        "format",
        "pattern",
        "not",
        "if",
        "then",
        "contains",
        "additionalProperties",
        "properties",
        "patternProperties",
        "dependentSchemas",
        "dependentRequired",
        "dependencies",
        "items",
        "prefixItems",
        "additionalItems",
        "allOf",
        "anyOf",
        "oneOf",
        "nullable",
        "$ref",
        "$id",
        "$schema",
        "$anchor",
        "$defs",
        "propertyNames",
        "unevaluatedProperties",
        "unevaluatedItems",
        "minContains",
        "description",
        "default",
        "a",
        "$dynamicRef",
        "$recursiveRef",
        "id",
        "$vocabulary",
        "discriminator",
        "contentEncoding",
    ])
    .prop_map(str::to_owned)
}

/// Anything under the names of keywords.
fn hostile() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::Bool),
        Just(Value::Null),
        any::<f64>().prop_map(|number| json!(number)),
        any::<i64>().prop_map(|number| json!(number)),
        proptest::sample::select(vec![
            "#",
            "#/a",
            "#/properties/a",
            "string",
            "object",
            "array",
            "file",
            "(",
            "^a",
            "(?=a)b",
            "date",
            "urn:x",
            "http://json-schema.org/draft-04/schema#",
            "https://json-schema.org/draft/2020-12/schema",
            "[",
            "\\",
        ])
        .prop_map(|text| json!(text)),
    ];
    leaf.prop_recursive(5, 60, 5, |inner| {
        prop_oneof![
            collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            collection::vec((keyword(), inner), 0..6)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

proptest! {
    /// S-schema-17: every document compiles once what is wrong in it is left out, in both readings.
    #[test]
    fn every_document_compiles(document in hostile(), value in hostile()) {
        assert_eq!(compile(&document, &[&document], CheckLevel::Strict).starts.len(), 1, "{document}");
        assert_eq!(compile(&document, &[&document], CheckLevel::Lenient).starts.len(), 1, "{document}");
        let schema = from_schema(&document);
        assert_eq!(schema.accepts(&value), schema.problems(&value).is_empty());
        let once = schema.normalise(&value);
        let twice = schema.normalise(&once.value);
        assert_eq!(&twice.value, &once.value, "{document} {value}");
        assert!(twice.dropped.is_empty());
        assert_eq!(twice.mismatches, once.mismatches);
    }
}
