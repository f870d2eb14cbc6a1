//! How things are: calls of the last hour, sources, limits, failed hooks, what the tools cost, and which instances there are.
//!
//! The reports of all instances in; panels out. Several instances with the same source are one row, as well as the worst of them is.

use super::super::backend::AuditView;
use super::super::instance_report::{InstanceReport, MinuteCount, SourceHealth, SourceReport};
use super::super::live::PageSnapshot;
use super::super::session::SignedIn;
use super::chart::Hour;
use super::limits::limits;
use super::words::{counted, moment, shown};
use aqueduct_operations::clock::{Clock, SystemClock};
use aqueduct_operations::size::grouped;
use jiff::Timestamp;
use maud::{Markup, html};
use std::collections::BTreeMap;

/// All panels.
pub fn overview(who: &SignedIn, shown: &PageSnapshot) -> Markup {
    let minute = SystemClock.now().as_second().div_euclid(60);
    html! {
        (last_hour(&shown.instances, minute))
        (sources(&shown.instances, minute))
        (limits(who, &shown.limits, &shown.instances))
        (failed_hooks(&shown.failed_hooks))
        (tools(&shown.instances))
        (instances(&shown.instances))
    }
}

fn last_hour(instances: &[InstanceReport], minute: i64) -> Markup {
    let hour = Hour::until(minute, instances.iter().flat_map(|instance| &instance.minutes));
    html! {
        section class="panel" aria-labelledby="hour-title" {
            h2 id="hour-title" { "Last hour" }
            p class="figures" {
                span { b { (grouped(hour.calls())) } " calls" }
                span class=(if hour.errors() > 0 { "bad-text" } else { "" }) { b { (grouped(hour.errors())) } " errors" }
            }
            (hour.chart(48))
            p class="axis soft" aria-hidden="true" { span { "60 min ago" } span { "now" } }
        }
    }
}

/// A source over all instances.
struct SourceRow<'a> {
    worst: &'a SourceReport,
    minutes: Vec<&'a MinuteCount>,
    instances: usize,
}

fn sources(instances: &[InstanceReport], minute: i64) -> Markup {
    let mut rows: BTreeMap<&str, SourceRow<'_>> = BTreeMap::new();
    for source in instances.iter().flat_map(|instance| &instance.sources) {
        let row = rows.entry(&source.name).or_insert(SourceRow {
            worst: source,
            minutes: Vec::new(),
            instances: 0,
        });
        if source.health > row.worst.health {
            row.worst = source;
        }
        row.minutes.extend(&source.minutes);
        row.instances += 1;
    }
    html! {
        section class="panel" aria-labelledby="sources-title" {
            h2 id="sources-title" { "Sources" }
            @if rows.is_empty() { p class="soft" { "No instance has reported yet." } }
            ul class="sources" {
                @for (name, row) in &rows { (source_row(name, row, minute)) }
            }
        }
    }
}

fn source_row(name: &str, row: &SourceRow<'_>, minute: i64) -> Markup {
    let (class, word) = match row.worst.health {
        SourceHealth::Good => ("badge good", "serving"),
        SourceHealth::Stale => ("badge warn", "last good version"),
        SourceHealth::Missing => ("badge bad", "not served"),
    };
    let hour = Hour::until(minute, row.minutes.iter().copied());
    html! {
        li {
            div class="source-head" {
                b { (shown(name)) } " " span class=(class) { (word) }
            }
            div class="source-hour" {
                span class="soft" {
                    (counted(u64::try_from(row.worst.operations).unwrap_or(u64::MAX), "operation"))
                    ", " (counted(hour.calls(), "call"))
                    @if hour.errors() > 0 { ", " span class="bad-text" { (counted(hour.errors(), "error")) } }
                    @if row.instances > 1 { ", on " (row.instances) " instances" }
                }
                @if hour.calls() > 0 { (hour.chart(16)) }
            }
            @if let Some(detail) = &row.worst.detail { p class="detail" { (shown(detail)) } }
        }
    }
}

/// Hooks that failed lately; nothing while all is well.
fn failed_hooks(failures: &[AuditView]) -> Markup {
    html! {
        @if !failures.is_empty() {
            section class="panel" aria-labelledby="hooks-title" {
                h2 id="hooks-title" { "Hooks that failed" }
                ul class="hooks" {
                    @for failure in failures {
                        li {
                            @for (_, why) in failure.facts.iter().filter(|(name, _)| *name == "detail") {
                                p class="detail" { (shown(why)) }
                            }
                            p class="soft small" { (moment(failure.at)) }
                        }
                    }
                }
                p class="soft small" { "Nobody may have been told of what waits." }
            }
        }
    }
}

fn tools(instances: &[InstanceReport]) -> Markup {
    let mut costs: Vec<&InstanceReport> = Vec::new();
    for instance in instances {
        if !costs.iter().any(|known| known.tools == instance.tools) {
            costs.push(instance);
        }
    }
    html! {
        section class="panel" aria-labelledby="tools-title" {
            h2 id="tools-title" { "What a model pays" }
            @for InstanceReport { tools, .. } in costs {
                p class="figures" { span { "about " b { (grouped(tools.tokens)) } " tokens" } }
                p class="soft small" {
                    "in every conversation, for " (counted(u64::try_from(tools.tools).unwrap_or(u64::MAX), "tool"))
                    ", which reach " (counted(u64::try_from(tools.operations).unwrap_or(u64::MAX), "operation"))
                    @if tools.hidden > 0 { "; " (tools.hidden) " more are hidden" }
                }
            }
        }
    }
}

fn instances(instances: &[InstanceReport]) -> Markup {
    html! {
        section class="panel" aria-labelledby="instances-title" {
            h2 id="instances-title" { "Instances" }
            ul class="instances" {
                @for instance in instances {
                    li {
                        b { (shown(&instance.name)) } " "
                        span class="soft" { (shown(&instance.transport)) ", since " (moment(Timestamp::from_millisecond(instance.started_at).unwrap_or_default())) }
                        @if instance.is_own {
                            " " span class="badge" { "this page" }
                        } @else if let Some(page) = &instance.page {
                            " " span class="badge" { "page at " (shown(page)) }
                        }
                    }
                }
            }
        }
    }
}
