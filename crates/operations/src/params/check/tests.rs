//! Tests of `check`.

use super::{BrokenRule, INTEGER_RANGE, large_integer, problems};
use crate::params::format::Format;
use crate::params::{Shape, ValueKind};
use aqueduct_schema::Pattern;
use serde_json::{Value, json};

fn shape(kind: &str, change: impl FnOnce(&mut Shape)) -> Shape {
    let mut shape = Shape::of(ValueKind::parse(kind).unwrap());
    change(&mut shape);
    shape
}

fn rules(shape: &Shape, value: &Value) -> Vec<&'static str> {
    problems(shape, value)
        .into_iter()
        .map(|p| match p.rule {
            BrokenRule::Type => "type",
            BrokenRule::Constraint(name) => name,
        })
        .collect()
}

/// R1.3-15 O5.2-7 O5.2-8 O5.2-9 O5.2-10 O5.4-2 O5.4-4: types, enum, bounds (inclusive) and pattern are enforced.
#[test]
fn constraints() {
    let price = shape("number", |s| {
        s.minimum = Some(0.0);
        s.maximum = Some(10.0);
    });
    for (value, expected) in [
        (json!(0), vec![]),
        (json!(10), vec![]),
        (json!(-1), vec!["minimum"]),
        (json!(10.5), vec!["maximum"]),
        (json!("5"), vec!["type"]),
        (json!(null), vec!["type"]),
    ] {
        assert_eq!(rules(&price, &value), expected, "{value}");
    }
    let state = shape("string", |s| s.allowed = Some(vec![json!("open"), json!("closed")]));
    assert_eq!(rules(&state, &json!("open")), Vec::<&str>::new());
    assert_eq!(rules(&state, &json!("Open")), ["enum"]);
    let code = shape("string", |s| {
        s.pattern = Some(Pattern::checked("^[A-Z]+$").unwrap());
        s.min_length = Some(2);
        s.max_length = Some(3);
    });
    assert_eq!(rules(&code, &json!("AB")), Vec::<&str>::new());
    assert_eq!(rules(&code, &json!("a")), ["minLength", "pattern"]);
    assert_eq!(rules(&code, &json!("ABCD")), ["maxLength"]);
    assert_eq!(rules(&code, &json!("éé")), ["pattern"], "characters, not bytes");
}

/// C4.7.3-1 C4.7.3-2: integers outside the safe range are refused, not rounded; as text they are exact.
#[test]
fn large_integers() {
    let id = shape("integer", |_| {});
    assert_eq!(rules(&id, &json!(9_007_199_254_740_991_i64)), Vec::<&str>::new());
    for exact in [json!(9_007_199_254_740_993_i64), json!(i64::MIN), json!(u64::MAX)] {
        assert_eq!(rules(&id, &exact), [INTEGER_RANGE], "{exact}");
        assert_eq!(large_integer(&ValueKind::Integer, &exact.to_string()), Some(exact));
    }
    assert_eq!(rules(&id, &json!(1e300)), [INTEGER_RANGE]);
    for text in ["5", "18446744073709551616", "+9007199254740993", "09007199254740993", "9007199254740993.0"]
    {
        assert_eq!(large_integer(&ValueKind::Integer, text), None, "{text}");
    }
    let either = ValueKind::parse("string | integer").unwrap();
    assert_eq!(large_integer(&either, "9007199254740993"), None, "text is right there");
    assert_eq!(rules(&shape("number", |_| {}), &json!(1e300)), Vec::<&str>::new());
}

#[test]
fn elements_are_named_by_index() {
    let dates = shape("array", |s| {
        s.items = Some(Box::new(shape("string", |i| i.format = Some(Format::Date))));
    });
    let found = problems(&dates, &json!(["2026-01-01", "soon", 3]));
    let places: Vec<_> = found.iter().map(|p| (p.place.as_str(), p.received.as_str())).collect();
    assert_eq!(places, [("[1]", "soon"), ("[2]", "integer")]);
    let names = shape("string[]", |_| {});
    let wrong: Vec<_> = problems(&names, &json!([1, "a", null])).into_iter().map(|p| p.place).collect();
    assert_eq!(wrong, ["[0]", "[2]"], "every one of them");
}
