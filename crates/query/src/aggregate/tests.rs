//! Five small items, and what each kind of expression makes of them; then the requests that are refused, with all
//! their mistakes.

use super::Aggregate;
use crate::error::QueryErrorKind;
use crate::item::Item;
use aqueduct_operations::answers::{AggregateFunction, AggregateRule, Computed, Expression, FieldPath};
use aqueduct_operations::failure::wording::looks_like_a_leak;
use jiff::Timestamp;
use serde_json::{Value, json};

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

#[test]
fn numbers_that_are_worth_the_same_are_one_group() {
    let mut aggregate =
        Aggregate::parse(&json!({"x": {"group_by": "n"}}), &AggregateRule::default()).unwrap();
    for item in [r#"{"n":1}"#, r#"{"n":1.0}"#, r#"{"n":1.5}"#, r#"{"n":"1"}"#] {
        aggregate.add(&Item::new(item, &[], Timestamp::UNIX_EPOCH));
    }
    assert_eq!(aggregate.finish()["x"].to_string(), r#"{"1":3,"1.5":1}"#);
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
    let computed = [Computed {
        name: "label_count".to_owned(),
        type_name: "number".to_owned(),
        description: None,
        filterable: true,
        sortable: true,
        value: Expression::Count(FieldPath::parse("labels").unwrap()),
    }];
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
