//! Tests of `mistake`.

use super::first_mistake;
use proptest::prelude::{Just, ProptestConfig, Strategy, prop_oneof, proptest};
use proptest::sample::select;
use serde_json::{Value, json};

#[test]
fn the_first_mistake_has_its_place() {
    let mistake = first_mistake(&json!({"properties": {"a": {"minimum": "1"}}})).unwrap();
    assert_eq!(mistake.place, "properties.a.minimum");
    assert!(mistake.problem.contains("number"), "{}", mistake.problem);
    assert_eq!(first_mistake(&json!({"minimum": 1, "x-own": true})), None);
}

/// Every keyword of the draft, right and wrong.
    #[rustfmt::skip]
    const KEYWORDS: &[&str] = &[
        "$id", "$schema", "$ref", "$anchor", "$dynamicRef", "$dynamicAnchor", "$vocabulary", "$comment", "$defs", "prefixItems",
        "items", "contains", "additionalProperties", "properties", "patternProperties", "dependentSchemas", "propertyNames", "if",
        "then", "else", "allOf", "anyOf", "oneOf", "not", "unevaluatedItems", "unevaluatedProperties", "type", "const", "enum",
        "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength", "minLength", "pattern", "maxItems",
        "minItems", "uniqueItems", "maxContains", "minContains", "maxProperties", "minProperties", "required",
        "dependentRequired", "title", "description", "default", "deprecated", "readOnly", "writeOnly", "examples", "format",
        "contentMediaType", "contentEncoding", "contentSchema", "definitions", "dependencies", "$recursiveAnchor",
        "$recursiveRef", "x-own", "nullable",
    ];

fn values() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1.0),
        json!(1.5),
        json!(""),
        json!("string"),
        json!("#a"),
        json!("a b"),
        json!([]),
        json!(["string"]),
        json!(["a", "a"]),
        json!(["a", 1]),
        json!({}),
        json!([{}, true]),
        json!({"a": {}}),
        json!({"a": 1}),
        json!({"a": ["b"]}),
        json!({"a": true}),
        json!(["null", "integer"]),
    ]
}

fn agree(document: &Value) {
    let (ours, theirs) = (first_mistake(document), jsonschema::draft202012::meta::validate(document).err());
    assert_eq!(ours.is_some(), theirs.is_some(), "{document}: {ours:?} {theirs:?}");
}

/// What is a mistake here is one elsewhere, keyword by keyword.
#[test]
fn each_keyword_is_judged_as_elsewhere() {
    for keyword in KEYWORDS {
        values().into_iter().for_each(|value| agree(&json!({*keyword: value})));
    }
    values().iter().for_each(agree);
}

fn documents() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({})),
        (select(KEYWORDS), select(values())).prop_map(|(key, value)| json!({key: value}))
    ];
    leaf.prop_recursive(4, 20, 3, |inner| {
        prop_oneof![
            (select(KEYWORDS), inner.clone()).prop_map(|(key, schema)| json!({key: schema})),
            (select(KEYWORDS), inner.clone()).prop_map(|(key, schema)| json!({key: {"a": schema}})),
            (select(KEYWORDS), inner.clone(), inner).prop_map(|(key, one, other)| json!({key: [one, other]})),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    /// And so in documents of any depth.
    #[test]
    fn documents_are_judged_as_elsewhere(document in documents()) {
        agree(&document);
    }
}
