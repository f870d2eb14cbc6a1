//! The project's own tasks, run as `cargo xtask <task>`.
//!
//! In: one task name and its options. Out: headings and results on stdout, problems on stderr, exit code 0 or 1.
//! `test` is what CI runs; what it needs beyond Rust and a C compiler it installs.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a task speaks to the person or the CI that runs it; nothing here is served"
)]

mod agent;
mod bench;
mod clients;
mod conformance;
mod conformance_public;
mod corpus;
mod dashboard;
mod dist;
mod fuzz;
mod loopback_api;
mod prerequisites;
mod real;
mod repo;
mod site;
mod soak;
mod steps;
mod tidy;
mod traces;
mod vocabulary;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

const USAGE: &str = "\
usage: cargo xtask <task>

  test                    everything that must hold before a change is merged; what CI runs
  tidy                    the rules on crates, files and docs (also part of the tests)
  conformance             rewrite docs/conformance.md and show what is left
  conformance --check     the same without writing
  conformance --open PART the rows of one part that have neither test nor reason
  conformance-public DIR  judge the sample live, and let the specification's own runner read the evidence; DIR is a checkout of it
  bench                   measure calls, start, memory and tokens on a release build
  bench load              measure calls alone
  bench discovery [DIR]   measure how well operations are found; DIR is a checkout of MetaTool, --minilm adds that model
  bench select            measure the selection of fields beside reading into a tree
  bench gate              measure what the gatekeeper, the meter and the audit cost for an allowed READ, on both stores
  bench agents            measure how long a step of an agent takes to evaluate, with 1,000 patterns
  agent [FILE]...         let a scripted agent do tasks over four documents, and count what its discovery costs
  soak reload [EDITS]     edit an adapter file 10,000 times under load; no call may fail
  soak calls [CALLS]      a million calls of many kinds, over stdio and HTTP; memory, open files and threads must stay
  soak redeem [PAIRS]     10,000 tokens redeemed by two processes at once, on SQLite and PostgreSQL; each works once
  soak kill [TIMES]       kill 1,000 instances while they redeem a token, and stop the database; no token works twice
  soak limits [CALLS]     10,000 calls of four processes (SQLite) or three instances (PostgreSQL) against one limit, some killed;
                          the program is built for release
  soak executions [EVENTS]  random walks of 100,000 events on executions, with crashes, on SQLite and PostgreSQL
  soak agents [EVENTS]    random walks of 100,000 events on agents that are watched, with crashes, on SQLite and PostgreSQL
  soak store [SECONDS]    200 clients of two instances on PostgreSQL, one killed every ten seconds for five minutes
  corpus [OPTIONS]        read every real OpenAPI document; --only GLOB and --limit N choose some
  dashboard               run every query of the Grafana dashboard in a real Prometheus
  traces                  send the spans of calls to a real collector
  real github             start with GitHub's document, call every operation, and let others judge the requests
  real stripe             compare form bodies byte for byte with those of Stripe's own client
  real largest            import and serve the largest documents within bounds of time and memory
  real flows              tasks with GitHub's and Stripe's documents: what goes out, and what is asked first
  soak servers [RESTARTS] kill an MCP server 100 times under load; no call may hang, memory must stay
  real servers            call every tool of the reference MCP servers directly and through the server
  real kill               kill the server with ten MCP servers behind it; nothing may be left
  clients                 install the MCP clients and some APIs, and run the checks with them (part of test)
  clients NAME            run one of them: xtask/clients/check_NAME.py
  fuzz [SECONDS] [TARGET] feed foreign bytes to everything that reads them, for an hour in all
  docs                    the documentation as a site, in target/site/html, with its links checked
  dist                    make the packages of a release for this platform, in target/dist; --profile dev tries that out
  dist --check            the same, and install each from its file into an empty place, where it runs the sample
  dist --crates           pack and build every crate as cargo publish would
  vocabulary [FILE]       check the vocabulary that tokens are counted with, or make it again from the published file";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[&str]) -> Result<()> {
    let root = repo::root()?;
    match words {
        ["test"] => steps::run_all(root),
        ["tidy"] => tidy::report(root),
        ["conformance"] => conformance::write(root),
        ["conformance", "--check"] => conformance::check(root),
        ["conformance", "--open", part] => {
            conformance::list_open(root, part.parse().context("the part is a number from 1 to 8")?)
        }
        ["conformance-public", checkout] => conformance_public::run(root, Path::new(checkout)),
        ["bench"] => bench::run(root, bench::Part::All),
        ["bench", "load"] => bench::run(root, bench::Part::Load),
        ["bench", "discovery", words @ ..] => {
            bench::discovery::run(root, &bench::discovery::Comparison::of(words)?)
        }
        ["bench", "select"] => bench::example(root, "aqueduct-query", "select_bench"),
        ["bench", "gate"] => bench::example(root, "aqueduct-safety", "gate_bench"),
        ["bench", "agents"] => bench::example(root, "aqueduct-safety", "step_bench"),
        ["agent", files @ ..] => agent::run(root, files),
        ["soak", "reload"] => soak::reload(root, soak::EDITS),
        ["soak", "reload", edits] => {
            soak::reload(root, edits.parse().context("the number of edits is a number")?)
        }
        ["soak", "calls"] => soak::calls::run(root, soak::calls::CALLS),
        ["soak", "calls", calls] => {
            soak::calls::run(root, calls.parse().context("the number of calls is a number")?)
        }
        ["soak", "redeem"] => soak::store::run(root, "redeem", soak::store::PAIRS),
        ["soak", "redeem", pairs] => soak::store::run(root, "redeem", pairs),
        ["soak", "kill"] => soak::store::run(root, "kill", soak::store::KILLS),
        ["soak", "kill", times] => soak::store::run(root, "kill", times),
        ["soak", "limits"] => soak::limits::run(root, soak::limits::CALLS),
        ["soak", "limits", calls] => soak::limits::run(root, calls),
        ["soak", "executions"] => soak::executions::run(root, soak::executions::EVENTS),
        ["soak", "executions", events] => soak::executions::run(root, events),
        ["soak", "agents"] => soak::agents::run(root, soak::agents::EVENTS),
        ["soak", "agents", events] => soak::agents::run(root, events),
        ["soak", "store"] => soak::store::run(root, "store", soak::store::SECONDS),
        ["soak", "store", seconds] => soak::store::run(root, "store", seconds),
        ["dashboard"] => dashboard::run(root),
        ["traces"] => traces::run(root),
        ["corpus", options @ ..] => corpus::run(root, options),
        ["real", "github"] => real::github(root),
        ["real", "stripe"] => real::stripe(root),
        ["real", "largest"] => real::largest(root),
        ["real", "flows"] => real::flows(root),
        ["soak", "servers"] => real::servers::soak(root, real::servers::RESTARTS),
        ["soak", "servers", restarts] => {
            real::servers::soak(root, restarts.parse().context("the number of restarts is a number")?)
        }
        ["real", "servers"] => real::servers::compare(root),
        ["real", "kill"] => real::servers::kill(root),
        ["fuzz"] => fuzz::run(root, fuzz::SECONDS, None),
        ["fuzz", seconds] => fuzz::run(root, seconds, None),
        ["fuzz", seconds, target] => fuzz::run(root, seconds, Some(target)),
        ["docs"] => site::build(root),
        ["clients"] => steps::run_clients(root, None),
        ["dist", words @ ..] => dist::run(root, &dist::Options::of(words)?),
        ["vocabulary"] => vocabulary::check(root),
        ["vocabulary", file] => vocabulary::make(root, Path::new(file)),
        ["clients", name] => steps::run_clients(root, Some(name)),
        _ => bail!("{USAGE}"),
    }
}
