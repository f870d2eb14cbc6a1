//! Work that goes on after its call: whose it is, how far, when its job was heard of last; and a button that ends it.
//!
//! Executions in; a card for each that goes on out, and the last ones that have ended, folded up.

use super::super::backend::{ExecutionView, ExecutionsView};
use super::super::session::SignedIn;
use super::words::{HiddenField, amount, hidden, moment, shown, value};
use aqueduct_operations::execution::{CancelledBy, ExecutionState, JobStop};
use maud::{Markup, html};

/// All of them; nothing where there are none.
pub fn executions(who: &SignedIn, executions: &ExecutionsView) -> Markup {
    let unlisted = executions.open_count.saturating_sub(executions.open.len() as u64);
    html! {
        @if !executions.is_empty() {
            section aria-labelledby="executions-title" {
                div class="section-head" {
                    h2 id="executions-title" tabindex="-1" { "Work under way" }
                    span class="count" { (executions.open_count) }
                }
                div class="cards" {
                    @for execution in &executions.open { (open(who, execution)) }
                    @if executions.open.is_empty() { p class="empty panel" { "Nothing goes on now." } }
                    @if unlisted > 0 {
                        p class="soft small" { "and " (unlisted) " more: " code { "aqueduct operator executions" } " shows them" }
                    }
                    @if !executions.ended.is_empty() {
                        details id="executions-ended" class="panel" {
                            summary { "Ended last" }
                            ol class="steps" { @for execution in &executions.ended { (ended(execution)) } }
                        }
                    }
                }
            }
        }
    }
}

fn open(who: &SignedIn, execution: &ExecutionView) -> Markup {
    let title = format!("execution-{}", execution.id);
    html! {
        article class="card panel" data-id=(shown(&title)) aria-labelledby=(shown(&title)) {
            div class="card-head" {
                h3 id=(shown(&title)) { (name(execution)) " " (badge(execution)) }
                span class="soft small" { "for " b { (shown(&execution.caller)) } ", since " (moment(execution.created_at)) }
            }
            (progress(execution))
            p class="asked soft" {
                @match execution.asked_at {
                    Some(at) => { "heard of " (moment(at)) ", " }
                    None => { "not heard of yet, " }
                }
                "session " span class="session" { (shown(&execution.session)) } br;
                span class="session" { (shown(&execution.id)) }
            }
            div class="answers" {
                form method="post" action=(format!("{}cancel", who.base_path())) {
                    (hidden(who, &[HiddenField { name: "id", value: &execution.id }]))
                    button id=(shown(&format!("cancel-{}", execution.id))) class="no" aria-describedby=(shown(&title)) { "Cancel" }
                }
            }
        }
    }
}

fn name(execution: &ExecutionView) -> Markup {
    html! { (shown(&execution.operation)) " " span class="source" { "of " (shown(&execution.source)) } }
}

fn badge(execution: &ExecutionView) -> Markup {
    let class = match execution.state {
        ExecutionState::Pending | ExecutionState::Cancelled => "badge",
        ExecutionState::Running | ExecutionState::Completed => "badge good",
        ExecutionState::Failed => "badge bad",
    };
    html! { span class=(class) { (shown(&execution.status)) } }
}

/// How far it is: a bar where that is known, and what its job says.
fn progress(execution: &ExecutionView) -> Markup {
    let share = execution.percentage.or_else(|| {
        let (current, total) = execution.counted?;
        (total > 0.0).then(|| current / total * 100.0)
    });
    let share = share.map(|share| share.clamp(0.0, 100.0).floor());
    html! {
        @if let Some(share) = share {
            div class="done" {
                progress max="100" value=(share) aria-label=(shown(&format!("{}: {share} percent", execution.operation))) {}
                span { (share) " %" }
            }
        }
        @if let Some((current, total)) = execution.counted { p class="soft small" { (amount(current)) " of " (amount(total)) } }
        @if let Some(message) = &execution.message { p { (value(&shown(message))) } }
    }
}

fn ended(execution: &ExecutionView) -> Markup {
    html! {
        li {
            span class="soft small" { @if let Some(at) = execution.finished_at { (moment(at)) } } " "
            b { (name(execution)) } " " (badge(execution)) " "
            span class="soft small" {
                "for " (shown(&execution.caller))
                @if let Some(words) = cancelled_by_text(execution) { ", " (words) }
                @if let Some(words) = outcome_text(execution) { "; " (words) }
            }
            @if let Some(error) = &execution.error { div class="detail" { (shown(error)) } }
        }
    }
}

fn cancelled_by_text(execution: &ExecutionView) -> Option<&'static str> {
    Some(match execution.cancelled_by? {
        CancelledBy::Operator => "cancelled by the operator",
        CancelledBy::SessionEnd => "ended with its session",
        CancelledBy::Revocation => "ended with the token of its caller",
    })
}

/// What became of the job itself, where the state does not tell.
pub fn outcome_text(execution: &ExecutionView) -> Option<&'static str> {
    Some(match execution.stop? {
        JobStop::Due => "its API is told",
        JobStop::Told => "its API was told",
        JobStop::NoWay => "its API has no way to end the job, which may go on there",
        JobStop::Failed => "its API could not be told, and the job may go on there",
    })
}
