//! Tests of `shape`.

use super::{Shape, ValueKind};
use crate::Pattern;
use crate::format::Format;
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

/// Every constraint has its keyword, and whole bounds are written whole.
#[test]
fn constraints_as_keywords() {
    let text = Shape {
        allowed: Some(vec![json!("a")]),
        min_length: Some(1),
        max_length: Some(9),
        pattern: Pattern::checked("^a$").ok(),
        format: Some(Format::Email),
        ..Shape::of(ValueKind::String)
    };
    let number = Shape { minimum: Some(-1.0), maximum: Some(2.5), ..Shape::of(ValueKind::Number) };
    let typed = |shape: &Shape| json!({"type": shape.shown_type()});
    let keywords = |shape: Shape| {
        let list = Shape { items: Some(Box::new(shape)), ..Shape::of(ValueKind::Array(None)) };
        let mut schema = json!({});
        list.put_keywords(&mut schema, typed);
        schema["items"].to_string()
    };
    let of_text = json!({"type": "string", "enum": ["a"], "minLength": 1, "maxLength": 9, "pattern": "^a$", "format": "email"});
    assert_eq!(keywords(text), of_text.to_string());
    assert_eq!(keywords(number), json!({"type": "number", "minimum": -1, "maximum": 2.5}).to_string());
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
