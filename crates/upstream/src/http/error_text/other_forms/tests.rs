//! Tests of `other_forms`.

use super::super::reason;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::{collection, proptest};
use serde_json::{Value, json};

#[track_caller]
fn assert_reasons(cases: impl IntoIterator<Item = (Value, &'static str)>) {
    for (body, expected) in cases {
        assert_eq!(reason(&body).as_deref(), Some(expected).filter(|text| !text.is_empty()), "{body}");
    }
}

#[test]
fn one_text() {
    for key in ["detail", "title", "msg", "reason", "error_description", "description", "Message"] {
        assert_reasons([(json!({"status": 400, key: "no such thing"}), "no such thing")]);
    }
    assert_reasons([
        (json!("not allowed"), "not allowed"),
        (json!({"fault": {"faultstring": "no key", "detail": {"errorcode": "oauth.v2"}}}), "no key"),
        (json!({"error": {"type": "x", "reason": "no such index"}}), "no such index"),
        (json!({"error": {"description": "no"}}), "no"),
        (json!({"errorMessages": ["Issue does not exist"], "errors": {}}), "Issue does not exist"),
        (json!({"errors": "all wrong"}), "all wrong"),
    ]);
}

#[test]
fn problem_details() {
    assert_reasons([
        (
            json!({"type": "https://example.com/credit", "title": "No credit.", "status": 403, "detail": "Balance is 30"}),
            "No credit: Balance is 30",
        ),
        (json!({"title": "No credit", "detail": "No credit: balance is 30"}), "No credit: balance is 30"),
        (
            json!({"title": "Validation errors occurred.", "errors": {"Name": ["The Name field is required."]}}),
            "Validation errors occurred: Name: The Name field is required.",
        ),
        (
            json!({"title": "Not valid", "invalid-params": [{"name": "age", "reason": "must be positive"}]}),
            "Not valid: age: must be positive",
        ),
    ]);
}

#[test]
fn fields() {
    assert_reasons([
        (json!({"name": ["may not be blank"]}), "name: may not be blank"),
        (
            json!({"name": ["too short", "taken"], "address": {"zip": ["bad"]}, "non_field_errors": ["sum is off"]}),
            "name: too short; name: taken; address.zip: bad; sum is off",
        ),
        (json!({"errors": {"name": ["is bad"], "age": "is odd"}}), "name: is bad; age: is odd"),
        (json!({"errors": {"name": {"_errors": [{"code": "X", "message": "is bad"}]}}}), "name: is bad"),
        (
            json!({"detail": [{"loc": ["body", "items", 0, "name"], "msg": "Field required", "type": "missing"},
                    {"loc": ["query"], "msg": "bad"}]}),
            "items.0.name: Field required; query: bad",
        ),
        (
            json!({"errors": [{"source": {"pointer": "/data/attributes/name"}, "title": "Invalid", "detail": "is bad"}]}),
            "name: Invalid: is bad",
        ),
        (json!([{"message": "gone", "errorCode": "NOT_FOUND"}]), "gone"),
        (json!({"details": [{"field": "age", "description": "is odd"}]}), "age: is odd"),
    ]);
}

#[test]
fn bodies_that_give_no_reason() {
    assert_reasons([
        (json!({"status": "error", "code": "E1"}), ""),
        (json!({"items": []}), ""),
        (json!({"id": 1, "tags": ["a", "b"]}), ""),
        (json!({"error": {"code": 1}}), ""),
        (json!({"detail": {"code": 1}}), ""),
        (json!([1, 2]), ""),
        (json!(" "), ""),
        (json!(true), ""),
    ]);
}

fn any_body() -> impl Strategy<Value = Value> {
    let key = prop_oneof![
        Just("message"),
        Just("error"),
        Just("errors"),
        Just("detail"),
        Just("title"),
        Just("loc"),
        Just("fault"),
        Just("name"),
        Just("_errors"),
        Just("source"),
        Just("pointer"),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,10}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 5, move |inner| {
        prop_oneof![
            collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            collection::vec((key.clone(), inner), 0..5).prop_map(|pairs| {
                Value::Object(pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
            }),
        ]
    })
}

proptest! {
    /// Whatever a body looks like, its reason is some text or none.
    #[test]
    fn a_reason_is_never_blank(body in any_body()) {
        proptest::prop_assert!(reason(&body).is_none_or(|text| !text.trim().is_empty()));
    }
}
