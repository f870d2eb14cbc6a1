//! One item that has something of every kind, the filters that it passes, those that it does not, and those that are
//! refused.

use super::Filter;
use crate::error::QueryErrorKind;
use crate::item::Item;
use crate::test_support::count_of;
use aqueduct_operations::failure::wording::looks_like_a_leak;
use jiff::Timestamp;
use serde_json::{Value, json};

const ITEM: &str = concat!(
    r#"{"status":"Open","stars":10,"big":9007199254740993,"price":1.5,"private":false,"closed_at":null,"#,
    r#""created_at":"2024-05-01T12:00:00+02:00","owner":{"login":"ann"},"tags":["Bug","p1"],"empty":[],"year":"1810","years":["1810"],"closed":"true","#,
    r#""labels":[{"name":"bug","weight":3},{"name":"Help Wanted","weight":null}]}"#,
);

fn matches(filter: Value) -> bool {
    let filter = Filter::parse(&filter).unwrap_or_else(|errors| panic!("{errors:?}"));
    filter.matches(&Item::new(ITEM, &[], Timestamp::UNIX_EPOCH))
}

fn all_match(filters: &[Value]) {
    filters.iter().for_each(|filter| assert!(matches(filter.clone()), "{filter}"));
}

fn none_matches(filters: &[Value]) {
    filters.iter().for_each(|filter| assert!(!matches(filter.clone()), "{filter}"));
}

/// O4.2-4: a scalar is equality, a list any-of, several keys must all hold.
#[test]
fn plain_values() {
    all_match(&[
        json!({}),
        json!({"status": "Open"}),
        json!({"stars": 10.0}),
        json!({"big": 9_007_199_254_740_993_u64}),
        json!({"private": false}),
        json!({"owner.login": "ann"}),
        json!({"status": ["closed", "Open"]}),
        json!({"stars": {"in": [9, 10]}}),
        json!({"status": "Open", "stars": 10}),
    ]);
    none_matches(&[
        json!({"status": "open"}),
        json!({"stars": "ten"}),
        json!({"stars": "010"}),
        json!({"big": 9_007_199_254_740_992_u64}),
        json!({"private": true}),
        json!({"owner.login": "bob"}),
        json!({"owner": "ann"}),
        json!({"status": ["closed", "open"]}),
        json!({"status": "Open", "stars": 11}),
    ]);
}

/// What a number or a boolean is written as means the same, in the request or in the item.
#[test]
fn texts_that_spell_other_values() {
    all_match(&[
        json!({"stars": "10"}),
        json!({"stars": ["9", "10.0"]}),
        json!({"stars": {"ne": "11", "gt": "9", "lte": "10"}}),
        json!({"year": 1810}),
        json!({"year": {"eq": 1810.0, "gte": 1810, "lt": 1811}}),
        json!({"year": "1810"}),
        json!({"private": "false"}),
        json!({"closed": true}),
        json!({"years": {"contains": 1810}}),
    ]);
    none_matches(&[
        json!({"stars": {"ne": "10"}}),
        json!({"stars": {"gt": "10"}}),
        json!({"year": 1811}),
        json!({"year": "1810.0"}),
        json!({"year": {"ne": 1810}}),
        json!({"year": {"gt": 1810}}),
        json!({"private": "true"}),
        json!({"private": "False"}),
        json!({"closed": false}),
        json!({"closed_at": "null"}),
        json!({"years": {"contains": 18}}),
    ]);
}

#[test]
fn bounds() {
    all_match(&[
        json!({"stars": {"gt": 9, "lt": 11}}),
        json!({"stars": {"gte": 10, "lte": 10.0}}),
        json!({"price": {"gt": 1, "lt": 2}}),
        json!({"big": {"gt": 9_007_199_254_740_992_u64}}),
        json!({"status": {"gte": "O", "lt": "P"}}),
    ]);
    none_matches(&[
        json!({"stars": {"gt": 10}}),
        json!({"stars": {"lt": 10}}),
        json!({"stars": {"gt": 9, "lt": 10}}),
        json!({"stars": {"gt": "nine"}}),
        json!({"stars": {"lt": ""}}),
        json!({"nothing": {"lt": 10}}),
        json!({"closed_at": {"lt": "9"}}),
        json!({"private": {"lt": 10}}),
    ]);
}

/// Noon with the offset of two hours is ten o'clock UTC, though its text is greater than that of eleven o'clock.
#[test]
fn bounds_of_time() {
    all_match(&[
        json!({"created_at": {"lt": "2024-05-01T11:00:00Z"}}),
        json!({"created_at": {"gte": "2024-05-01T10:00:00Z", "lte": "2024-05-01T10:00:00.000Z"}}),
        json!({"created_at": {"gt": "2024-05-01", "lt": "2024-05-02"}}),
        json!({"created_at": {"gt": "2024"}}),
    ]);
    none_matches(&[
        json!({"created_at": {"gt": "2024-05-01T11:00:00Z"}}),
        json!({"created_at": "2024-05-01T10:00:00Z"}),
    ]);
}

#[test]
fn null_is_also_what_is_not_there() {
    all_match(&[
        json!({"closed_at": null}),
        json!({"nothing": null}),
        json!({"nothing.below": {"eq": null}}),
        json!({"status": {"ne": null}}),
        json!({"status": {"exists": true}}),
        json!({"closed_at": {"exists": false}}),
        json!({"nothing": {"exists": false}}),
        json!({"empty": {"exists": true}}),
        json!({"nothing": ["x", null]}),
        json!({"nothing": {"ne": "x"}}),
    ]);
    none_matches(&[
        json!({"status": null}),
        json!({"closed_at": {"ne": null}}),
        json!({"nothing": {"ne": null}}),
        json!({"empty": null}),
        json!({"status": {"exists": false}}),
        json!({"closed_at": {"exists": true}}),
    ]);
}

#[test]
fn through_arrays_one_is_enough() {
    all_match(&[
        json!({"tags": "p1"}),
        json!({"tags": ["x", "Bug"]}),
        json!({"labels.name": "bug"}),
        json!({"labels.weight": {"gt": 2}}),
        json!({"labels.weight": null}),
        json!({"labels.name": {"ne": "wontfix"}}),
        json!({"tags": {"ne": ["x", "y"]}}),
    ]);
    none_matches(&[
        json!({"tags": "p2"}),
        json!({"labels.name": {"ne": "bug"}}),
        json!({"tags": {"ne": ["x", "p1"]}}),
        json!({"labels.weight": {"gt": 3}}),
    ]);
}

#[test]
fn containing() {
    all_match(&[
        json!({"status": {"contains": "pE"}}),
        json!({"tags": {"contains": "bug"}}),
        json!({"labels.name": {"contains": "WANTED"}}),
    ]);
    none_matches(&[
        json!({"status": {"contains": "x"}}),
        json!({"tags": {"contains": "bu"}}),
        json!({"stars": {"contains": 1}}),
        json!({"nothing": {"contains": ""}}),
    ]);
}

/// What was wrong, and where.
fn errors(filter: Value) -> Vec<(QueryErrorKind, String)> {
    let errors = Filter::parse(&filter).unwrap_err();
    for error in &errors {
        let words =
            format!("{} {} {}", error.expected, error.received, error.hint.clone().unwrap_or_default());
        assert!(!looks_like_a_leak(&words), "{words}");
        assert!(!error.received.starts_with(['\'', '"']), "{error}");
    }
    errors.into_iter().map(|error| (error.kind, error.param)).collect()
}

/// X-query-4: an open object of conditions, and nothing but conditions in it.
#[test]
fn mistakes_are_all_named() {
    let (kind, unknown, value) = (QueryErrorKind::Type, QueryErrorKind::Unknown, QueryErrorKind::Value);
    for (filter, expected) in [
        (json!("status"), vec![(kind, "filter")]),
        (json!([]), vec![(kind, "filter")]),
        (json!({"a..b": 1}), vec![(unknown, "filter.a..b")]),
        (
            json!({"a": {"like": "x"}, "b": {"gt": 1, "foo": 2, "bar": 3}}),
            vec![(unknown, "filter.a.like"), (unknown, "filter.b.foo"), (unknown, "filter.b.bar")],
        ),
        (json!({"a": {}}), vec![(value, "filter.a")]),
        (json!({"a": []}), vec![(value, "filter.a")]),
        (json!({"a": [1, {"b": 2}]}), vec![(kind, "filter.a.1")]),
        (json!({"a": {"eq": {"b": 1}}}), vec![(kind, "filter.a.eq")]),
        (json!({"a": {"in": "x"}}), vec![(kind, "filter.a.in")]),
        (json!({"a": {"gt": true}}), vec![(kind, "filter.a.gt")]),
        (json!({"a": {"lte": null}}), vec![(kind, "filter.a.lte")]),
        (json!({"a": {"contains": null}}), vec![(kind, "filter.a.contains")]),
        (json!({"a": {"exists": "yes"}}), vec![(kind, "filter.a.exists")]),
    ] {
        let expected: Vec<_> = expected.into_iter().map(|(kind, place)| (kind, place.to_owned())).collect();
        assert_eq!(errors(filter.clone()), expected, "{filter}");
    }
    let unknown = &Filter::parse(&json!({"owner": {"login": "x"}})).unwrap_err()[0];
    assert_eq!(unknown.expected, "one of eq, ne, in, gt, gte, lt, lte, contains, exists");
    assert!(unknown.hint.as_deref().is_some_and(|hint| hint.contains("owner.login")));
}

#[test]
fn no_more_than_50_keys_and_1000_values() {
    let keys = |count: usize| Value::Object((0..count).map(|n| (format!("k{n}"), n.into())).collect());
    let list = |count: usize| Value::from((0..count).collect::<Vec<_>>());
    for fine in [keys(50), json!({"a": list(1000)}), json!({"a": {"in": list(1000), "ne": list(1000)}})] {
        assert!(Filter::parse(&fine).is_ok());
    }
    for (filter, expected) in [
        (keys(51), "filter: expected no more than 50 keys, received 51 keys"),
        (json!({"a": list(1001)}), "filter.a: expected no more than 1000 values, received 1001 values"),
        (
            json!({"a": {"in": list(1001)}}),
            "filter.a.in: expected no more than 1000 values, received 1001 values",
        ),
        (
            json!({"a": {"ne": list(2000)}}),
            "filter.a.ne: expected no more than 1000 values, received 2000 values",
        ),
    ] {
        assert_eq!(Filter::parse(&filter).unwrap_err()[0].to_string(), expected);
        assert_eq!(errors(filter).len(), 1);
    }
}

#[test]
fn what_the_upstream_sees_to_is_taken_out() {
    let filter = Filter::parse(
        &json!({"a": 1, "b": {"eq": "x"}, "c": [1, 2], "d": {"gt": 1}, "e": {"eq": 1, "ne": 2}}),
    )
    .unwrap();
    let keys: Vec<&str> = filter.keys().map(|key| key.text()).collect();
    assert_eq!(keys, ["a", "b", "c", "d", "e"]);
    assert_eq!(filter.equality("a"), Some(&json!(1)));
    assert_eq!(filter.equality("b"), Some(&json!("x")));
    for not_plain in ["c", "d", "e", "f"] {
        assert_eq!(filter.equality(not_plain), None, "{not_plain}");
    }
    let rest = filter.without(&["a", "c"]);
    assert_eq!(rest.keys().map(|key| key.text()).collect::<Vec<_>>(), ["b", "d", "e"]);
    assert!(!rest.is_empty() && rest.without(&["b", "d", "e"]).is_empty());
}

/// X-comp-2: a computed field as a key of `filter`.
#[test]
fn by_a_computed_field() {
    let computed = [count_of("tag_count", "tags")];
    let item = Item::new(ITEM, &computed, Timestamp::UNIX_EPOCH);
    for (limit, expected) in [(1, true), (2, false)] {
        let filter = Filter::parse(&json!({"_computed.tag_count": {"gt": limit}})).unwrap();
        assert_eq!(filter.keys().next().and_then(|key| key.computed()), Some("tag_count"));
        assert_eq!(filter.matches(&item), expected, "{limit}");
    }
}
