//! What was answered: newest first, each with its answer, and all of the call one click away.
//!
//! Approvals that wait no more in; a page out. Those that expired are there too: no one said yes to them.

use super::super::backend::{ApprovalState, ApprovalView};
use super::approval::{asked_by, call_details, names, state_name};
use super::words::{moment, shown, value};
use maud::{Markup, html};

/// The page.
pub fn history(approvals: &[ApprovalView]) -> Markup {
    html! {
        section aria-labelledby="history-title" {
            div class="section-head" { h2 id="history-title" { "History" } span class="count" { (approvals.len()) } }
            @if approvals.is_empty() { p class="empty panel" { "Nothing was answered yet." } }
            @else { ol class="lines panel" { @for approval in approvals { (line(approval)) } } }
        }
    }
}

fn line(approval: &ApprovalView) -> Markup {
    let class = match approval.state {
        ApprovalState::Waiting | ApprovalState::Expired => "badge",
        ApprovalState::Approved | ApprovalState::Used => "badge good",
        ApprovalState::Denied => "badge bad",
    };
    html! {
        li {
            span class="when" { (moment(approval.decided_at.unwrap_or(approval.requested_at))) }
            span class="what" {
                b { (names(approval)) } " " span class=(class) { (state_name(approval.state)) }
                @if let Some(approver) = &approval.approver { " by " (shown(approver)) }
                @if let Some(reason) = &approval.reason { ": “" (shown(reason)) "”" }
            }
            details {
                summary { "What was asked" span class="unseen" { ": " (names(approval)) } }
                @for call in &approval.calls {
                    p class="plan-call" { b { (shown(&call.operation)) } " of " (shown(&call.source)) }
                    (call_details(call, value))
                }
                (asked_by(approval))
            }
        }
    }
}
