//! Limits and quotas: how far each is used up, and a button for what is paused.
//!
//! The counters of the store in; a panel out. What waits for its turn is known to instances alone, and comes from their reports.

use super::super::instance_report::InstanceReport;
use super::super::session::SignedIn;
use super::words::{HiddenField, amount, counted, hidden, moment, shown};
use aqueduct_operations::rate_limits::status::{CounterStatus, SourceLimitStatus};
use jiff::Timestamp;
use maud::{Markup, html};

/// The panel.
pub fn limits(who: &SignedIn, sources: &[SourceLimitStatus], instances: &[InstanceReport]) -> Markup {
    html! {
        section class="panel" aria-labelledby="limits-title" {
            h2 id="limits-title" tabindex="-1" { "Limits" }
            @if sources.is_empty() { p class="soft" { "No source with limits was called yet." } }
            @for source in sources { (source_limits(who, source, waiting(&source.source, instances))) }
        }
    }
}

/// Requests to a source that wait for their turn, in all instances.
fn waiting(source: &str, instances: &[InstanceReport]) -> u64 {
    let reports = instances.iter().flat_map(|instance| &instance.sources);
    reports.filter(|report| report.name == source).map(|report| report.waiting).sum()
}

fn source_limits(who: &SignedIn, source: &SourceLimitStatus, waiting: u64) -> Markup {
    html! {
        div class="limits" {
            p {
                b { (shown(&source.source)) }
                @if waiting > 0 { span class="soft small" { ", " (counted(waiting, "request")) " waiting" } }
            }
            @if let Some(until) = instant(source.held_until.as_deref()) {
                p class="detail" { "Its API asked to wait until " (moment(until)) }
            }
            ul { @for counter in &source.counters { li { (limit(who, &source.source, counter)) } } }
        }
    }
}

fn limit(who: &SignedIn, source: &str, counter: &CounterStatus) -> Markup {
    let marks = [("warns", counter.warn), ("pauses", counter.pause), ("stops", counter.hard_stop)];
    let most = [counter.limit, counter.hard_stop, counter.pause, counter.warn].into_iter().flatten().next();
    let most = most.unwrap_or(counter.current).max(f64::MIN_POSITIVE);
    let tight = counter.warn.or(counter.pause).unwrap_or(most);
    let name = counter.full_name();
    let badge = match counter.status {
        "warn" => Some(("badge warn", "close")),
        "paused" => Some(("badge bad", "paused")),
        "exhausted" => Some(("badge bad", "used up")),
        _ => None,
    };
    html! {
        p {
            (shown(&name)) " "
            @if let Some((class, word)) = badge { span class=(class) { (word) } }
        }
        meter min="0" max=(most) low=(tight.min(most)) high=(tight.min(most)) optimum="0" value=(counter.current.min(most)) aria-label=(shown(&format!("{source}, {name}"))) {}
        p class="soft small" {
            (amount(counter.current))
            @if let Some(limit) = counter.limit { " of " (amount(limit)) }
            @if let Some(currency) = &counter.currency { " " (shown(currency)) }
            @for (word, mark) in marks.into_iter().filter_map(|(word, mark)| Some((word, mark?))) {
                ", " (word) " with " (amount(mark))
            }
            @if let Some(resets_at) = instant(counter.resets_at.as_deref()) { ", starts again " (moment(resets_at)) }
            @if let Some(until) = instant(counter.continued_until.as_deref()) { ", goes on until " (moment(until)) ", as the operator said" }
        }
        @if counter.status == "paused" {
            form method="post" action=(format!("{}continue", who.base_path())) {
                (hidden(who, &[HiddenField { name: "source", value: source }, HiddenField { name: "metric", value: &counter.name }]))
                button id=(shown(&format!("continue-{source}-{}", counter.name))) aria-label=(shown(&format!("Let {name} of {source} go on"))) { "Let it go on" }
            }
        }
    }
}

fn instant(text: Option<&str>) -> Option<Timestamp> {
    text.and_then(|text| text.parse().ok())
}
