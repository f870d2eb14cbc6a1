//! The load generator: the same question asked directly, over stdio and over HTTP, one caller or sixteen.
//!
//! A subject in, times and rates out. Every answer is looked at: a fast failure is no success.

mod library;
mod request;
mod wires;

use super::session::{Process, Session};
use super::upstream::{Body, MARKER};
use anyhow::{Context, Result, bail};
use std::time::{Duration, Instant};

pub use library::Library;
pub use request::{Request, ToolCall};
pub use wires::Wire;

/// Callers at once in the second half of a run.
pub const CALLERS: usize = 16;
/// Longest time, and most calls, of one caller in a run.
const SEQUENTIAL: (Duration, usize) = (Duration::from_millis(600), 1500);
const CONCURRENT: Duration = Duration::from_millis(900);
/// Calls before anything is measured: connections open, caches warm.
const WARM_UP: usize = 50;

/// Something that can be asked.
pub enum Subject {
    /// The upstream itself, asked by the shortest way there is.
    Direct(Wire),
    /// The upstream itself, asked as programs do.
    Library(Library),
    /// An MCP server over its standard input and output, what is called, and the last id.
    Stdio(Session, ToolCall, u64),
    /// An MCP server over streamable HTTP, and its process.
    Http(Wire, Process),
}

/// What one run of a subject gave.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    /// Median time of a call by one caller, in milliseconds.
    pub median: f64,
    /// The time that 99 of 100 such calls keep, in milliseconds.
    pub slow: f64,
    /// Calls a second by all callers.
    pub rate: f64,
    /// Calls in all.
    pub calls: u64,
}

impl Run {
    /// How long a call of one of all callers takes on average, in milliseconds: each sends its next when it has its answer.
    pub fn crowded(&self) -> f64 {
        CALLERS as f64 * 1000.0 / self.rate
    }
}

impl Subject {
    /// Warms up and measures once, with answers of this length.
    pub fn run(&mut self, body: Body) -> Result<Run> {
        if let Subject::Direct(wire) | Subject::Http(wire, _) = self {
            wire.reopen(body)?;
        }
        let mut warm_up = Vec::new();
        self.sequential(body, &mut warm_up, WARM_UP)?;
        let mut times = Vec::with_capacity(SEQUENTIAL.1);
        self.sequential(body, &mut times, SEQUENTIAL.1)?;
        let (done, took) = self.concurrent(body)?;
        times.sort();
        let at = |share: f64| {
            let index = ((times.len() - 1) as f64 * share) as usize;
            times.get(index).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
        };
        Ok(Run {
            median: at(0.5),
            slow: at(0.99),
            rate: done as f64 / took.as_secs_f64(),
            calls: (times.len() + warm_up.len()) as u64 + done,
        })
    }

    /// Ends the server, if there is one of its own.
    pub fn close(self) -> Result<()> {
        match self {
            Subject::Direct(_) | Subject::Library(_) => Ok(()),
            Subject::Stdio(session, ..) => session.close(),
            Subject::Http(_, process) => process.end(),
        }
    }

    fn sequential(&mut self, body: Body, times: &mut Vec<Duration>, most: usize) -> Result<()> {
        match self {
            Subject::Direct(wire) | Subject::Http(wire, _) => wire.sequential(times, most),
            Subject::Library(library) => library.sequential(body, times, most),
            Subject::Stdio(session, call, last_id) => {
                let mut request = Request::line(call, body, *last_id);
                let started = Instant::now();
                while times.len() < most && started.elapsed() < SEQUENTIAL.0 {
                    let asked = Instant::now();
                    session.send(request.next())?;
                    check(session.line()?.as_bytes())?;
                    times.push(asked.elapsed());
                }
                *last_id = request.id();
                Ok(())
            }
        }
    }

    /// Sixteen calls are always under way; how many were answered, and in which time.
    fn concurrent(&mut self, body: Body) -> Result<(u64, Duration)> {
        match self {
            Subject::Direct(wire) | Subject::Http(wire, _) => wire.concurrent(),
            Subject::Library(library) => library.concurrent(body),
            Subject::Stdio(session, call, last_id) => {
                let mut request = Request::line(call, body, *last_id);
                let started = Instant::now();
                for _ in 0..CALLERS {
                    session.send(request.next())?;
                }
                let (mut under_way, mut done) = (CALLERS, 0);
                while under_way > 0 {
                    check(session.line()?.as_bytes())?;
                    done += 1;
                    if started.elapsed() < CONCURRENT {
                        session.send(request.next())?;
                    } else {
                        under_way -= 1;
                    }
                }
                *last_id = request.id();
                Ok((done, started.elapsed()))
            }
        }
    }
}

/// An answer without the upstream's word near its beginning is a failure: all of it is read, not all of it is searched.
fn check(answer: &[u8]) -> Result<()> {
    let head = answer.get(..answer.len().min(512)).unwrap_or_default();
    if !head.windows(MARKER.len()).any(|window| window == MARKER.as_bytes()) {
        let text = std::str::from_utf8(answer).context("an answer that is not text")?;
        bail!("a call failed: {}", text.chars().take(2000).collect::<String>());
    }
    Ok(())
}

#[cfg(test)]
mod tests;
