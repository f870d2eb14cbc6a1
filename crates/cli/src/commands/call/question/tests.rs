//! Tests of `question`.

use super::question;
use aqueduct_operations::failure::{Code, Failure};
use serde_json::json;

#[test]
fn what_would_run_stands_line_by_line() {
    let asked = Failure::new(Code::ConfirmationRequired, "m")
        .with("operation", "shop__update_order")
        .with("source", "shop")
        .with("params", json!({"order_id": "5", "input": {"state": "paid", "address": {"city": "Bern"}}}))
        .with("reasons", vec!["one", "it \u{1b}[2Jis gone"]);
    let text = question(&asked);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines,
        [
            "shop__update_order of shop needs your yes.",
            "  order_id: \"5\"",
            "  input.state: \"paid\"",
            "  input.address: {\"city\":\"Bern\"}",
            "Run this call? (one; it  [2Jis gone) [y/N]",
        ]
    );
}
