//! Tests of `shape`.

use super::{Shape, ValueKind};
use serde_json::json;

/// R4.3-1 O5.2-1: the six names, lists and unions; anything else is no type.
#[test]
fn parses_types() {
    for text in ["string", "integer", "number", "boolean", "array", "object", "string[]", "string | string[]"]
    {
        assert_eq!(ValueKind::parse(text).unwrap().to_string(), text);
    }
    for text in ["", "text", "int", "string|", "[]", "String", "string []x"] {
        assert_eq!(ValueKind::parse(text), None, "{text:?}");
    }
}

/// X-intro-10: a declared type is shown by its name, a list of it as one.
#[test]
fn declared_types_are_shown_by_name() {
    let of = |kind: &str| Shape {
        reference: Some("User".to_owned()),
        ..Shape::of(ValueKind::parse(kind).unwrap())
    };
    assert_eq!(of("object").shown_type(), "User");
    assert_eq!(of("object[]").shown_type(), "User[]");
    assert_eq!(Shape::of(ValueKind::Object).shown_type(), "object");
}

#[test]
fn integers_have_no_fraction() {
    assert!(ValueKind::Integer.accepts(&json!(5)));
    assert!(ValueKind::Integer.accepts(&json!(5.0)));
    assert!(!ValueKind::Integer.accepts(&json!(5.5)));
    assert!(!ValueKind::Integer.accepts(&json!("5")));
    assert!(ValueKind::parse("string | integer[]").unwrap().accepts(&json!([1, 2])));
    assert!(!ValueKind::parse("string | integer[]").unwrap().accepts(&json!([1, "2"])));
}

#[test]
fn texts_stand_for_values() {
    let of = |kind: &str, text: &str| ValueKind::parse(kind).unwrap().value_of(text);
    for (kind, text, value) in [
        ("string", "1", json!("1")),
        ("integer", "-7", json!(-7)),
        ("number", "2.5", json!(2.5)),
        ("boolean", "false", json!(false)),
        ("array", "a", json!(["a"])),
        ("integer[]", "4", json!([4])),
        ("integer | boolean", "true", json!(true)),
        ("integer | string", "4", json!("4")),
    ] {
        assert_eq!(of(kind, text), Some(value), "{kind}");
    }
    for (kind, text) in [("integer", "2.5"), ("number", "two"), ("boolean", "yes"), ("object", "{}")] {
        assert_eq!(of(kind, text), None, "{kind}");
    }
}
