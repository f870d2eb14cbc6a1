//! Tests of `sort`.

use super::{Sort, SortDirection};
use crate::error::QueryErrorKind;
use crate::item::Item;
use crate::test_support::count_of;
use aqueduct_operations::failure::wording::looks_like_a_leak;
use aqueduct_testkit::json::any_json;
use jiff::Timestamp;
use proptest::collection::vec;
use proptest::proptest;
use serde_json::{Value, json};

fn sorted(sort: &Sort, items: &[Value]) -> Vec<Value> {
    let texts: Vec<String> = items.iter().map(Value::to_string).collect();
    let read = texts.iter().map(|text| Item::new(text, &[], Timestamp::UNIX_EPOCH));
    sort.positions(read).into_iter().map(|index| items[index].clone()).collect()
}

fn values(sort: Value, values: &[Value]) -> Vec<Value> {
    let items: Vec<Value> = values.iter().map(|value| json!({"a": value})).collect();
    let sorted = sorted(&Sort::parse(&sort, None).unwrap(), &items);
    sorted.into_iter().map(|mut item| item["a"].take()).collect()
}

/// O4.2-5 O4.4.1-4: by a field, ascending unless it says otherwise.
#[test]
fn both_ways() {
    let mixed = [json!(true), json!(2), json!("b"), json!(10), json!("a"), json!(1.5), json!("2024-05-01")];
    let up = [json!(1.5), json!(2), json!(10), json!("2024-05-01"), json!("a"), json!("b"), json!(true)];
    let down: Vec<Value> = up.iter().rev().cloned().collect();
    assert_eq!(values(json!({"field": "a"}), &mixed), up);
    assert_eq!(values(json!({"field": "a", "order": "asc"}), &mixed), up);
    assert_eq!(values(json!({"field": "a", "order": "desc"}), &mixed), down);
}

#[test]
fn times_by_the_instant() {
    let (early, late) = (json!("2024-05-01T12:00:00+02:00"), json!("2024-05-01T11:00:00Z"));
    assert_eq!(values(json!({"field": "a"}), &[late.clone(), early.clone()]), [early, late]);
}

#[test]
fn nothing_and_null_come_last_in_both_directions() {
    let items =
        [json!({"n": 1}), json!({"n": 2, "a": null}), json!({"n": 3, "a": 1}), json!({"n": 4, "a": 2})];
    for (order, expected) in [("asc", [3, 4, 1, 2]), ("desc", [4, 3, 1, 2])] {
        let sort = Sort::parse(&json!({"field": "a", "order": order}), None).unwrap();
        let numbers: Vec<Value> =
            sorted(&sort, &items).into_iter().map(|mut item| item["n"].take()).collect();
        assert_eq!(numbers, expected, "{order}");
    }
}

#[test]
fn through_arrays_the_first_value_decides() {
    let by = json!({"field": "a.b"});
    let (first, second, empty) = (json!([{"b": null}, {"b": 2}, {"b": 0}]), json!({"b": [3, 1]}), json!([]));
    assert_eq!(values(by, &[empty.clone(), second.clone(), first.clone()]), [first, second, empty]);
}

/// X-comp-2: a computed field in `sort.field`.
#[test]
fn by_a_computed_field() {
    let computed = [count_of("tag_count", "tags")];
    let items = [r#"{"tags":[1,2]}"#, r#"{}"#, r#"{"tags":[]}"#, r#"{"tags":[1]}"#];
    let sort = Sort::parse(&json!({"field": "_computed.tag_count", "order": "desc"}), None).unwrap();
    assert_eq!(sort.key().computed(), Some("tag_count"));
    let read = items.iter().map(|item| Item::new(item, &computed, Timestamp::UNIX_EPOCH));
    assert_eq!(sort.positions(read), [0, 3, 2, 1]);
}

/// X-query-6: `sort` as a name, with `order` beside it.
#[test]
fn the_flat_form() {
    let parse = |sort, order: Option<Value>| Sort::parse(&sort, order.as_ref());
    let sort = parse(json!("owner.login"), Some(json!("desc"))).unwrap();
    assert_eq!((sort.key().text(), sort.direction()), ("owner.login", SortDirection::Descending));
    assert_eq!(parse(json!("a"), None).unwrap().direction().name(), "asc");
}

/// X-query-6: the direction in the text of the flat form.
#[test]
fn the_direction_in_the_flat_form() {
    for (text, field, order) in [
        ("-a.b", "a.b", "desc"),
        ("+a.b", "a.b", "asc"),
        ("a.b desc", "a.b", "desc"),
        ("a.b  asc", "a.b", "asc"),
        ("a.b DESC", "a.b", "desc"),
        ("- a", "a", "desc"),
        ("First Name desc", "First Name", "desc"),
        ("First Name", "First Name", "asc"),
        ("-_computed.age", "_computed.age", "desc"),
        ("desc", "desc", "asc"),
        ("reactions.+1", "reactions.+1", "asc"),
        ("a-b", "a-b", "asc"),
    ] {
        let sort = Sort::parse(&json!(text), None).unwrap();
        assert_eq!((sort.key().text(), sort.direction().name()), (field, order), "{text}");
    }
}

/// X-query-6 X-query-4: the direction is said once, and in the object form beside the field.
#[test]
fn two_directions() {
    for (sort, order, expected, hint) in [
        (
            json!("-a"),
            Some(json!("desc")),
            "order: expected left out when 'sort' has a direction in it, received desc",
            "Send 'sort' as '-field' or 'field desc', or the field alone with 'order' beside it.",
        ),
        (
            json!("a asc"),
            Some(json!(1)),
            "order: expected left out when 'sort' has a direction in it, received a second direction",
            "Send 'sort' as '-field' or 'field desc', or the field alone with 'order' beside it.",
        ),
        (
            json!("-a desc"),
            None,
            "sort: expected a field with one direction, received -a desc",
            "Send '-field' or 'field desc'.",
        ),
        (
            json!({"field": "-a"}),
            None,
            "sort.field: expected the field alone, with the direction in 'order', received -a",
            r#"Send {"field": "a", "order": "desc"}."#,
        ),
        (
            json!({"field": "a asc", "order": "asc"}),
            None,
            "sort.field: expected the field alone, with the direction in 'order', received a asc",
            r#"Send {"field": "a", "order": "asc"}."#,
        ),
    ] {
        let errors = Sort::parse(&sort, order.as_ref()).unwrap_err();
        let found: Vec<_> = errors.iter().map(|error| (error.to_string(), error.hint.as_deref())).collect();
        assert_eq!(found, [(expected.to_owned(), Some(hint))]);
        assert!(!looks_like_a_leak(hint), "{hint}");
    }
}

/// What came is shown as it is: those who show it put the quotes around it.
#[test]
fn what_came_has_no_quotes_of_its_own() {
    for (sort, order, received) in [
        (json!("a"), Some(json!("DESC")), "DESC"),
        (json!({"field": "a", "order": "ASC"}), None, "ASC"),
        (json!({"field": "a..b"}), None, "a..b"),
        (json!("-"), None, "-"),
        (json!("a..b desc"), None, "a..b desc"),
        (json!({"field": "a"}), Some(json!("asc")), "beside it"),
    ] {
        assert_eq!(Sort::parse(&sort, order.as_ref()).unwrap_err()[0].received, received, "{sort}");
    }
}

/// X-query-4: closed, with a field and one of two orders.
#[test]
fn mistakes() {
    let (kind, unknown, value) = (QueryErrorKind::Type, QueryErrorKind::Unknown, QueryErrorKind::Value);
    for (sort, order, expected) in [
        (json!(["a"]), None, vec![(kind, "sort")]),
        (json!({}), None, vec![(value, "sort.field")]),
        (json!({"field": 1}), None, vec![(kind, "sort.field")]),
        (json!({"field": "a."}), None, vec![(value, "sort.field")]),
        (json!({"field": "a", "order": "down"}), None, vec![(value, "sort.order")]),
        (json!({"field": "a", "order": 1}), None, vec![(kind, "sort.order")]),
        (
            json!({"field": "a", "by": 1, "order": "ASC"}),
            None,
            vec![(unknown, "sort.by"), (value, "sort.order")],
        ),
        (json!({"field": "a"}), Some(json!("asc")), vec![(value, "order")]),
        (json!("a"), Some(json!("up")), vec![(value, "order")]),
        (json!(""), Some(json!(true)), vec![(value, "sort"), (kind, "order")]),
        (json!("- ."), Some(json!("asc")), vec![(value, "sort"), (value, "order")]),
    ] {
        let errors = Sort::parse(&sort, order.as_ref()).unwrap_err();
        assert!(errors.iter().all(|error| !looks_like_a_leak(&error.to_string())), "{errors:?}");
        let found: Vec<_> = errors.iter().map(|error| (error.kind, error.param.as_str())).collect();
        assert_eq!(found, expected, "{sort}");
    }
}

proptest! {
    /// Whatever is mixed, sorting again changes nothing, and equal items keep their order.
    #[test]
    fn stable(items in vec(any_json(), 0..40), descending in proptest::bool::ANY) {
        let order = if descending { "desc" } else { "asc" };
        let sort = Sort::parse(&json!({"field": "a", "order": order}), None).unwrap();
        let items: Vec<Value> = items.into_iter().map(|value| json!({"a": value})).collect();
        let once = sorted(&sort, &items);
        proptest::prop_assert_eq!(&sorted(&sort, &once), &once);
    }
}
