//! What `cargo xtask soak redeem`, `kill`, `store` and `limits` run: the program beside this one, several times, on one store.
//!
//! In: which, and how much of it. Out: figures for each engine on stdout; exit code 1 when something was found.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it speaks to the person who runs it")]

use aqueduct_testkit::fleet::{self, Engine, FleetReport, LimitRun, Mix};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [what, size] = words.as_slice() else { return usage() };
    let Ok(size) = size.parse() else { return usage() };
    let Some(program) = program() else { return usage() };
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let mut outcome = None;
    let run = |engine| -> Vec<FleetReport> {
        match what.as_str() {
            "redeem" => vec![runtime.block_on(fleet::redeem(&program, engine, size))],
            "kill" => vec![runtime.block_on(fleet::kill(&program, engine, size))],
            "store" if engine == Engine::Postgres => {
                vec![runtime.block_on(fleet::mixed(&program, mix(size)))]
            }
            _ => Vec::new(),
        }
    };
    let mut judge = |engine: Engine, report: &FleetReport| {
        println!("{engine:?}\n{report}");
        outcome = Some(outcome.unwrap_or(true) && report.problems.is_empty());
    };
    for engine in [Engine::Sqlite, Engine::Postgres] {
        run(engine).iter().for_each(|report| judge(engine, report));
    }
    // They wait for most of the time, so both engines do at once.
    for run in if what == "limits" { limit_runs(size).to_vec() } else { Vec::new() } {
        let limited = |engine| fleet::limits(&program, engine, run);
        let both = async { tokio::join!(limited(Engine::Sqlite), limited(Engine::Postgres)) };
        let (sqlite, postgres) = runtime.block_on(both);
        judge(Engine::Sqlite, &sqlite);
        judge(Engine::Postgres, &postgres);
    }
    match outcome {
        None => usage(),
        Some(true) => ExitCode::SUCCESS,
        Some(false) => ExitCode::FAILURE,
    }
}

/// 200 clients, one instance killed every ten seconds.
fn mix(seconds: usize) -> Mix {
    let lasts = Duration::from_secs(seconds as u64);
    Mix { clients: 200, lasts, kills_every: Duration::from_secs(10) }
}

/// All calls in peace, and half of them while instances are killed, against a limit of a tenth.
fn limit_runs(calls: usize) -> [LimitRun; 2] {
    let limit = calls / 10;
    [LimitRun { calls, limit, kills: 0 }, LimitRun { calls: calls / 2, limit, kills: 12 }]
}

/// `target/debug/examples/store_soak` is beside `target/debug/aqueduct`.
fn program() -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    Some(own.parent()?.parent()?.join("aqueduct"))
}

fn usage() -> ExitCode {
    eprintln!("usage: store_soak redeem PAIRS | kill TIMES | store SECONDS | limits CALLS");
    ExitCode::FAILURE
}
