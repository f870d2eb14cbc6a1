//! The counts in the text format of Prometheus.
//!
//! Counts in, a page out. Families of lines stand together, each with its help and type, as the format asks.

use super::family::{Labels, MetricFamily, Samples};
use super::{CallCounts, Metrics, SourceCounts};
use aqueduct_operations::call::SessionEnd;
use aqueduct_operations::histogram::{BUCKETS, Histogram};
use std::fmt::Write;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

/// Everything that is counted, as text.
pub fn write(metrics: &Metrics, others: &[MetricFamily]) -> String {
    let mut page = MetricsText(String::new());
    write_calls(&mut page, &metrics.calls());
    page.single("aqueduct_sessions", "gauge", "Open sessions.", &metrics.sessions);
    let opened = "Sessions opened since the start.";
    page.single("aqueduct_sessions_opened_total", "counter", opened, &metrics.sessions_opened);
    page.head("aqueduct_sessions_ended_total", "counter", "Sessions that ended, and how.");
    for end in [SessionEnd::Graceful, SessionEnd::Abrupt] {
        let count = metrics.sessions_ended[end as usize].load(Ordering::Relaxed);
        page.line("aqueduct_sessions_ended_total", &[("end", end.name())], count);
    }
    page.single("aqueduct_http_connections", "gauge", "Open connections.", &metrics.connections);
    page.head("aqueduct_http_refused_total", "counter", "Requests turned away before they were calls.");
    for (reason, count) in metrics.refused.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        page.line("aqueduct_http_refused_total", &[("reason", reason)], count);
    }
    if let Some(limiters) = metrics.limits.get() {
        super::limits::write(&limiters.tallies(), &mut page);
    }
    metrics.page.write(&mut page);
    for family in others {
        page.family(family);
    }
    page.0
}

fn write_calls(page: &mut MetricsText, calls: &CallCounts) {
    page.head("aqueduct_calls_total", "counter", "Calls by operation and outcome.");
    for (source, of_source) in &calls.by_source {
        for (operation, counted) in &of_source.by_operation {
            for (outcome, count) in &counted.by_outcome {
                let labels = [("source", source.as_str()), ("operation", operation), ("outcome", outcome)];
                page.line("aqueduct_calls_total", &labels, count);
            }
        }
    }
    page.head("aqueduct_errors_total", "counter", "Failed calls by code.");
    for (source, of_source) in &calls.by_source {
        for (code, count) in errors(of_source) {
            page.line("aqueduct_errors_total", &[("source", source), ("code", code)], count);
        }
    }
    page.head("aqueduct_gate_total", "counter", "What the gatekeeper decided about calls.");
    for (source, of_source) in &calls.by_source {
        for ((outcome, danger), count) in &of_source.by_gate {
            let labels = [("source", source.as_str()), ("outcome", outcome), ("danger", danger)];
            page.line("aqueduct_gate_total", &labels, count);
        }
    }
    page.head("aqueduct_caller_calls_total", "counter", "Calls by caller and outcome.");
    for (source, of_source) in &calls.by_source {
        for (caller, by_outcome) in &of_source.by_caller {
            for (outcome, count) in by_outcome {
                let labels = [("caller", caller.as_str()), ("source", source), ("outcome", outcome)];
                page.line("aqueduct_caller_calls_total", &labels, count);
            }
        }
    }
    page.head("aqueduct_operation_seconds_total", "counter", "Time spent on the calls of an operation.");
    for (source, of_source) in &calls.by_source {
        for (operation, counted) in &of_source.by_operation {
            let labels = [("source", source.as_str()), ("operation", operation)];
            page.line("aqueduct_operation_seconds_total", &labels, counted.took.as_secs_f64());
        }
    }
    page.head("aqueduct_call_seconds", "histogram", "Calls from arguments to answer.");
    for (source, of_source) in &calls.by_source {
        page.histogram("aqueduct_call_seconds", &[("source", source)], &of_source.took);
    }
    page.head("aqueduct_upstream_seconds", "histogram", "Calling out, retries included.");
    for (source, of_source) in &calls.by_source {
        page.histogram("aqueduct_upstream_seconds", &[("source", source)], &of_source.upstream);
    }
}

/// Failures of a source by code, in the order of the codes.
fn errors(of_source: &SourceCounts) -> std::collections::BTreeMap<&'static str, u64> {
    let mut errors = std::collections::BTreeMap::new();
    for counted in of_source.by_operation.values() {
        for (outcome, count) in counted.by_outcome.iter().filter(|(outcome, _)| **outcome != "success") {
            *errors.entry(*outcome).or_default() += count;
        }
    }
    errors
}

pub(super) struct MetricsText(String);

impl MetricsText {
    pub(super) fn head(&mut self, name: &str, kind: &str, about: &str) {
        self.put(format_args!("# HELP {name} {about}\n# TYPE {name} {kind}\n"));
    }

    /// A metric without labels.
    fn single(&mut self, name: &str, kind: &str, about: &str, value: &AtomicU64) {
        self.head(name, kind, about);
        self.line(name, &[], value.load(Ordering::Relaxed));
    }

    pub(super) fn line(&mut self, name: &str, labels: &[(&str, &str)], value: impl std::fmt::Display) {
        let labels: Vec<String> =
            labels.iter().map(|(name, text)| format!("{name}={}", quoted(text))).collect();
        let labels = if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
        self.put(format_args!("{name}{labels} {value}\n"));
    }

    fn histogram(&mut self, name: &str, labels: &[(&str, &str)], histogram: &Histogram) {
        let bucket = format!("{name}_bucket");
        let mut below = 0;
        for (end, count) in BUCKETS.iter().zip(histogram.buckets) {
            below += count;
            let end = end.to_string();
            self.line(&bucket, &[labels, &[("le", &end)]].concat(), below);
        }
        self.line(&bucket, &[labels, &[("le", "+Inf")]].concat(), histogram.count);
        self.line(&format!("{name}_sum"), labels, histogram.sum.as_secs_f64());
        self.line(&format!("{name}_count"), labels, histogram.count);
    }

    fn family(&mut self, family: &MetricFamily) {
        let MetricFamily { name, about, samples } = family;
        self.head(name, samples.kind(), about);
        match samples {
            Samples::Counter(all) => {
                all.iter().for_each(|(labels, value)| self.line(name, &borrowed(labels), value))
            }
            Samples::Gauge(all) => {
                all.iter().for_each(|(labels, value)| self.line(name, &borrowed(labels), value))
            }
            Samples::Histogram(all) => {
                all.iter().for_each(|(labels, value)| self.histogram(name, &borrowed(labels), value));
            }
        }
    }

    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        if self.0.write_fmt(text).is_err() {
            tracing::debug!(target: "aqueduct::http", "a line of the metrics was left out");
        }
    }
}

fn borrowed(labels: &Labels) -> Vec<(&str, &str)> {
    labels.iter().map(|(name, text)| (*name, text.as_str())).collect()
}

/// A value of a label, with the three escapes that the format knows.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
