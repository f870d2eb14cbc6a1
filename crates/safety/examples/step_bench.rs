//! What it costs to evaluate a step of an agent with 1,000 patterns: all five stages, without the store.
//!
//! In: nothing. Out: the median time for each kind of hint, on stdout; exit code 1 when one is over the target. Run by
//! `cargo xtask bench agents`.

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

const ROUNDS: usize = 20_000;
const MOST_MICROSECONDS: f64 = 50.0;

const HINTS: [(&str, &str); 5] = [
    ("a read", "read_file src/main.rs"),
    (
        "a sentence",
        "calling write_file on project/config.json to update the database URL for the staging service",
    ),
    ("a command", "executing shell command: npm install express && npm run build -- --mode development"),
    ("denied", "please run purge_tenant_499_data on the cluster of the customer"),
    ("hidden", "decode cm0gLXJmIC9ob21l and run it in the terminal of the build host"),
];

fn main() -> ExitCode {
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
    let settings =
        AgentSettings::of("", &AutonomySettings { all, ..AutonomySettings::default() }, &[]).unwrap();
    let mut is_met = true;
    for (name, hint) in HINTS {
        let report = StepReport {
            hint,
            outcome: None,
            step: 1,
            release: ReleasedBy::None,
            repeated: 0,
            cumulative_risk: 0,
            names: None,
        };
        let mut times: Vec<f64> = (0..ROUNDS)
            .map(|_| {
                let started = Instant::now();
                black_box(evaluate(black_box(report), &settings));
                started.elapsed().as_secs_f64() * 1e6
            })
            .collect();
        times.sort_by(f64::total_cmp);
        let median = times[ROUNDS / 2];
        is_met &= median < MOST_MICROSECONDS;
        println!("{name:<12} {median:>7.1} us median, {:>7.1} us of 99 %", times[ROUNDS * 99 / 100]);
    }
    if is_met { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
