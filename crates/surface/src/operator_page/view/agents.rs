//! Agents that work on their own: what each did and how risky it was, and what a person can say to it.
//!
//! Runs, blocks and challenges in; cards out. A code is on none of them: it is asked for, and shown on a page of its own.

use super::super::backend::{AgentRunView, AgentStepView, AgentsView, BlockView, ChallengeView};
use super::super::session::SignedIn;
use super::words::{HiddenField, counted, hidden, left, moment, shown, value};
use aqueduct_operations::clock::{Clock, SystemClock};
use jiff::Timestamp;
use maud::{Markup, html};

/// What a step is wide in the chart, with its gap.
const STEP: usize = 6;
/// Steps that the chart has room for.
const STEPS: usize = 50;
/// The highest risk, and what the bar of no risk is high.
const MOST_RISK: i64 = 100;
const LEAST_RISK: i64 = 5;

/// All cards; nothing without agents.
pub fn agents(who: &SignedIn, agents: &AgentsView) -> Markup {
    let now = SystemClock.now();
    html! {
        @if !agents.is_empty() {
            section aria-labelledby="agents-title" {
                div class="section-head" {
                    h2 id="agents-title" tabindex="-1" { "Agents" }
                    span class="count" { (agents.running.len()) " running" }
                }
                div class="cards" {
                    @for block in &agents.blocked { (blocked(who, block, now)) }
                    @for challenge in &agents.challenges { (challenged(who, challenge, now)) }
                    @for run in &agents.running { (running(who, run)) }
                }
            }
        }
    }
}

fn blocked(who: &SignedIn, block: &BlockView, now: Timestamp) -> Markup {
    let title = format!("block-{}", block.challenge);
    html! {
        article class="card panel" data-id=(shown(&title)) data-name=(shown(&format!("{} is blocked", block.name))) aria-labelledby=(shown(&title)) {
            div class="card-head" {
                h3 id=(shown(&title)) { (shown(&block.name)) " " span class="badge bad" { "blocked" } }
                span class="soft small" { "since " (moment(block.blocked_at)) }
            }
            (stopped(&block.hint, &block.reason))
            @if let Some(until) = block.code_until { p class="soft small" { "A code was shown, " (left(until, now)) } }
            div class="answers" {
                (Button::new("code", "id", &block.challenge, code_words(block.code_until.is_some())).form(who))
                (Button { class: "no", ..Button::new("unblock", "agent", &block.key, "Lift the block without a code") }.form(who))
            }
        }
    }
}

fn challenged(who: &SignedIn, challenge: &ChallengeView, now: Timestamp) -> Markup {
    let title = format!("challenge-{}", challenge.id);
    html! {
        article class="card panel" data-id=(shown(&title)) data-name=(shown(&format!("{} has to be verified", challenge.agent))) aria-labelledby=(shown(&title)) {
            div class="card-head" {
                h3 id=(shown(&title)) { (shown(&challenge.agent)) " " span class="badge warn" { "has to be verified" } }
                (left(challenge.expires_at, now))
            }
            dl class="facts" { div { dt class="soft" { "was about to" } dd { (value(&shown(&challenge.hint))) } } }
            div class="answers" {
                (Button::new("code", "id", &challenge.id, code_words(challenge.is_shown)).form(who))
            }
        }
    }
}

fn code_words(is_shown: bool) -> &'static str {
    if is_shown { "Show another code" } else { "Show the code" }
}

fn stopped(hint: &str, reason: &str) -> Markup {
    html! {
        dl class="facts" {
            div { dt class="soft" { "was about to" } dd { (value(&shown(hint))) } }
            div { dt class="soft" { "stopped" } dd { "because " (shown(reason)) } }
        }
    }
}

fn running(who: &SignedIn, run: &AgentRunView) -> Markup {
    let (title, steps) = (format!("run-{}", run.id), format!("steps-{}", run.id));
    html! {
        article class="card panel" data-id=(shown(&title)) data-name=[run.paused.as_ref().map(|_| shown(&format!("{} is paused", run.name)))] aria-labelledby=(shown(&title)) {
            div class="card-head" {
                h3 id=(shown(&title)) {
                    (shown(&run.name)) " "
                    @if run.paused.is_some() { span class="badge warn" { "paused" } } @else { span class="badge good" { "running" } }
                }
                span class="soft small" { "for " b { (shown(&run.caller)) } ", since " (moment(run.started_at)) }
            }
            (risk(&run.steps))
            details id=(shown(&steps)) {
                summary { (counted(run.reported, "step")) span class="unseen" { " of " (shown(&run.name)) } }
                ol class="steps" { @for step in run.steps.iter().rev() { (step_line(step)) } }
            }
            @if let Some(why) = &run.paused {
                p { "It waits because " (shown(why)) }
                div class="answers" {
                    (Button { class: "yes", ..Button::new("release", "agent", &run.key, "Let it go on") }.form(who))
                    (Button::new("pause-token", "agent", &run.key, "Make a token for somebody else").form(who))
                }
            }
        }
    }
}

fn step_line(step: &AgentStepView) -> Markup {
    let (class, word) = effect(step);
    html! {
        li {
            span class="soft small" { (step.number) ", " (moment(step.at)) } " "
            span class=(format!("badge {class}")) { (word) }
            @if let Some(score) = step.score { " risk " (score) }
            div { (value(&shown(&step.hint))) }
        }
    }
}

/// A colour and a word, of a closed set.
fn effect(step: &AgentStepView) -> (&'static str, &'static str) {
    match step.effect.as_str() {
        "continue" => ("good", "went on"),
        "pause" => ("warn", "paused"),
        "verify" => ("warn", "had to be verified"),
        _ => ("bad", "blocked"),
    }
}

/// Risk over time: a bar for each step, a small one where a pattern or a limit decided and there is no score.
fn risk(steps: &[AgentStepView]) -> Markup {
    let last = &steps[steps.len().saturating_sub(STEPS)..];
    if last.is_empty() {
        return html! {};
    }
    let count = counted(u64::try_from(last.len()).unwrap_or(u64::MAX), "step");
    let words = match last.iter().filter_map(|step| step.score).max() {
        Some(highest) => format!("last {count}, highest risk {highest}"),
        None => format!("last {count}, none with a risk score"),
    };
    let bars = last.iter().enumerate().map(|(index, step)| {
        // What is there is seen, however little it is.
        let height = step.score.unwrap_or_default().clamp(LEAST_RISK, MOST_RISK);
        (index * STEP, height, effect(step).0)
    });
    html! {
        svg class="chart risk" viewBox=(format!("0 0 {} {}", STEPS * STEP, MOST_RISK + 1)) preserveAspectRatio="none" role="img" aria-label=(words) {
            @for (x, height, class) in bars { rect class=(class) x=(x) y=(MOST_RISK - height) width=(STEP - 1) height=(height) {} }
            rect class="floor" x="0" y=(MOST_RISK) width=(STEPS * STEP) height="1" {}
        }
        p class="soft small" { (words) }
    }
}

/// A button with a form of its own.
struct Button<'v> {
    /// Where the form goes.
    action: &'static str,
    /// The hidden field that names what the action is about.
    field: HiddenField<'v>,
    words: &'static str,
    class: &'static str,
}

impl<'v> Button<'v> {
    fn new(action: &'static str, name: &'static str, value: &'v str, words: &'static str) -> Button<'v> {
        Button { action, field: HiddenField { name, value }, words, class: "" }
    }

    fn form(&self, who: &SignedIn) -> Markup {
        let Button { action, field, words, class } = self;
        html! {
            form method="post" action=(format!("{}{action}", who.base_path())) {
                (hidden(who, &[*field]))
                button id=(shown(&format!("{action}-{}", field.value))) class=(class) { (words) }
            }
        }
    }
}
