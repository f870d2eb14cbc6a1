//! Tests of `example`.

use super::{including, minimal, value_for};
use crate::operation::Grouping;
use crate::params::check::problems;
use crate::params::format::Format;
use crate::params::{Param, ParamLocation, Shape, ValueKind};
use aqueduct_schema::{LazySchema, Pattern};
use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};
use serde_json::{Map, Value, json};
use std::sync::Arc;

#[test]
fn required_parameters_only() {
    let mut owner = Param::new("owner", ValueKind::String);
    owner.required = true;
    let mut count = Param::new("count", ValueKind::Integer);
    count.required = true;
    count.shape.minimum = Some(5.0);
    let optional = Param::new("page", ValueKind::Integer);
    let made = minimal(&[owner, count, optional], Grouping::Flat);
    assert_eq!(Value::Object(made.params), json!({"owner": "owner", "count": 5}));
    assert!(made.doubtful.is_empty());
}

#[test]
fn wanted_parameters_are_shown_where_they_belong() {
    let mut id = Param::new("id", ValueKind::Integer);
    id.required = true;
    let page = Param::new("page", ValueKind::Integer);
    let mut impossible = Param::new("code", ValueKind::String);
    impossible.shape.pattern = Some(Pattern::checked("^a$").unwrap());
    impossible.shape.min_length = Some(5);
    let mut title = Param::new("title", ValueKind::String);
    title.place = ParamLocation::Body;
    let mut pages = Param::new("pages", ValueKind::Integer);
    pages.place = ParamLocation::Body;
    let params = [id, page, impossible, title, pages];
    let shown = including(&params, Grouping::Input, &["page", "pages", "code", "nope"], &Map::new()).params;
    assert_eq!(Value::Object(shown), json!({"id": 1, "page": 1, "input": {"pages": 1}}));
}

#[test]
fn update_fields_stand_in_input() {
    let mut id = Param::new("id", ValueKind::Integer);
    id.required = true;
    id.place = ParamLocation::Path;
    let mut title = Param::new("title", ValueKind::String);
    title.place = ParamLocation::Body;
    let made = minimal(&[id, title], Grouping::Input);
    assert_eq!(Value::Object(made.params), json!({"id": 1, "input": {"title": "title"}}));
}

#[test]
fn impossible_values_are_named() {
    let mut code = Param::new("code", ValueKind::String);
    code.required = true;
    code.shape.pattern = Some(Pattern::checked("^a$").unwrap());
    code.shape.min_length = Some(5);
    assert_eq!(minimal(&[code], Grouping::Flat).doubtful, ["code"]);
}

/// Where no value fits and only objects are meant, the example is one, and not a text.
#[test]
fn impossible_objects_are_objects() {
    let settings = json!({"oneOf": [
        {"type": "object", "properties": {"mail": {"type": "object"}}},
        {"type": "object", "properties": {"security": {"type": "object"}}},
    ]});
    let mut body = Param::new("input", ValueKind::parse("any").unwrap_or(ValueKind::String));
    body.required = true;
    body.schema = Some(Arc::new(LazySchema::of(settings)));
    let made = minimal(&[body], Grouping::Flat);
    assert!(made.params["input"].is_object(), "{:?}", made.params);
}

#[test]
fn common_patterns_are_satisfied() {
    for pattern in [
        "^[A-Z]{3}-\\d{4}$",
        "^(open|closed)$",
        "^\\+?[1-9]\\d{1,14}$",
        "^#[0-9a-fA-F]{6}$",
        "^[a-z0-9]+(?:-[a-z0-9]+)*$",
        "^\\S+@\\S+$",
        "^[^/]+/[^/]+$",
        "\\bfoo\\b",
        "^.{8,}$",
        "^[\\w.-]{10,64}$",
    ] {
        let mut shape = Shape::of(ValueKind::String);
        shape.pattern = Some(Pattern::checked(pattern).unwrap());
        let made = value_for(&shape, "word").unwrap_or_else(|| panic!("{pattern}"));
        assert!(problems(&shape, &made).is_empty(), "{pattern}: {made}");
    }
}

#[test]
fn nested_repetitions_end() {
    for pattern in ["^((((((((a*)*)*)*)*)*)*)*b)$", "((((((((^*)*)*)*)*)*)*)*)*x"] {
        let mut shape = Shape::of(ValueKind::String);
        shape.pattern = Some(Pattern::checked(pattern).unwrap());
        value_for(&shape, "word");
    }
}

fn shapes() -> impl Strategy<Value = Shape> {
    let kind = prop_oneof![
        Just("string"),
        Just("integer"),
        Just("number"),
        Just("boolean"),
        Just("array"),
        Just("object"),
        Just("string[]"),
        Just("integer | string"),
    ];
    let formats = prop_oneof![
        Just(None),
        Just(Some("date")),
        Just(Some("date-time")),
        Just(Some("email")),
        Just(Some("uri")),
        Just(Some("uuid")),
        Just(Some("byte")),
        Just(Some("slug")),
    ];
    (kind, formats, any::<Option<i16>>(), 0..500_u16, 0..40_u64, any::<bool>()).prop_map(
        |(kind, format, low, span, min_length, lengths)| {
            let mut shape = Shape::of(ValueKind::parse(kind).unwrap());
            shape.minimum = low.map(f64::from);
            shape.maximum = low.map(|low| f64::from(low) + f64::from(span));
            if lengths && format.is_none() {
                shape.min_length = Some(min_length);
                shape.max_length = Some(min_length + 3);
            } else {
                shape.format = format.map(Format::parse);
            }
            shape
        },
    )
}

proptest! {
    #[test]
    fn made_values_pass_the_check(shape in shapes()) {
        let made = value_for(&shape, "word").expect("a value");
        assert!(problems(&shape, &made).is_empty(), "{shape:?} {made}");
    }
}
