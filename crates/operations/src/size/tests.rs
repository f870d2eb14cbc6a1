//! Tests of `size`.

use super::is_large;
use serde_json::json;

#[test]
fn texts_keys_and_numbers_count() {
    for large in [
        json!("x".repeat(2_000)),
        json!({ "x".repeat(2_000): 1 }),
        json!([["x".repeat(500)], ["y".repeat(500)]]),
        json!(vec![0; 2_000]),
    ] {
        assert!(is_large(&large, 1_000), "{large}");
    }
    for small in [json!("x"), json!({"a": [1, 2, {"b": "c"}]}), json!(null)] {
        assert!(!is_large(&small, 1_000), "{small}");
    }
}
