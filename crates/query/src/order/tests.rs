//! Tests of `order`.

use super::{ValueRank, comparable, same};
use serde_json::{Value, json};
use std::cmp::Ordering;

#[test]
fn mixed_values_have_one_order() {
    let ordered = [
        json!(-1.5),
        json!(2),
        json!("2024-05-01T09:00:00Z"),
        json!("2024-05-01T12:00:00+02:00"),
        json!("2024-05-01T11:00:00Z"),
        json!("10"),
        json!("2024-05-01 or so"),
        json!("Zebra"),
        json!("apple"),
        json!("é"),
        json!(false),
        json!(true),
        json!({}),
    ];
    let ranks: Vec<ValueRank> = ordered.iter().filter_map(ValueRank::of).collect();
    for (i, left) in ranks.iter().enumerate() {
        for (j, right) in ranks.iter().enumerate() {
            assert_eq!(left.compare(right), i.cmp(&j), "{} {}", ordered[i], ordered[j]);
        }
    }
    assert!(ValueRank::of(&Value::Null).is_none());
}

#[test]
fn two_values() {
    assert_eq!(comparable(&json!(1), &json!(1.0)), Some(Ordering::Equal));
    assert_eq!(comparable(&json!("b"), &json!("a")), Some(Ordering::Greater));
    assert_eq!(
        comparable(&json!("2024-05-01T12:00:00+02:00"), &json!("2024-05-01T11:00:00Z")),
        Some(Ordering::Less)
    );
    assert_eq!(comparable(&json!("2024-05-01"), &json!("2024")), Some(Ordering::Greater));
    for (left, right) in [(json!(1), json!("1")), (json!(true), json!(false)), (json!(null), json!(null))] {
        assert_eq!(comparable(&left, &right), None);
    }
    assert!(
        same(&json!(1), &json!(1.0)) && same(&json!("a"), &json!("a")) && same(&json!(null), &json!(null))
    );
    assert!(!same(&json!(1), &json!("1")) && !same(&json!("a"), &json!("A")));
}
