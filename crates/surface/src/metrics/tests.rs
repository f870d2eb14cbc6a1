//! What is counted, how it is written, and that its size is bounded.
//!
//! That no parameter gets into it is tested with the real binary.

use super::{MOST_CALLERS, MOST_OPERATIONS, MetricFamily, Metrics, MetricsSource, Samples};
use aqueduct_dispatch::observe::{FinishedCall, Observer};
use aqueduct_operations::call::{Caller, SessionEnd};
use aqueduct_operations::gatekeeper::GateRecord;
use aqueduct_operations::handler::Boxed;
use aqueduct_operations::histogram::Histogram;
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

/// Labels have the escapes of the format and no others, so that whatever a name is, the page can be read.
#[test]
fn labels_are_escaped() {
    let metrics = Metrics::default();
    let caller = Caller::named("a\"b\\c\nd\u{202e}".to_owned());
    metrics.finished(&FinishedCall { caller: &caller, ..UNKNOWN });
    let text = metrics.text();
    assert!(text.contains("{caller=\"a\\\"b\\\\c\\nd\u{202e}\",source=\"other\","), "{text}");
}

#[derive(Debug)]
struct Others;

impl MetricsSource for Others {
    fn collect(&self) -> Boxed<'_, Vec<MetricFamily>> {
        let mut histogram = Histogram::default();
        histogram.add(Duration::from_millis(3));
        let families = vec![
            MetricFamily {
                name: "aqueduct_a_total",
                about: "A.",
                samples: Samples::Counter(vec![(vec![("kind", "x".to_owned())], 2)]),
            },
            MetricFamily { name: "aqueduct_b", about: "B.", samples: Samples::Gauge(Vec::new()) },
            MetricFamily {
                name: "aqueduct_c_seconds",
                about: "C.",
                samples: Samples::Histogram(vec![(Vec::new(), histogram)]),
            },
        ];
        Box::pin(async move { families })
    }
}

/// What others count, and what is done on the operator's page, stands beside the rest.
#[tokio::test]
async fn what_others_count() {
    let metrics = Metrics::default();
    metrics.show_others(Arc::new(Others));
    metrics.page.sign_in("wrong");
    metrics.page.act("approve");
    let follower = metrics.page.follow();
    let text = metrics.whole_text().await;
    for line in [
        "# TYPE aqueduct_a_total counter",
        "aqueduct_a_total{kind=\"x\"} 2",
        "# TYPE aqueduct_b gauge",
        "aqueduct_c_seconds_bucket{le=\"0.0025\"} 0",
        "aqueduct_c_seconds_bucket{le=\"0.005\"} 1",
        "aqueduct_c_seconds_bucket{le=\"+Inf\"} 1",
        "aqueduct_c_seconds_count 1",
        "aqueduct_operator_sign_ins_total{outcome=\"wrong\"} 1",
        "aqueduct_operator_actions_total{action=\"approve\"} 1",
        "aqueduct_operator_followers 1",
    ] {
        assert!(text.lines().any(|each| each == line), "{line}\n{text}");
    }
    drop(follower);
    assert!(metrics.text().contains("\naqueduct_operator_followers 0\n"));
}
