//! Limits and quotas in the text of Prometheus. Labels are names of sources, scopes and metrics, and closed sets of words.
//!
//! Counts of sources in; lines of the page out.

use super::text::MetricsText;
use aqueduct_limiter::SourceTally;
use aqueduct_operations::rate_limits::status::CounterStatus;

/// A metric of sources: its name, its type, what it is, and its value.
type SourceMetric = (&'static str, &'static str, &'static str, fn(&SourceTally) -> f64);

/// A metric of counters: its name, what it is, and its value, where it has one.
type CounterMetric = (&'static str, &'static str, fn(&CounterStatus) -> Option<f64>);

/// Writes the counts of all sources.
pub(super) fn write(tallies: &[(String, SourceTally)], page: &mut MetricsText) {
    let simple: [SourceMetric; 6] = [
        ("limit_requests_total", "counter", "Requests that the limits of their source let out.", |tally| {
            tally.admitted as f64
        }),
        ("limit_waits_total", "counter", "Requests that waited for their turn.", |tally| tally.waited as f64),
        ("limit_wait_seconds_total", "counter", "Time that requests waited.", |tally| {
            tally.wait_time.as_secs_f64()
        }),
        ("limit_waiting", "gauge", "Requests that wait for their turn.", |tally| tally.waiting as f64),
        ("limit_holds_total", "counter", "Times that an API asked to wait.", |tally| tally.held as f64),
        ("quota_continued_total", "counter", "Pauses of quotas that somebody said yes to.", |tally| {
            tally.continued as f64
        }),
    ];
    for (name, kind, help, value) in simple {
        let name = format!("aqueduct_{name}");
        page.head(&name, kind, help);
        for (source, tally) in tallies {
            page.line(&name, &[("source", source)], value(tally));
        }
    }
    let refused = "aqueduct_limit_refused_total";
    page.head(refused, "counter", "Requests that limits or quotas kept from being sent.");
    for (source, tally) in tallies {
        for (reason, count) in &tally.refused {
            page.line(refused, &[("source", source), ("reason", reason)], count);
        }
    }
    let levels: [CounterMetric; 5] = [
        ("limit_used", "What counts now of a limit or quota, as this process knows it.", |counter| {
            Some(counter.current)
        }),
        ("limit_max", "The most of a limit.", |counter| counter.limit),
        ("quota_warn", "Where a quota warns.", |counter| counter.warn),
        ("quota_pause", "Where a quota pauses.", |counter| counter.pause),
        ("quota_stop", "Where a quota stops.", |counter| counter.hard_stop),
    ];
    for (name, help, value) in levels {
        let name = format!("aqueduct_{name}");
        page.head(&name, "gauge", help);
        for (source, tally) in tallies {
            for counter in tally.status.iter().flat_map(|status| &status.counters) {
                let Some(value) = value(counter) else { continue };
                let labels =
                    [("source", source.as_str()), ("name", &counter.name), ("window", &counter.window)];
                page.line(&name, &labels, value);
            }
        }
    }
}
