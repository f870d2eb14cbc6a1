//! `cargo xtask soak reload`: thousands of edits of an adapter file, while callers do not stop. Not part of CI.
//!
//! In: how many edits; 10,000 when nothing is said. Out: a table of edits, calls, failures, stale answers and memory; an
//! error when a call failed, an answer was older than what had been announced, or memory grew. All of it on loopback,
//! with the server built as this task is (debug, or release under `cargo run --release --package xtask`).

pub mod agents;
mod callers;
pub mod calls;
mod echo;
mod edits;
pub mod executions;
pub mod limits;
mod server;
pub mod store;
mod tally;

use crate::repo;
use anyhow::{Context, Result, bail};
use callers::Callers;
use edits::{Edit, Edited};
use server::HttpServer;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use tally::Tally;

/// Edits when nothing is said.
pub const EDITS: u64 = 10_000;

/// The longest wait for an edit to be served.
const DEADLINE: Duration = Duration::from_secs(30);

/// Edits before memory is measured for the first time.
const WARM_UP: u64 = 100;

/// Growth of a server's memory beyond which something is kept that should not be, in megabytes.
const MOST_GROWTH: f64 = 50.0;

/// What was seen of an edit.
#[derive(Debug)]
pub enum Event {
    /// The log of the server over HTTP says that this version is loaded.
    Reloaded(u64),
    /// The log of the server over HTTP says that a version was refused.
    Refused,
    /// The client over stdio was told of a change.
    Told,
    /// A server or a caller has ended.
    Ended(String),
}

/// Builds the server, edits, calls, prints.
pub fn reload(root: &Path, edits: u64) -> Result<()> {
    let server = build(root)?;
    let folder = std::env::temp_dir().join(format!("aqueduct-soak-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let report = soak(&server, &folder, edits);
    std::fs::remove_dir_all(&folder)?;
    let report = report?;
    println!("{}", report.text);
    if !report.is_good {
        bail!("the soak found something");
    }
    Ok(())
}

/// Runs the tests of `crates/store` of this name, which are told their size by `settings`, in this profile.
fn store_tests(root: &Path, profile: &str, name: &str, settings: impl FnOnce(&mut Command)) -> Result<()> {
    let mut command = repo::cargo(root);
    command.args(["test", "--profile", profile, "--package", "aqueduct-store", "--all-features"]);
    command.args(["--test", "it", name, "--", "--nocapture"]);
    settings(&mut command);
    if !command.status().context("cargo cannot be started")?.success() {
        bail!("the soak found something");
    }
    Ok(())
}

fn build(root: &Path) -> Result<PathBuf> {
    let mut command = repo::cargo(root);
    command.args(["build", "--quiet", "--package", "aqueduct-cli"]);
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    if !command.status().context("cargo cannot be started")?.success() {
        bail!("the server cannot be built");
    }
    Ok(std::env::current_exe()?.with_file_name("aqueduct"))
}

struct SoakReport {
    text: String,
    is_good: bool,
}

fn soak(server: &Path, folder: &Path, edits: u64) -> Result<SoakReport> {
    let edited = Edited::start(folder, &echo::start()?)?;
    let (events, heard) = channel();
    let tally = Arc::new(Tally::default());
    let http = HttpServer::start(server, folder, &edited.path, events.clone())?;
    let callers = Callers::start(server, folder, &edited, (http.address, &tally), &events)?;
    let mut progress = Progress { heard, reloaded: 0, refused: 0, told: 0 };
    let started = Instant::now();
    let mut bad = 0;
    let mut before = None;
    for number in 1..=edits {
        if number == WARM_UP.min(edits) {
            before = Some((http.resident_megabytes()?, callers.resident_megabytes()?));
        }
        match Edit::of(number) {
            Edit::Bad(how) => {
                bad += 1;
                let refused = progress.refused;
                edited.spoil(how)?;
                progress.wait(number, |seen| seen.refused > refused)?;
            }
            Edit::Good(how) => {
                let told = progress.told;
                tally.write(number);
                edited.write(number, how, |pause| progress.listen(pause))?;
                progress.wait(number, |seen| seen.reloaded == number && seen.told > told)?;
                tally.announce(number);
            }
        }
        if number.is_multiple_of(1000) {
            println!("{number} edits, {} calls", tally.calls());
        }
    }
    let took = started.elapsed();
    let after = (http.resident_megabytes()?, callers.resident_megabytes()?);
    callers.stop()?;
    let before = before.context("memory was not measured")?;
    let grown = (after.0 - before.0).max(after.1 - before.1);
    let text = [
        ("edits", format!("{edits} ({bad} of them no good)")),
        ("calls", tally.calls().to_string()),
        ("failures", tally.failures().to_string()),
        ("stale answers", tally.stale().to_string()),
        ("memory, HTTP", format!("{:.1} MB before, {:.1} MB after", before.0, after.0)),
        ("memory, stdio", format!("{:.1} MB before, {:.1} MB after", before.1, after.1)),
        ("time", format!("{:.0} s", took.as_secs_f64())),
    ]
    .map(|(what, found)| format!("{what:<16}{found}"))
    .into_iter()
    .chain(tally.examples())
    .collect::<Vec<_>>()
    .join("\n");
    let is_good = tally.failures() == 0 && tally.stale() == 0 && tally.calls() > 0 && grown < MOST_GROWTH;
    Ok(SoakReport { text, is_good })
}

/// What was seen so far.
struct Progress {
    heard: Receiver<Event>,
    reloaded: u64,
    refused: u64,
    told: u64,
}

impl Progress {
    /// Waits until something was seen.
    fn wait(&mut self, number: u64, is_seen: impl Fn(&Progress) -> bool) -> Result<()> {
        let until = Instant::now() + DEADLINE;
        while !is_seen(self) {
            if !self.next(until)? {
                bail!("edit {number} was not seen within {} seconds", DEADLINE.as_secs());
            }
        }
        Ok(())
    }

    /// Takes in what is seen for a while.
    fn listen(&mut self, pause: Duration) -> Result<()> {
        let until = Instant::now() + pause;
        while self.next(until)? {}
        Ok(())
    }

    /// Takes in one event; false when the time is over.
    fn next(&mut self, until: Instant) -> Result<bool> {
        let Ok(event) = self.heard.recv_timeout(until.saturating_duration_since(Instant::now())) else {
            return Ok(false);
        };
        match event {
            Event::Reloaded(version) => self.reloaded = version,
            Event::Refused => self.refused += 1,
            Event::Told => self.told += 1,
            Event::Ended(reason) => bail!("{reason}"),
        }
        Ok(true)
    }
}
