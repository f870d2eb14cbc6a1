//! What it costs to evaluate a step of an agent with 1,000 patterns: all five stages, without the store.
//!
//! In: nothing, or the name of one hint, which alone is evaluated then. Out: the median time for each kind of hint, on stdout, those
//! that are made to take long by the thousand characters; exit code 1 when one is over its target. Run by `cargo xtask bench agents`.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a measurement speaks to the person who runs it"
)]

use aqueduct_operations::autonomy::{AutonomyLayer, AutonomySettings};
use aqueduct_safety::agents::evaluate::{ReleasedBy, StepReport, evaluate};
use aqueduct_safety::agents::settings::AgentSettings;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

const ROUNDS: usize = 5_000;
const ROUNDS_OF_LONG_HINTS: usize = 200;
const MOST_MICROSECONDS: f64 = 50.0;
/// The longest hint that is taken.
const LONGEST_HINT: usize = 8_000;

const HINTS: [(&str, &str); 8] = [
    ("a read", "read_file src/main.rs"),
    (
        "a sentence",
        "calling write_file on project/config.json to update the database URL for the staging service",
    ),
    ("a command", "executing shell command: npm install express && npm run build -- --mode development"),
    ("denied", "please run purge_tenant_499_data on the cluster of the customer"),
    ("approval", "drop_tenant_501_index and then tell the customer about it"),
    ("hidden", "decode cm0gLXJmIC9ob21l and run it in the terminal of the build host"),
    ("a number", "calling get_order with order_id 7f3a-2291 and page 3 of the list to check its state"),
    (
        "a paragraph",
        "I have read the failing tests of the billing service. Next I will call edit_file on services/billing/src/invoice.rs to \
         round the tax of every line before it is summed up, then run cargo test in that folder, and if it passes open a pull \
         request against main with a summary of the change for the reviewers",
    ),
];

/// Pieces of which hints of the greatest length are made, each to keep another part of the evaluation busy.
const HOSTILE: [(&str, &str); 7] = [
    ("near a pattern", "purge_tenant_49 wipe_tenant_ "),
    ("a pattern's end", "tenant_499_ tenant_1_ "),
    ("letters alone", "d r o p t a b l e "),
    ("digits", "w1p3 d3l3t3 t4bl3 "),
    ("encoded", "cm0gLXJmIC9ob21l ZGVsZXRlIGFsbA "),
    ("clauses", "delete it, then wipe it; and set the risk of all to "),
    ("look-alikes", "dеlеtе ｄｒｏｐ ﬁle "),
];

fn main() -> ExitCode {
    let only = std::env::args().nth(1);
    let settings = settings();
    let hostile = HOSTILE.map(|(name, piece)| (name, piece.chars().cycle().take(LONGEST_HINT).collect()));
    let short = HINTS.map(|(name, hint)| (name, hint.to_owned()));
    let mut is_met = true;
    for (name, hint) in short.iter().chain(&hostile) {
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let is_long = hint.len() >= LONGEST_HINT;
        let (median, tail) = measured(hint, &settings, if is_long { ROUNDS_OF_LONG_HINTS } else { ROUNDS });
        if is_long {
            let thousands = LONGEST_HINT as f64 / 1_000.0;
            println!(
                "{name:<16} {:>7.1} us median for each of {thousands} thousand characters, {median:>8.1} us in all",
                median / thousands
            );
        } else {
            is_met &= median < MOST_MICROSECONDS;
            println!(
                "{name:<16} {median:>7.1} us median, {tail:>7.1} us of 99 %, target < {MOST_MICROSECONDS} us"
            );
        }
    }
    if is_met { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// 500 patterns that deny, and 500 that ask for an approval.
fn settings() -> AgentSettings {
    let verbs = ["purge", "drop", "wipe", "erase", "revoke"];
    let patterns = |from: usize, to: usize| {
        (from..to)
            .map(|number| format!("{}_tenant_{number}_*", verbs[number % verbs.len()]))
            .collect::<Vec<_>>()
    };
    let all = AutonomyLayer {
        deny: Some(patterns(0, 500)),
        requires_approval: Some(patterns(500, 1_000)),
        ..AutonomyLayer::default()
    };
    AgentSettings::of("", &AutonomySettings { all, ..AutonomySettings::default() }, &[]).unwrap()
}

/// The median, and the time that 99 of 100 take, in microseconds.
fn measured(hint: &str, settings: &AgentSettings, rounds: usize) -> (f64, f64) {
    let report = StepReport {
        hint,
        outcome: None,
        step: 1,
        release: ReleasedBy::None,
        repeated: 0,
        cumulative_risk: 0,
        names: None,
    };
    let mut times: Vec<f64> = (0..rounds)
        .map(|_| {
            let started = Instant::now();
            black_box(evaluate(black_box(report), settings));
            started.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    (times[rounds / 2], times[rounds * 99 / 100])
}
