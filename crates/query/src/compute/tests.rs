//! One item that has something of every kind, and what each kind of expression makes of it; nothing missing is ever
//! more than null.

use super::{computed_member, value};
use crate::test_support::computed;
use aqueduct_operations::response::{Comparison, ComputedExpression, FieldPath, Operand, Operator, Template};
use jiff::Timestamp;
use proptest::proptest;
use serde_json::{Value, json};

const ITEM: &str = concat!(
    r#"{"created_at":"2024-05-01T10:00:00Z","unix":1714557600,"millis":1714557600000,"owner":{"login":"ann","id":7},"#,
    r#""name":"naïve","tags":["a","b"],"no_tags":[],"labels":[{"name":"bug"},{"name":null},{"name":"p1"},{}],"nothing":null,"stars":10,"#,
    r#""half":2.5,"zero":0,"flag":true,"big":9223372036854775807,"pushed_at":"2024-05-01T13:00:00+02:00"}"#,
);

fn now() -> Timestamp {
    "2024-05-03T09:59:59Z".parse().unwrap()
}

fn path(text: &str) -> FieldPath {
    FieldPath::parse(text).unwrap()
}

fn result(expression: ComputedExpression) -> Value {
    value(&computed("x", expression), ITEM, now())
}

/// X-comp-4: ages are whole days and hours, of texts and of seconds and milliseconds since 1970.
#[test]
fn ages() {
    for field in ["created_at", "unix", "millis"] {
        assert_eq!(result(ComputedExpression::AgeDays(path(field))), 1, "{field}");
        assert_eq!(result(ComputedExpression::AgeHours(path(field))), 47, "{field}");
    }
    for field in ["nothing", "none", "name", "flag", "tags", "owner.none", "big"] {
        assert_eq!(result(ComputedExpression::AgeDays(path(field))), Value::Null, "{field}");
    }
    let future = computed("x", ComputedExpression::AgeHours(path("created_at")));
    assert_eq!(value(&future, ITEM, "2024-05-01T07:30:00Z".parse().unwrap()), -2);
}

/// X-comp-4: counts are of elements, keys, characters, or of what a path through arrays finds.
#[test]
fn counts() {
    for (field, expected) in
        [("tags", 2), ("no_tags", 0), ("owner", 2), ("name", 5), ("labels", 4), ("labels.name", 2)]
    {
        assert_eq!(result(ComputedExpression::Count(path(field))), expected, "{field}");
    }
    for field in ["nothing", "none", "stars", "flag", "owner.none"] {
        assert_eq!(result(ComputedExpression::Count(path(field))), Value::Null, "{field}");
    }
}

#[test]
fn templates() {
    for (template, expected) in [
        ("{owner.login}/{name}", json!("ann/naïve")),
        ("{{{stars}}} of {half}, {flag}", json!("{10} of 2.5, true")),
        ("{labels.name}; {tags}", json!("bug, p1; a, b")),
        ("plain", json!("plain")),
        ("{owner.login}/{none}", Value::Null),
        ("{nothing}", Value::Null),
        ("{no_tags}", Value::Null),
    ] {
        assert_eq!(
            result(ComputedExpression::Template(Template::parse(template).unwrap())),
            expected,
            "{template}"
        );
    }
}

#[test]
fn arithmetic() {
    use Operator::{Add, Div, Mul, Sub};
    let number = Operand::Number;
    let field = |name: &str| Operand::Path(path(name));
    for (operator, operands, expected) in [
        (Add, vec![field("stars"), number(1.0), number(2.0)], json!(13)),
        (Sub, vec![field("stars"), number(1.0), number(2.0)], json!(7)),
        (Mul, vec![field("stars"), field("half")], json!(25)),
        (Div, vec![field("stars"), number(4.0)], json!(2.5)),
        (Div, vec![field("stars"), number(2.0), number(5.0)], json!(1)),
        (Add, vec![field("big"), number(1.0)], json!(9_223_372_036_854_775_808_u64)),
        (Add, vec![field("half"), number(0.25)], json!(2.75)),
        (Div, vec![field("stars"), field("zero")], Value::Null),
        (Div, vec![field("zero"), field("zero")], Value::Null),
        (Add, vec![field("stars"), field("none")], Value::Null),
        (Add, vec![field("stars"), field("name")], Value::Null),
        (Mul, vec![number(1e300), number(1e300)], Value::Null),
        (Add, vec![field("labels.name"), number(1.0)], Value::Null),
        (Add, vec![], Value::Null),
    ] {
        let text = format!("{operator:?} {operands:?}");
        assert_eq!(result(ComputedExpression::Arithmetic(operator, operands)), expected, "{text}");
    }
}

#[test]
fn comparisons() {
    use Comparison::{Equal, Greater, Less};
    let number = Operand::Number;
    let field = |name: &str| Operand::Path(path(name));
    for (comparison, left, right, expected) in [
        (Greater, field("stars"), number(9.0), json!(true)),
        (Greater, field("stars"), number(10.0), json!(false)),
        (Less, field("half"), field("stars"), json!(true)),
        (Less, field("half"), number(2.5), json!(false)),
        (Equal, field("stars"), number(10.0), json!(true)),
        (Equal, field("name"), number(10.0), json!(false)),
        (Greater, field("pushed_at"), field("created_at"), json!(true)),
        (Less, field("name"), number(10.0), Value::Null),
        (Equal, field("none"), number(10.0), Value::Null),
        (Equal, field("none"), field("nothing"), Value::Null),
    ] {
        let text = format!("{comparison:?} {left:?} {right:?}");
        assert_eq!(result(ComputedExpression::Compare(comparison, left, right)), expected, "{text}");
    }
}

#[test]
fn existence() {
    for (field, expected) in
        [("stars", true), ("no_tags", true), ("nothing", false), ("none", false), ("labels.name", true)]
    {
        assert_eq!(result(ComputedExpression::Exists(path(field))), expected, "{field}");
    }
}

/// X-comp-1: the fields that are asked for, in that order, in one object.
#[test]
fn the_object() {
    let tags = computed("tag_count", ComputedExpression::Count(path("tags")));
    let slug = computed("slug", ComputedExpression::Template(Template::parse("\"{owner.login}\"").unwrap()));
    let none = computed("none", ComputedExpression::Count(path("none")));
    let text = computed_member(&[slug, tags, none], ITEM, now());
    assert_eq!(text, r#"{"slug":"\"ann\"","tag_count":2,"none":null}"#);
    assert_eq!(computed_member(&[], ITEM, now()), "{}");
}

proptest! {
    #[test]
    fn any_item_is_survived(item in aqueduct_testkit::json::any_json(), number in proptest::num::i64::ANY) {
        let item = json!({"a": item, "n": number}).to_string();
        for expression in [
            ComputedExpression::AgeDays(path("n")),
            ComputedExpression::AgeDays(path("a")),
            ComputedExpression::Count(path("a")),
            ComputedExpression::Arithmetic(Operator::Mul, vec![Operand::Path(path("n")), Operand::Path(path("n"))]),
            ComputedExpression::Arithmetic(Operator::Div, vec![Operand::Path(path("n")), Operand::Path(path("a"))]),
        ] {
            value(&computed("x", expression), &item, now());
        }
    }
}
