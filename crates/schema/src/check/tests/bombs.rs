//! Schemas made to multiply: decided exactly where pairs of schema and value are few, told where they are not.
//! Each has an honest schema of the same shape beside it.

use crate::work::{Meter, WorkStop};
use crate::{Schema, from_schema};
use serde_json::{Map, Value, json};

/// Sixty schemas, each made of the next one twice.
fn chain(of: impl Fn(Value) -> Value, last: Value) -> Schema {
    let mut definitions = Map::new();
    for number in 0..60 {
        let next = json!({"$ref": format!("#/$defs/d{}", number + 1)});
        definitions.insert(format!("d{number}"), of(next));
    }
    definitions.insert("d60".to_owned(), last);
    from_schema(&json!({"$defs": definitions, "$ref": "#/$defs/d0"}))
}

const STEPS: u64 = 200_000;

fn verdict(schema: &Schema, value: &Value) -> bool {
    let meter = Meter::new(STEPS);
    let verdict = schema.accepts_within(value, &meter).expect("few pairs");
    let problems = schema.problems_within(value, &Meter::new(STEPS)).expect("few pairs");
    assert_eq!(verdict, problems.is_empty());
    assert!(problems.iter().all(|problem| problem.expected.len() < 2_000), "{problems:?}");
    schema.normalise_within(value, &Meter::new(STEPS)).expect("few pairs");
    schema.sample("word");
    verdict
}

#[test]
fn alternatives_of_alternatives_are_decided_exactly() {
    let last = || json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}});
    let (fitting, other) = (json!({"a": "x"}), json!({"a": 1}));
    let any = chain(|next| json!({"anyOf": [next, next]}), last());
    assert!(verdict(&any, &fitting) && !verdict(&any, &other));
    let all = chain(|next| json!({"allOf": [next, next]}), last());
    assert!(verdict(&all, &fitting) && !verdict(&all, &other));
    // Both fit, or none: never exactly one.
    let one = chain(|next| json!({"oneOf": [next, next]}), last());
    assert!(!verdict(&one, &fitting) && !verdict(&one, &other));
    let one = chain(|next| json!({"oneOf": [next, {"allOf": [next, {"required": ["b"]}]}]}), last());
    assert!(verdict(&one, &fitting) && !verdict(&one, &other));
    let not = chain(|next| json!({"not": {"anyOf": [next, next]}}), last());
    assert!(verdict(&not, &fitting) && !verdict(&not, &other), "sixty times not");
    let chosen = chain(|next| json!({"if": next, "then": next, "else": next}), last());
    assert!(verdict(&chosen, &fitting) && !verdict(&chosen, &other));
    let dependent = chain(|next| json!({"dependentSchemas": {"a": {"allOf": [next, next]}}}), last());
    assert!(verdict(&dependent, &fitting) && !verdict(&dependent, &other));
    let beside = chain(|next| json!({"$ref": next["$ref"], "anyOf": [next]}), last());
    assert!(verdict(&beside, &fitting) && !verdict(&beside, &other));
}

#[test]
fn what_nothing_looked_at_is_found_once_for_each_rule() {
    let last = || json!({"properties": {"a": {"type": "string"}}});
    let closed = chain(|next| json!({"anyOf": [next, next], "unevaluatedProperties": false}), last());
    assert!(verdict(&closed, &json!({"a": "x"})) && !verdict(&closed, &json!({"b": 1})));
    let items = || json!({"contains": {"type": "string"}});
    let closed = chain(|next| json!({"allOf": [next, next], "unevaluatedItems": false}), items());
    assert!(verdict(&closed, &json!(["x"])) && !verdict(&closed, &json!([1, "x"])));
}

/// A schema that leads to itself twice for each level of the value, and in names.
#[test]
fn levels_of_the_value_do_not_multiply() {
    let own = json!({"$ref": "#"});
    let lists = from_schema(
        &json!({"anyOf": [{"items": own, "type": "array"}, {"items": own, "minItems": 1, "type": "array"}]}),
    );
    let nested = |innermost: Value| (0..100).fold(innermost, |inner, _| json!([inner]));
    assert!(verdict(&lists, &nested(json!([]))) && !verdict(&lists, &nested(json!("x"))));
    let contains = from_schema(&json!({"anyOf": [{"contains": own}, {"contains": own}, {"const": 1}]}));
    assert!(verdict(&contains, &nested(json!(1))) && !verdict(&contains, &nested(json!([]))));
    let names = chain(|next| json!({"anyOf": [next, next]}), json!({"propertyNames": {"maxLength": 2}}));
    assert!(verdict(&names, &json!({"ab": 1})) && !verdict(&names, &json!({"abc": 1})));
}

/// What grows with each level is shown in part.
#[test]
fn words_do_not_multiply() {
    let schema = chain(
        |next| json!({"anyOf": [{"allOf": [next, {"minLength": 70}]}, {"allOf": [next, {"minLength": 80}]}]}),
        json!({"pattern": "^x"}),
    );
    assert!(!verdict(&schema, &json!("abc")));
    let long = from_schema(&json!({"properties": {"k".repeat(100_000): {"items": {"type": "string"}}}}));
    let problems = long.problems(&json!({"k".repeat(100_000): vec![1; 20_000]}));
    assert!(problems.len() <= 1_000 && problems[0].place.len() < 200, "{}", problems.len());
}

/// More pairs than there are steps for is told, whichever way it is asked.
#[test]
fn what_is_too_much_is_told() {
    let rules: Vec<Value> =
        (0..500).map(|n| json!({"items": {"not": {"const": format!("no {n}")}}})).collect();
    let schema = from_schema(&json!({"allOf": rules}));
    let value = json!(vec!["x"; 5_000]);
    assert_eq!(schema.accepts_within(&value, &Meter::new(STEPS)), Err(WorkStop::Spent(STEPS)));
    assert!(schema.problems_within(&value, &Meter::new(STEPS)).is_err());
    assert!(schema.normalise_within(&value, &Meter::new(STEPS)).is_err());
    assert!(schema.accepts(&value), "within the usual steps it is decided");
    let meter = Meter::default();
    meter.stopper().stop();
    assert_eq!(schema.accepts_within(&value, &meter), Err(WorkStop::Stopped));
}

/// Defaults of defaults: each level is filled in twice.
#[test]
fn defaults_do_not_multiply_without_end() {
    let schema = chain(
        |next| {
            let filled = json!({"allOf": [next], "default": {}});
            json!({"type": "object", "properties": {"a": filled, "b": filled}})
        },
        json!({"type": "object"}),
    );
    assert!(matches!(schema.normalise_within(&json!({}), &Meter::new(STEPS)), Err(WorkStop::Spent(_))));
    let fitted = schema.normalise(&json!({"a": {"a": 1}}));
    assert_eq!((fitted.value, fitted.mismatches[0].keyword.as_str()), (json!({"a": {"a": 1}}), "work"));
}

/// Many levels of schemas for one value run on a stack of their own, and end.
#[test]
fn long_ways_from_schema_to_schema_end() {
    let ways = |count: usize| {
        let mut definitions = Map::new();
        for number in 0..count {
            let next = json!({"minLength": 1, "allOf": [{"$ref": format!("#/$defs/d{}", number + 1)}]});
            definitions.insert(format!("d{number}"), next);
        }
        definitions.insert(format!("d{count}"), json!({"type": "string"}));
        from_schema(&json!({"$defs": definitions, "$ref": "#/$defs/d0"}))
    };
    let long = ways(1_000);
    assert!(long.accepts(&json!("a")) && !long.accepts(&json!(1)));
    assert_eq!(long.problems(&json!(1))[0].expected, "string");
    assert_eq!(ways(30_000).problems(&json!("a"))[0].keyword, "work");
}

/// Thousands of patterns are compiled as they are met, and counted.
#[test]
fn thousands_of_patterns() {
    let patterns: Map<String, Value> =
        (0..5_000).map(|n| (format!("^[a-z]{{{}}}{n}$", n % 40), json!(false))).collect();
    let schema = from_schema(&json!({"patternProperties": patterns}));
    assert!(schema.accepts_within(&json!({"x": 1}), &Meter::new(100_000)).is_err());
}
