//! Tests of `depth`.

use super::{cut, is_deeper_than};
use serde_json::json;

#[test]
fn the_bound_counts_arrays_and_objects() {
    let value = json!({"a": [{"b": 1}]});
    assert!(!is_deeper_than(&value, 3));
    assert!(is_deeper_than(&value, 2));
    assert_eq!(cut(&value, 3), value);
    assert_eq!(cut(&value, 2), json!({"a": [true]}));
}
