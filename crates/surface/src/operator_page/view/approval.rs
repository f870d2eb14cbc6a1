//! What waits: a card for each question, with everything that the operator needs to answer it.
//!
//! Approvals in; cards with two forms each out. Enter in the field of the reason denies: nothing is approved by accident. What cannot be
//! read here to its end cannot be approved here.

use super::super::backend::{ApprovalState, ApprovalView, CallView};
use super::super::session::SignedIn;
use super::words::{HiddenField, MOST_TO_READ, hidden, left, moment, shown, value_to_decide};
use aqueduct_operations::clock::{Clock, SystemClock};
use jiff::Timestamp;
use maud::{Markup, html};
use serde_json::Value;

/// A card for each question.
pub fn cards(who: &SignedIn, waiting: &[ApprovalView]) -> Markup {
    let now = SystemClock.now();
    html! {
        @for approval in waiting { (card(who, approval, now)) }
        @if waiting.is_empty() {
            p class="empty panel" data-id="nobody" { "Nothing needs an answer now. Calls that do appear here by themselves." }
        }
    }
}

fn card(who: &SignedIn, approval: &ApprovalView, now: Timestamp) -> Markup {
    let (title, reason) = (format!("title-{}", approval.id), format!("reason-{}", approval.id));
    html! {
        article class="card panel" data-id=(approval.id) data-name=(names(approval)) aria-labelledby=(title) {
            div class="card-head" {
                h3 id=(title) { (heading(approval)) }
                (left(approval.expires_at, now))
            }
            @if let [call] = approval.calls.as_slice() {
                (call_details(call, value_to_decide))
            } @else {
                ol class="plan" {
                    @for call in &approval.calls {
                        li {
                            p class="plan-call" { strong { (shown(&call.operation)) } " " (of_source(call)) " " (danger(call)) }
                            (call_details(call, value_to_decide))
                        }
                    }
                }
            }
            (asked_by(approval))
            div class="answers" {
                @if can_be_read(approval) {
                    form method="post" action=(format!("{}approve", who.base_path())) {
                        (hidden(who, &[HiddenField { name: "id", value: &approval.id }]))
                        button class="yes" aria-describedby=(title) { "Approve" }
                    }
                } @else {
                    p class="bad-text" { (too_long(approval)) }
                }
                form class="deny" method="post" action=(format!("{}deny", who.base_path())) {
                    (hidden(who, &[HiddenField { name: "id", value: &approval.id }]))
                    label class="unseen" for=(reason) { "Reason for a no to " (names(approval)) }
                    input id=(reason) name="reason" type="text" maxlength="500" placeholder="Reason (the caller reads it)" autocomplete="off";
                    button class="no" aria-describedby=(title) { "Deny" }
                }
            }
        }
    }
}

fn heading(approval: &ApprovalView) -> Markup {
    match approval.calls.as_slice() {
        [call] => html! { (shown(&call.operation)) " " (of_source(call)) " " (danger(call)) },
        calls => html! { "Plan of " (calls.len()) " calls" },
    }
}

fn of_source(call: &CallView) -> Markup {
    html! { span class="source" { "of " (shown(&call.source)) } }
}

fn danger(call: &CallView) -> Markup {
    // The word is of a closed set, and chooses a colour.
    let class = match call.danger.as_str() {
        "safe" | "reversible" => "badge",
        "destructive" => "badge warn",
        _ => "badge bad",
    };
    html! { span class=(class) { (shown(&call.danger)) } }
}

/// True when every value is shown to its end.
pub fn can_be_read(approval: &ApprovalView) -> bool {
    let fits = |text: &str| text.chars().count() <= MOST_TO_READ;
    approval.calls.iter().all(|call| {
        call.params.iter().all(|(_, given)| fits(&readable(given)))
            && call.request.as_ref().is_none_or(|request| fits(&shown(request)))
            && call.body.as_ref().is_none_or(|body| fits(&readable(body)))
    })
}

/// Why something cannot be approved here, and what to do.
pub fn too_long(approval: &ApprovalView) -> String {
    let id = shown(&approval.id);
    format!(
        "A value is too long to be read here, so this cannot be approved on this page. Deny it, or read all of it with \
         'aqueduct operator approvals --format json' and approve it with 'aqueduct operator approve {id}'."
    )
}

/// What a call is about: what the adapter says, parameters, what is sent and why it was stopped; values as `value` shows them.
pub fn call_details(call: &CallView, value: fn(&str) -> Markup) -> Markup {
    html! {
        @if let Some(message) = &call.message { p class="says" { (shown(message)) } }
        dl class="facts" {
            @for (name, given) in &call.params {
                div { dt { (shown(name)) } dd { (value(&readable(given))) } }
            }
            @if let Some(request) = &call.request {
                div { dt class="soft" { "sends" } dd { (value(&shown(request))) } }
            }
            @if let Some(body) = &call.body {
                div { dt class="soft" { "body" } dd { (body_value(call, body, value)) } }
            }
            @if !call.reasons.is_empty() {
                div { dt class="soft" { "stopped" } dd { "because " (shown(&call.reasons.join("; "))) } }
            }
        }
    }
}

/// The body; folded up where it says only what the parameters above say.
fn body_value(call: &CallView, body: &Value, value: fn(&str) -> Markup) -> Markup {
    let is_above = |(name, given): (&String, &Value)| {
        call.params.iter().any(|(known, value)| known == name && value == given)
    };
    let is_repeated =
        body.as_object().is_some_and(|members| !members.is_empty() && members.iter().all(is_above));
    if !is_repeated {
        return value(&readable(body));
    }
    html! { details { summary class="soft" { "the values above" } (value(&readable(body))) } }
}

/// Small values in a line, large ones laid out.
fn readable(given: &Value) -> String {
    let line = given.to_string();
    if (given.is_object() || given.is_array()) && line.chars().count() > 60 {
        format!("{given:#}")
    } else {
        line
    }
}

/// Who asked, when, and by which rule it was stopped.
pub fn asked_by(approval: &ApprovalView) -> Markup {
    html! {
        p class="asked soft" {
            "asked by " b { (shown(&approval.caller)) } ", session " span class="session" { (shown(&approval.session)) } ", " (moment(approval.requested_at))
            @if let Some(rule) = &approval.rule { br; "rule: " (shown(rule)) }
        }
    }
}

/// The operations of an approval.
pub fn names(approval: &ApprovalView) -> String {
    match approval.calls.as_slice() {
        [call] => shown(&call.operation),
        calls => format!("plan of {} calls", calls.len()),
    }
}

/// The word for a state.
pub fn state_name(state: ApprovalState) -> &'static str {
    match state {
        ApprovalState::Waiting => "waiting",
        ApprovalState::Approved => "approved",
        ApprovalState::Denied => "denied",
        ApprovalState::Expired => "expired",
        ApprovalState::Used => "approved and run",
    }
}
