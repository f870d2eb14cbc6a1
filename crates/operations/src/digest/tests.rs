//! Tests of `digest`.

use super::Digest;
use serde_json::{Value, json};

fn hash(value: Value) -> Digest {
    Digest::of_values(value.as_object().unwrap())
}

/// X-token-5: the canonical form ignores key order, at any depth, and nothing else.
#[test]
fn key_order_does_not_count() {
    assert_eq!(hash(json!({"a": 1, "b": {"c": 2, "d": 3}})), hash(json!({"b": {"d": 3, "c": 2}, "a": 1})));
    for other in [json!({"a": 2}), json!({"a": "1"}), json!({"a": [1]}), json!({"b": 1}), json!({})] {
        assert_ne!(hash(json!({"a": 1})), hash(other));
    }
    assert_ne!(hash(json!({"a": [1, 2]})), hash(json!({"a": [2, 1]})));
    assert_ne!(hash(json!({"a": "x\",\"b\":\"y"})), hash(json!({"a": "x", "b": "y"})));
}
