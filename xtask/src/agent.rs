//! `cargo xtask agent [FILE]...`: a scripted agent does tasks over four documents that are served together. Not part of CI.
//!
//! In: the tasks of `xtask/agent`, or of other files of that form. Out: for each task what went out and what its discovery
//! cost, then the sums, and failure when one misses its bound. Everything goes through a release build over stdio, with an
//! upstream on loopback that records; `AQUEDUCT_BIN` names another build.

mod recorder;
mod report;
mod server;
mod solver;
mod task;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::{bench, clients, real, repo};
use recorder::Recorder;
use report::{Tally, TaskOutcome};
use server::{SOURCES, Served};
use solver::{Agent, Spent, Wish};
use task::Task;

/// Does all tasks, in each of the ways.
pub fn run(root: &Path, files: &[&str]) -> Result<()> {
    let documents = root.join(".tools/discovery");
    clients::install_npm(&documents, bench::DOCUMENTS)?;
    let server = real::server(root)?;
    let tasks = tasks(root, files)?;
    let recorder = Recorder::start()?;
    let mut served = Served::start(&server, &documents.join("node_modules"), recorder.address())?;
    let mut is_met = true;
    for (place, (title, way)) in WAYS.iter().enumerate() {
        println!("\n{title}");
        let mut tally = Tally::default();
        for task in &tasks {
            let spent = way(Agent::new(&mut served), task)?;
            let problem = task.problem(&recorder.taken());
            let outcome = TaskOutcome { problem, spent };
            println!("{}", outcome.line(&task.id));
            tally.add(outcome);
        }
        println!();
        for row in tally.rows(place == 0) {
            println!("{}", row.line());
            is_met &= row.is_met;
        }
    }
    served.close()?;
    if !is_met {
        bail!("a bound was missed");
    }
    Ok(())
}

/// How a task is done.
type Way = fn(Agent<'_>, &Task) -> Result<Spent>;

/// The ways in which tasks are done. Bounds hold for the first.
const WAYS: [(&str, Way); 3] = [
    ("searching as an agent does, in a few words", |agent, task| {
        agent.solve(&Wish { searches: [&task.search, &task.words], values: &task.params })
    }),
    ("searching with the person's own words", |agent, task| {
        agent.solve(&Wish { searches: [&task.words, &task.search], values: &task.params })
    }),
    ("with nothing but the person's own words: examples are sent as they are shown", |agent, task| {
        agent.solve_by_examples(&task.words)
    }),
];

fn tasks(root: &Path, files: &[&str]) -> Result<Vec<Task>> {
    let named: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
    let ours = ["tasks.jsonl", "more.jsonl", "further.jsonl"].map(|name| root.join("xtask/agent").join(name));
    let mut tasks = Vec::new();
    for file in if named.is_empty() { &ours[..] } else { &named } {
        for line in repo::read(file)?.lines() {
            tasks.push(Task::read(line)?);
        }
    }
    match tasks.iter().find(|task| !SOURCES.iter().any(|(name, _)| *name == task.source)) {
        Some(task) => bail!("{}: no source is named {}", task.id, task.source),
        None => Ok(tasks),
    }
}
