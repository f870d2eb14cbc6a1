//! The rules decide as the standard has it, and within their steps.
//!
//! Schemas and values of every kind are held against another implementation; schemas made to multiply are decided
//! exactly, and those that are too much are told.

mod bombs;

use crate::from_schema;
use proptest::prelude::{BoxedStrategy, Just, Strategy, any, prop_oneof};
use proptest::{collection, option, proptest, sample};
use serde_json::{Map, Value, json};

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-4_i64..6).prop_map(Value::from),
        (-8_i64..8).prop_map(|halves| json!(halves as f64 / 2.0)),
        sample::select(vec![json!(0.1), json!(0.3), json!(1e20), json!(u64::MAX), json!(1.25)]),
        sample::select(vec!["", "a", "ab", "abc", "1", "é"]).prop_map(Value::from),
    ]
}

fn name() -> impl Strategy<Value = String> {
    sample::select(vec!["a", "b", "ab", "c"]).prop_map(str::to_owned)
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            collection::vec((name(), inner), 0..4).prop_map(|members| members.into_iter().collect()),
        ]
    })
}

/// A keyword with its value, over schemas of this kind.
fn keyword(inner: BoxedStrategy<Value>) -> BoxedStrategy<(&'static str, Value)> {
    let list = collection::vec(inner.clone(), 1..4).prop_map(Value::Array).boxed();
    let named = collection::vec((name(), inner.clone()), 1..4)
        .prop_map(|members| Value::Object(members.into_iter().collect()))
        .boxed();
    let names = collection::btree_set(name(), 0..3).prop_map(|names| json!(names)).boxed();
    let count = (0_u64..4).prop_map(Value::from).boxed();
    let number = (-4_i64..6).prop_map(|halves| json!(halves as f64 / 2.0)).boxed();
    let patterns =
        collection::vec((sample::select(vec!["^a", "b$", "x"]), inner.clone()), 1..3).prop_map(|members| {
            Value::Object(members.into_iter().map(|(pattern, schema)| (pattern.to_owned(), schema)).collect())
        });
    let of =
        |keywords: Vec<&'static str>, value: BoxedStrategy<Value>| (sample::select(keywords), value).boxed();
    prop_oneof![
        of(
            vec!["type"],
            sample::select(vec![
                json!("string"),
                json!("integer"),
                json!("number"),
                json!("array"),
                json!("object"),
                json!(["null", "boolean"]),
                json!(["object", "array"]),
            ])
            .boxed()
        ),
        of(vec!["const"], value().boxed()),
        of(vec!["enum"], collection::vec(scalar(), 1..4).prop_map(unique).boxed()),
        of(vec!["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"], number),
        of(vec!["multipleOf"], sample::select(vec![json!(0.1), json!(2), json!(0.5), json!(3)]).boxed()),
        of(
            vec![
                "minLength",
                "maxLength",
                "minItems",
                "maxItems",
                "minProperties",
                "maxProperties",
                "minContains",
                "maxContains"
            ],
            count
        ),
        of(vec!["uniqueItems"], any::<bool>().prop_map(Value::from).boxed()),
        of(vec!["pattern"], sample::select(vec![json!("^a"), json!("b$"), json!("^\\d$")]).boxed()),
        of(vec!["required"], names),
        of(vec!["properties", "dependentSchemas"], named),
        of(vec!["patternProperties"], patterns.boxed()),
        of(
            vec![
                "items",
                "contains",
                "not",
                "if",
                "then",
                "else",
                "additionalProperties",
                "propertyNames",
                "unevaluatedProperties",
                "unevaluatedItems"
            ],
            inner
        ),
        of(vec!["allOf", "anyOf", "oneOf", "prefixItems"], list),
        of(vec!["dependentRequired"], Just(json!({"a": ["b"], "c": ["a", "ab"]})).boxed()),
    ]
    .boxed()
}

fn unique(values: Vec<Value>) -> Value {
    let mut kept: Vec<Value> = Vec::new();
    for value in values {
        if !kept.iter().any(|other| super::equal(other, &value)) {
            kept.push(value);
        }
    }
    Value::Array(kept)
}

/// A schema that may refer to these definitions.
fn schema(targets: &'static [&'static str]) -> BoxedStrategy<Value> {
    // Without a target the reference is left out again below.
    let reference = option::weighted(0.3, sample::select(targets_or(targets)));
    let leaf = prop_oneof![8 => Just(json!({})), 1 => any::<bool>().prop_map(Value::from)].boxed();
    leaf.prop_recursive(3, 24, 4, move |inner| {
        (collection::vec(keyword(inner.boxed()), 1..4), reference.clone()).prop_map(
            |(keywords, reference)| {
                let mut all: Map<String, Value> =
                    keywords.into_iter().map(|(keyword, value)| (keyword.to_owned(), value)).collect();
                if let Some(reference) = reference.filter(|reference| !reference.is_empty()) {
                    all.insert("$ref".to_owned(), format!("#/$defs/{reference}").into());
                }
                Value::Object(all)
            },
        )
    })
    .boxed()
}

fn targets_or(targets: &'static [&'static str]) -> Vec<&'static str> {
    if targets.is_empty() { vec![""] } else { targets.to_vec() }
}

fn document() -> impl Strategy<Value = Value> {
    (schema(&["x", "y"]), schema(&["y"]), schema(&[])).prop_map(|(whole, x, y)| {
        let mut whole = whole;
        if let Value::Object(keywords) = &mut whole {
            keywords.insert("$defs".to_owned(), json!({"x": x, "y": y}));
        }
        whole
    })
}

proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(1_500))]

    /// The same verdicts as another implementation of the standard, and problems exactly where a value does not fit.
    #[test]
    fn decides_as_the_standard_has_it(document in document(), values in collection::vec(value(), 1..6)) {
        let schema = from_schema(&document);
        let options = jsonschema::options().offline().should_validate_formats(false);
        let other = options.build(&document).unwrap();
        for value in values {
            assert_eq!(schema.accepts(&value), other.is_valid(&value), "{document} {value}");
            assert_eq!(schema.accepts(&value), schema.problems(&value).is_empty(), "{document} {value}");
        }
    }
}
