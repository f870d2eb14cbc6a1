//! `cargo xtask soak calls`: a million calls of many kinds, half over stdio and half over HTTP. Not part of CI.
//!
//! In: how many calls. Out: a table of calls, wrong answers, memory, open files and threads of both servers; an error when an
//! answer was not what it should be, or when a server had more at the end than after its first calls. All of it on loopback, with
//! the server built as this task is (debug, or release under `cargo run --release --package xtask`).

mod figures;
mod http;
mod mix;

use super::server::HttpServer;
use super::{build, echo};
use crate::bench::session::Session;
use anyhow::{Context, Result, bail};
use figures::{Figures, Samples};
use mix::Call;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Calls when nothing is said.
pub const CALLS: u64 = 1_000_000;

/// Calls at once over stdio.
const AT_ONCE: usize = 16;
/// Threads that call over HTTP without a session, and those that open and end sessions.
const STATELESS: usize = 6;
const SESSIONS: usize = 2;
/// How often it is looked whether it is time for a sample.
const PAUSE: Duration = Duration::from_millis(20);
/// Wrong answers that are shown.
const EXAMPLES: usize = 5;

/// Builds the server, calls, prints.
pub fn run(root: &Path, calls: u64) -> Result<()> {
    if calls < 1000 {
        bail!("fewer than 1,000 calls say nothing");
    }
    let server = build(root)?;
    let folder = std::env::temp_dir().join(format!("aqueduct-calls-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let report = soak(&server, &folder, calls);
    std::fs::remove_dir_all(&folder)?;
    let (text, problems) = report?;
    println!("{text}");
    if !problems.is_empty() {
        bail!("the soak found something: {}", problems.join("; "));
    }
    Ok(())
}

/// What all callers share: the numbers of calls that were not made yet, and what became of the others.
#[derive(Debug)]
struct Work {
    calls: u64,
    next: AtomicU64,
    done: AtomicU64,
    wrong: AtomicU64,
    examples: Mutex<Vec<String>>,
}

impl Work {
    fn new(calls: u64) -> Arc<Work> {
        let zero = || AtomicU64::new(0);
        Arc::new(Work { calls, next: zero(), done: zero(), wrong: zero(), examples: Mutex::default() })
    }

    /// The next call, until all are made.
    fn next(&self) -> Option<Call> {
        let number = self.next.fetch_add(1, SeqCst);
        (number < self.calls).then(|| Call::of(number))
    }

    /// Looks at the answer to a call.
    fn judge(&self, call: &Call, answer: &str) {
        if !call.is_answered_by(answer) {
            self.wrong.fetch_add(1, SeqCst);
            if let Ok(mut examples) = self.examples.lock()
                && examples.len() < EXAMPLES
            {
                examples.push(format!("{}: {}", call.arguments, answer.trim_end()));
            }
        }
        self.done.fetch_add(1, SeqCst);
    }

    fn done(&self) -> u64 {
        self.done.load(SeqCst)
    }
}

fn soak(server: &Path, folder: &Path, calls: u64) -> Result<(String, Vec<String>)> {
    let adapter = folder.join("calls-adapter.md");
    std::fs::write(&adapter, mix::adapter(&echo::start()?))?;
    // Nothing is reloaded; but the reader of the log goes on only while somebody would hear of it.
    let (events, _heard) = channel();
    let http = HttpServer::start(server, folder, &adapter, events)?;
    let stdio = over_stdio(server, folder, &adapter)?;
    let processes = [stdio.process_id(), http.process_id()];
    let work = [Work::new(calls / 2), Work::new(calls - calls / 2)];
    let started = Instant::now();
    let mut callers = vec![call_over_stdio(stdio, &work[0])?];
    callers.extend(call_over_http(http.address, &work[1])?);
    let mut samples = [Samples::default(), Samples::default()];
    let done = || work.iter().map(|work| work.done()).sum::<u64>();
    // Each server by its own share: the faster one ends while the other still has calls to answer.
    let mut percents = [0, 0];
    let mut told = 0;
    while percents != [100, 100] && !callers.iter().all(JoinHandle::is_finished) {
        #[expect(clippy::disallowed_methods, reason = "samples are taken between calls of other threads")]
        std::thread::sleep(PAUSE);
        for (index, work) in work.iter().enumerate() {
            let reached = work.done() * 100 / work.calls;
            if reached > percents[index] {
                percents[index] = reached;
                // One that has ended has no figures any more.
                if let Ok(figures) = Figures::of(processes[index]) {
                    samples[index].add(reached, figures);
                }
            }
        }
        let tenths = done() * 10 / calls;
        if tenths > told {
            told = tenths;
            println!("{} calls, {:.0} s", done(), started.elapsed().as_secs_f64());
        }
    }
    for caller in callers {
        caller.join().ok().context("a caller broke down")??;
    }
    let took = started.elapsed().as_secs_f64();
    let mut lines = vec![
        ("calls".to_owned(), done().to_string()),
        (
            "wrong answers".to_owned(),
            work.iter().map(|work| work.wrong.load(SeqCst)).sum::<u64>().to_string(),
        ),
        ("time".to_owned(), format!("{took:.0} s, {:.0} calls a second", done() as f64 / took)),
    ];
    let mut problems = Vec::new();
    for work in &work {
        let wrong = work.examples.lock().map(|examples| examples.clone()).unwrap_or_default();
        problems.extend(wrong.into_iter().map(|example| format!("wrong: {example}")));
    }
    if done() != calls {
        problems.push(format!("{} of {calls} calls were made", done()));
    }
    for (name, samples) in ["stdio", "HTTP"].into_iter().zip(&samples) {
        let (early, late) = samples.compared().with_context(|| format!("{name} was not measured"))?;
        lines.push((format!("{name}, early"), early.to_string()));
        lines.push((format!("{name}, at the end"), late.to_string()));
        problems.extend(late.growth_since(&early).into_iter().map(|what| format!("{name}: {what}")));
    }
    let text = lines.into_iter().map(|(what, found)| format!("{what:<20}{found}"));
    Ok((text.collect::<Vec<_>>().join("\n"), problems))
}

fn over_stdio(server: &Path, folder: &Path, adapter: &PathBuf) -> Result<Session> {
    let mut command = Command::new(server);
    command.args(["serve", "--state-dir"]).arg(folder.join("state-stdio")).arg(adapter);
    Session::with(command.current_dir(folder).env_clear())
}

/// Sixteen calls are under way until the last ones.
fn call_over_stdio(mut session: Session, work: &Arc<Work>) -> Result<JoinHandle<Result<()>>> {
    let work = Arc::clone(work);
    spawn(move || {
        let mut under_way = std::collections::HashMap::new();
        let mut id = 0_u64;
        loop {
            while under_way.len() < AT_ONCE
                && let Some(call) = work.next()
            {
                id += 1;
                session.send(format!("{}\n", call.message(id)).as_bytes())?;
                under_way.insert(id, call);
            }
            if under_way.is_empty() {
                return session.close();
            }
            let line = session.line()?;
            let answered = mix::id_of(&line).and_then(|id| under_way.remove(&id));
            // What is no answer is a notification.
            if let Some(call) = answered {
                work.judge(&call, &line);
            }
        }
    })
}

fn call_over_http(address: SocketAddr, work: &Arc<Work>) -> Result<Vec<JoinHandle<Result<()>>>> {
    let mut callers = Vec::new();
    for number in 0..STATELESS + SESSIONS {
        let work = Arc::clone(work);
        callers.push(spawn(move || {
            if number < STATELESS {
                http::stateless(address, &work)
            } else {
                http::in_sessions(address, &work)
            }
        })?);
    }
    Ok(callers)
}

fn spawn(call: impl FnOnce() -> Result<()> + Send + 'static) -> Result<JoinHandle<Result<()>>> {
    std::thread::Builder::new().name("caller".to_owned()).spawn(call).context("no thread for a caller")
}
