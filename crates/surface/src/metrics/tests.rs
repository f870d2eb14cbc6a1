//! What is counted, how it is written, and that its size is bounded.
//!
//! That no parameter gets into it is tested with the real binary.

use super::{MOST_OPERATIONS, Metrics};
use aqueduct_dispatch::observe::{FinishedCall, Observer};
use aqueduct_operations::call::SessionEnd;
use aqueduct_operations::gatekeeper::GateOutcome;
use std::time::Duration;

fn call(operation: Option<(&'static str, &'static str)>, outcome: &'static str) -> FinishedCall<'static> {
    let upstream = operation.map(|_| Duration::from_millis(3));
    let gate = operation.map(|_| GateOutcome::Allowed);
    FinishedCall { operation, gate, outcome, took: Duration::from_millis(4), upstream }
}

/// R1.2-5: count, outcome and duration of every operation.
#[test]
fn calls_by_operation_and_outcome() {
    let metrics = Metrics::default();
    metrics.finished(&call(Some(("shop", "get_product")), "success"));
    metrics.finished(&call(Some(("shop", "get_product")), "success"));
    metrics.finished(&call(Some(("shop", "get_product")), "NOT_FOUND_RESOURCE"));
    metrics.finished(&call(None, "NOT_FOUND_OPERATION"));
    let text = metrics.text();
    for line in [
        r#"aqueduct_calls_total{source="shop",operation="get_product",outcome="success"} 2"#,
        r#"aqueduct_calls_total{source="shop",operation="get_product",outcome="NOT_FOUND_RESOURCE"} 1"#,
        r#"aqueduct_calls_total{source="other",operation="other",outcome="NOT_FOUND_OPERATION"} 1"#,
        r#"aqueduct_errors_total{source="shop",code="NOT_FOUND_RESOURCE"} 1"#,
        r#"aqueduct_gate_total{source="shop",outcome="allowed"} 3"#,
        r#"aqueduct_operation_seconds_total{source="shop",operation="get_product"} 0.012"#,
        r#"aqueduct_call_seconds_bucket{source="shop",le="0.0025"} 0"#,
        r#"aqueduct_call_seconds_bucket{source="shop",le="0.005"} 3"#,
        r#"aqueduct_call_seconds_bucket{source="shop",le="+Inf"} 3"#,
        r#"aqueduct_call_seconds_sum{source="shop"} 0.012"#,
        r#"aqueduct_upstream_seconds_sum{source="shop"} 0.009"#,
        r#"aqueduct_upstream_seconds_count{source="other"} 0"#,
    ] {
        assert!(text.lines().any(|each| each == line), "{line}\n{text}");
    }
}

#[test]
fn sessions_are_counted() {
    let metrics = Metrics::default();
    metrics.open_session();
    metrics.open_session();
    metrics.close_session(SessionEnd::Graceful);
    metrics.open_session();
    let text = metrics.text();
    assert!(text.contains("\naqueduct_sessions 2\n"), "{text}");
    assert!(text.contains("\naqueduct_sessions_opened_total 3\n"), "{text}");
}

#[test]
fn labels_are_bounded() {
    let metrics = Metrics::default();
    let names: Vec<String> = (0..MOST_OPERATIONS + 50).map(|n| format!("list_{n}")).collect();
    for name in &names {
        let operation = Some(("big", name.as_str()));
        metrics.finished(&FinishedCall { operation, ..call(None, "success") });
    }
    let text = metrics.text();
    let lines = text.lines().filter(|line| line.starts_with("aqueduct_calls_total{")).count();
    assert_eq!(lines, MOST_OPERATIONS + 1);
    assert!(text.contains(r#"operation="other",outcome="success"} 50"#), "{text}");
}
