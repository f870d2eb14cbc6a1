//! What is counted, how it is written, and that its size is bounded.
//!
//! That no parameter gets into it is tested with the real binary.

use super::{MOST_CALLERS, MOST_OPERATIONS, Metrics};
use aqueduct_dispatch::observe::{FinishedCall, Observer};
use aqueduct_operations::call::{Caller, SessionEnd};
use aqueduct_operations::gatekeeper::GateRecord;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::source::Source;
use aqueduct_testkit::operation::get;
use aqueduct_testkit::permit::PermittedOperation;
use std::sync::Arc;
use std::time::Duration;

static LOCAL: Caller = Caller::local();

const UNKNOWN: FinishedCall<'static> = FinishedCall {
    caller: &LOCAL,
    entry: None,
    gate: None,
    outcome: "NOT_FOUND_OPERATION",
    took: Duration::from_millis(4),
    upstream: None,
};

fn entry(name: &str) -> RegistryEntry {
    let operation = Arc::new(get(name, "https://shop.example.com", "/"));
    let source = Arc::new(Source { name: "shop".to_owned(), ..Source::built_in() });
    RegistryEntry { public_name: name.to_owned(), operation, source }
}

fn call<'a>(gate: &'a GateRecord<'a>, outcome: &'static str) -> FinishedCall<'a> {
    let upstream = Some(Duration::from_millis(3));
    FinishedCall { entry: Some(gate.entry()), gate: Some(gate), outcome, upstream, ..UNKNOWN }
}

/// R1.2-5: count, outcome and duration of every operation.
#[test]
fn calls_by_operation_and_outcome() {
    let metrics = Metrics::default();
    let permitted = PermittedOperation::of_entry(entry("get_product"));
    let gate = permitted.permit(&Arc::default()).record().clone();
    metrics.finished(&call(&gate, "success"));
    metrics.finished(&call(&gate, "success"));
    metrics.finished(&call(&gate, "NOT_FOUND_RESOURCE"));
    metrics.finished(&UNKNOWN);
    let text = metrics.text();
    for line in [
        r#"aqueduct_calls_total{source="shop",operation="get_product",outcome="success"} 2"#,
        r#"aqueduct_calls_total{source="shop",operation="get_product",outcome="NOT_FOUND_RESOURCE"} 1"#,
        r#"aqueduct_calls_total{source="other",operation="other",outcome="NOT_FOUND_OPERATION"} 1"#,
        r#"aqueduct_errors_total{source="shop",code="NOT_FOUND_RESOURCE"} 1"#,
        r#"aqueduct_caller_calls_total{caller="local",source="shop",outcome="success"} 2"#,
        r#"aqueduct_caller_calls_total{caller="local",source="other",outcome="NOT_FOUND_OPERATION"} 1"#,
        r#"aqueduct_gate_total{source="shop",outcome="allowed",danger="safe"} 3"#,
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
    for n in 0..MOST_OPERATIONS + 50 {
        let entry = entry(&format!("list_{n}"));
        metrics.finished(&FinishedCall { entry: Some(&entry), outcome: "success", ..UNKNOWN });
    }
    let text = metrics.text();
    let lines = text.lines().filter(|line| line.starts_with("aqueduct_calls_total{")).count();
    assert_eq!(lines, MOST_OPERATIONS + 1);
    assert!(text.contains(r#"operation="other",outcome="success"} 50"#), "{text}");
}

#[test]
fn callers_are_bounded() {
    let metrics = Metrics::default();
    for n in 0..MOST_CALLERS + 50 {
        let caller = Caller::named(format!("caller_{n}"));
        metrics.finished(&FinishedCall { caller: &caller, ..UNKNOWN });
    }
    let text = metrics.text();
    assert!(
        text.contains("{caller=\"other\",source=\"other\",outcome=\"NOT_FOUND_OPERATION\"} 50"),
        "{text}"
    );
}
