//! Five small items, and what each kind of expression makes of them; then the requests that are refused, with all
//! their mistakes.

use super::Aggregate;
use crate::error::QueryErrorKind;
use crate::item::Item;
use crate::test_support::count_of;
use aqueduct_operations::failure::wording::looks_like_a_leak;
use aqueduct_operations::response::{AggregateFunction, AggregateRule};
use jiff::Timestamp;
use proptest::prelude::{Just, Strategy, any, prop_assert_eq, prop_oneof, proptest};
use serde_json::{Map, Value, json};
use std::collections::HashSet;

const ITEMS: [&str; 5] = [
    r#"{"status":"open","stars":3,"price":0.1,"at":"2024-05-01T12:00:00+02:00","labels":[{"name":"bug"},{"name":"p1"},{"name":"bug"}]}"#,
    r#"{"status":"closed","stars":5,"price":0.2,"at":"2024-05-01T11:00:00Z","labels":[]}"#,
    r#"{"status":"open","stars":null,"price":"free","at":"2024-04-30","labels":[{"name":"p1"}]}"#,
    r#"{"status":null,"stars":4,"private":true}"#,
    r#"{"stars":9007199254740993,"private":false}"#,
];

fn added(aggregate: &Value) -> Aggregate {
    let parsed = Aggregate::parse(aggregate, &AggregateRule::default());
    let mut aggregate = parsed.unwrap_or_else(|errors| panic!("{errors:?}"));
    ITEMS.iter().for_each(|item| aggregate.add(&Item::new(item, &[], Timestamp::UNIX_EPOCH)));
    aggregate
}

/// The answer as text, so that orders count too.
fn answer(expression: Value) -> String {
    added(&json!({"x": expression})).finish()["x"].to_string()
}

/// O4.2-7 O4.4.1-6 X-agg-2: a number for a plain function, for each of the functions.
#[test]
fn plain_functions() {
    for (expression, expected) in [
        (json!({"count": true}), "5"),
        (json!({"sum": "stars"}), "9007199254741005"),
        (json!({"avg": "price"}), "0.15000000000000002"),
        (json!({"min": "stars"}), "3"),
        (json!({"max": "stars"}), "9007199254740993"),
        (json!({"min": "at"}), r#""2024-04-30""#),
        (json!({"max": "at"}), r#""2024-05-01T11:00:00Z""#),
        (json!({"max": "status"}), r#""open""#),
        (json!({"min": "price"}), "0.1"),
        (json!({"sum": "status"}), "0"),
        (json!({"avg": "nothing"}), "null"),
        (json!({"min": "nothing"}), "null"),
    ] {
        assert_eq!(answer(expression.clone()), expected, "{expression}");
    }
}

/// X-agg-2: `{group value: number}`, groups as they are first seen.
#[test]
fn groups() {
    for (expression, expected) in [
        (json!({"group_by": "status", "count": true}), r#"{"open":2,"closed":1,"null":2}"#),
        (json!({"group_by": "status"}), r#"{"open":2,"closed":1,"null":2}"#),
        (json!({"group_by": "private", "count": true}), r#"{"null":3,"true":1,"false":1}"#),
        (json!({"group_by": "labels.name", "count": true}), r#"{"bug":1,"p1":2,"null":3}"#),
        (json!({"group_by": "status", "max": "stars"}), r#"{"open":3,"closed":5,"null":9007199254740993}"#),
        (json!({"group_by": "nothing"}), r#"{"null":5}"#),
    ] {
        assert_eq!(answer(expression.clone()), expected, "{expression}");
    }
}

/// The answer of one expression over these values of `n`.
fn answer_over(expression: Value, values: &[Value]) -> Value {
    let mut aggregate = Aggregate::parse(&json!({"x": expression}), &AggregateRule::default()).unwrap();
    for value in values {
        aggregate.add(&Item::new(&json!({"n": value}).to_string(), &[], Timestamp::UNIX_EPOCH));
    }
    aggregate.finish()["x"].take()
}

fn grouped(values: &[Value]) -> String {
    answer_over(json!({"group_by": "n"}), values).to_string()
}

#[test]
fn numbers_that_are_worth_the_same_are_one_group() {
    assert_eq!(grouped(&[json!(1), json!(1.0), json!(1.5)]), r#"{"1":2,"1.5":1}"#);
}

/// X-agg-2: values that look alike are groups of their own; a text is in quotes only where it would be taken for
/// another value of the same answer.
#[test]
fn groups_that_look_alike() {
    for (values, expected) in [
        (vec![json!(null), json!("null"), json!("null")], r#"{"null":1,"\"null\"":2}"#),
        (vec![json!("null"), json!(null)], r#"{"\"null\"":1,"null":1}"#),
        (vec![json!("1"), json!(1), json!(1.0), json!("1.0")], r#"{"\"1\"":1,"1":2,"1.0":1}"#),
        (vec![json!(true), json!("true"), json!("false")], r#"{"true":1,"\"true\"":1,"false":1}"#),
        (vec![json!("null"), json!("1"), json!("true")], r#"{"null":1,"1":1,"true":1}"#),
        (vec![json!({"a": 1}), json!("{\"a\":1}")], r#"{"{\"a\":1}":1,"\"{\\\"a\\\":1}\"":1}"#),
        // The quoted text may be there, too.
        (vec![json!("\"1\""), json!("1"), json!(1)], r#"{"\"\\\"1\\\"\"":1,"\"1\"":1,"1":1}"#),
        (vec![json!("\"1\""), json!("1")], r#"{"\"1\"":1,"1":1}"#),
    ] {
        assert_eq!(grouped(&values), expected, "{values:?}");
    }
}

/// Values that look alike in many ways.
fn lookalike() -> impl Strategy<Value = Value> {
    let scalar =
        prop_oneof![Just(json!(null)), any::<bool>().prop_map(Value::from), (0..3).prop_map(Value::from)];
    (scalar, 0..4)
        .prop_map(|(scalar, quotes)| (0..quotes).fold(scalar, |value, _| Value::from(value.to_string())))
}

proptest! {
    /// X-agg-2: as many groups as there are different values, whatever they look like, and every item in one.
    #[test]
    fn different_values_are_different_groups(values in proptest::collection::vec(lookalike(), 0..20)) {
        let different: HashSet<String> = values.iter().map(Value::to_string).collect();
        let groups = answer_over(json!({"group_by": "n"}), &values);
        let groups = groups.as_object().cloned().unwrap_or_default();
        prop_assert_eq!(groups.len(), different.len());
        prop_assert_eq!(groups.values().filter_map(Value::as_u64).sum::<u64>(), values.len() as u64);
    }

    /// All in one group is the same as no groups.
    #[test]
    fn a_group_is_as_the_whole(values in proptest::collection::vec(proptest::collection::vec(
        prop_oneof![any::<i64>().prop_map(Value::from), (-8_i8..8).prop_map(|n| json!(f64::from(n) / 4.0)),
            "[ab]".prop_map(Value::from), Just(json!(null)), Just(json!(true))], 0..4), 1..6)
    ) {
        let values: Vec<Value> = values.into_iter().map(Value::from).collect();
        let all = json!({"count": true, "sum": "n", "avg": "n", "min": "n", "max": "n"});
        let mut by_group = all.clone();
        by_group["group_by"] = "no_such".into();
        prop_assert_eq!(&answer_over(by_group, &values)["null"], &answer_over(all, &values));
    }
}

/// An item that is in many groups is in each of them with all that it has.
#[test]
fn many_groups_in_many_expressions() {
    let elements: Vec<Value> =
        (0..2_000).map(|n| json!({"name": format!("label {n}"), "weight": n})).collect();
    let one = json!({"labels": elements}).to_string();
    let expression =
        json!({"group_by": "labels.name", "count": true, "sum": "labels.weight", "max": "labels.name"});
    let request: Map<String, Value> = (0..20).map(|n| (format!("l{n}"), expression.clone())).collect();
    let mut aggregate = Aggregate::parse(&Value::Object(request), &AggregateRule::default()).unwrap();
    aggregate.add(&Item::new(&one, &[], Timestamp::UNIX_EPOCH));
    for n in 0..500 {
        let item = json!({"labels": {"name": format!("label {n}"), "weight": 1}}).to_string();
        aggregate.add(&Item::new(&item, &[], Timestamp::UNIX_EPOCH));
    }
    let answers = aggregate.finish();
    assert_eq!(answers["l19"]["label 7"], json!({"count": 2, "sum": 1_999_001, "max": "label 999"}));
}

/// X-agg-4: several functions under one label, with groups and without.
#[test]
fn several_functions() {
    assert_eq!(
        answer(json!({"max": "stars", "min": "price", "count": true})),
        r#"{"count":5,"min":0.1,"max":9007199254740993}"#
    );
    assert_eq!(
        answer(json!({"group_by": "status", "sum": "stars", "count": true})),
        r#"{"open":{"count":2,"sum":3},"closed":{"count":1,"sum":5},"null":{"count":2,"sum":9007199254740997}}"#
    );
    assert_eq!(answer(json!({"count": false, "sum": "price"})), "0.30000000000000004");
}

/// X-agg-6: several labels in one request, answered in its order.
#[test]
fn several_labels() {
    let answers = added(&json!({"z": {"count": true}, "a": {"sum": "stars"}})).finish();
    assert_eq!(Value::Object(answers).to_string(), r#"{"z":5,"a":9007199254741005}"#);
}

#[test]
fn nothing_seen() {
    let all = json!({"n": {"count": true}, "s": {"sum": "a"}, "a": {"avg": "a"}, "m": {"max": "a"}, "g": {"group_by": "a"}});
    let answers = Aggregate::parse(&all, &AggregateRule::default()).unwrap().finish();
    assert_eq!(Value::Object(answers).to_string(), r#"{"n":0,"s":0,"a":null,"m":null,"g":{}}"#);
}

#[test]
fn values_that_could_not_be_used_are_counted() {
    let aggregate = added(&json!({
        "fine": {"sum": "stars", "min": "at"}, "price": {"avg": "price"}, "labels": {"max": "labels"},
        "low": {"min": "price"}, "grouped": {"group_by": "status", "sum": "at"},
    }));
    assert_eq!(aggregate.skipped(), [("price", 1), ("labels", 4), ("low", 1), ("grouped", 3)]);
}

#[test]
fn computed_fields() {
    let computed = [count_of("label_count", "labels")];
    let request = json!({"x": {"group_by": "status", "sum": "_computed.label_count"}});
    let mut aggregate = Aggregate::parse(&request, &AggregateRule::default()).unwrap();
    let keys: Vec<_> = aggregate.keys().map(|(place, key)| (place, key.text().to_owned())).collect();
    assert_eq!(keys[1], ("aggregate.x.sum".to_owned(), "_computed.label_count".to_owned()));
    ITEMS.iter().for_each(|item| aggregate.add(&Item::new(item, &computed, Timestamp::UNIX_EPOCH)));
    assert_eq!(aggregate.finish()["x"].to_string(), r#"{"open":4,"closed":0,"null":0}"#);
}

fn mistakes(aggregate: &Value, rule: &AggregateRule) -> Vec<(QueryErrorKind, String, String)> {
    let errors = Aggregate::parse(aggregate, rule).unwrap_err();
    for error in &errors {
        assert!(!error.received.starts_with(['\'', '"']), "{error}");
        assert!(!looks_like_a_leak(&format!("{} {}", error.expected, error.received)), "{error}");
    }
    errors.into_iter().map(|error| (error.kind, error.param, error.expected)).collect()
}

/// X-agg-1: a map of labels to closed expressions.
#[test]
fn closed_expressions() {
    let (kind, unknown, value) = (QueryErrorKind::Type, QueryErrorKind::Unknown, QueryErrorKind::Value);
    for (aggregate, expected) in [
        (json!("count"), vec![(kind, "aggregate")]),
        (json!({}), vec![(value, "aggregate")]),
        (json!({"a": "count"}), vec![(kind, "aggregate.a")]),
        (json!({"a": {}}), vec![(value, "aggregate.a")]),
        (json!({"a": {"count": false}}), vec![(value, "aggregate.a")]),
        (json!({"a": {"group_by": "x", "count": false}}), vec![(value, "aggregate.a")]),
        (json!({"a": {"count": 1}}), vec![(kind, "aggregate.a.count")]),
        (json!({"a": {"sum": true}}), vec![(kind, "aggregate.a.sum")]),
        (json!({"a": {"sum": ""}}), vec![(value, "aggregate.a.sum")]),
        (json!({"a": {"sum": "x..y"}}), vec![(value, "aggregate.a.sum")]),
        (json!({"a": {"group_by": ["x"]}}), vec![(kind, "aggregate.a.group_by")]),
        (
            json!({"a": {"median": "x", "count": true}, "b": {"min": 1, "first": 2}}),
            vec![(unknown, "aggregate.a.median"), (unknown, "aggregate.b.first"), (kind, "aggregate.b.min")],
        ),
    ] {
        let found = mistakes(&aggregate, &AggregateRule::default());
        let found: Vec<_> = found.iter().map(|(kind, param, _)| (*kind, param.as_str())).collect();
        assert_eq!(found, expected, "{aggregate}");
    }
}

#[test]
fn no_more_than_20_labels() {
    let labels = |count: usize| {
        let labels = (0..count).map(|n| (format!("l{n}"), json!({"count": true})));
        Value::Object(labels.collect())
    };
    assert!(Aggregate::parse(&labels(20), &AggregateRule::default()).is_ok());
    let expected = "no more than 20 expressions".to_owned();
    assert_eq!(
        mistakes(&labels(21), &AggregateRule::default()),
        [(QueryErrorKind::Value, "aggregate".to_owned(), expected)]
    );
}

/// X-agg-6: functions and fields that are not offered are refused, and the error names those that are.
#[test]
fn what_the_adapter_offers() {
    let rule = AggregateRule {
        functions: Some(vec![AggregateFunction::GroupBy, AggregateFunction::Count, AggregateFunction::Sum]),
        groupable_fields: Some(vec!["status".to_owned()]),
        numeric_fields: Some(vec!["stars".to_owned(), "size".to_owned()]),
    };
    let fine = json!({"a": {"group_by": "status", "count": true, "sum": "size"}});
    assert!(Aggregate::parse(&fine, &rule).is_ok());
    let found = mistakes(&json!({"a": {"avg": "stars"}, "b": {"group_by": "owner", "sum": "price"}}), &rule);
    let found: Vec<_> =
        found.iter().map(|(kind, param, expected)| (*kind, param.as_str(), expected.as_str())).collect();
    assert_eq!(
        found,
        [
            (QueryErrorKind::Unknown, "aggregate.a.avg", "one of count, group_by, sum"),
            (QueryErrorKind::Value, "aggregate.b.group_by", "one of status"),
            (QueryErrorKind::Value, "aggregate.b.sum", "one of stars, size"),
        ]
    );
}
