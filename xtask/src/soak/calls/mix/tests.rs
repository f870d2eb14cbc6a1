//! Tests of `mix`.

use super::{Call, id_of};
use std::collections::HashSet;

#[test]
fn no_two_reads_are_alike() {
    let mut seen = HashSet::new();
    for number in 0..2000 {
        let call = Call::of(number);
        let is_always_the_same = number % 20 == 3;
        assert!(seen.insert(call.arguments.to_string()) || is_always_the_same, "{}", call.arguments);
    }
}

#[test]
fn answers_are_looked_at() {
    let call = Call::of(17);
    assert!(call.is_answered_by(r#"{"text":"{\"data\":{\"path\":\"/items/i17\"}}"}"#));
    assert!(!call.is_answered_by(r#"{"text":"{\"data\":{\"path\":\"/items/i170\"}}"}"#));
    assert!(!call.is_answered_by(r#"{"text":"{\"success\":false}"}"#));
    assert!(Call::of(1005).is_answered_by("CONFIRMATION_REQUIRED"));
}

#[test]
fn notifications_answer_nothing() {
    assert_eq!(id_of(r#"{"jsonrpc":"2.0","id":7,"result":{}}"#), Some(7));
    assert_eq!(id_of(r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#), None);
    assert_eq!(id_of("nonsense"), None);
}
