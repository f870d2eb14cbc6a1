//! Requests that wait for their turn: each caller has a line, and the lines are served in rotation.
//!
//! Waiting requests in, the next of each line out. A caller with a thousand of them is served as often as one with a single one.

use aqueduct_operations::rate_limits::metering::LimitRefusal;
use jiff::Timestamp;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use tokio::sync::oneshot;

/// A request that waits.
#[derive(Debug)]
pub(crate) struct Waiter {
    /// The API limits that count it.
    pub limits: Arc<[usize]>,
    /// When it no longer waits.
    pub deadline: Timestamp,
    /// Tells it to go, or why not.
    pub tell: oneshot::Sender<Result<(), Box<LimitRefusal>>>,
}

/// The lines.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    lines: HashMap<String, VecDeque<Waiter>>,
    rotation: VecDeque<String>,
    waiting: usize,
}

impl Turns {
    /// How many wait.
    pub fn waiting(&self) -> usize {
        self.waiting
    }

    /// Puts a request at the end of its caller's line.
    pub fn push(&mut self, caller: &str, waiter: Waiter) {
        if !self.lines.contains_key(caller) {
            self.rotation.push_back(caller.to_owned());
        }
        self.lines.entry(caller.to_owned()).or_default().push_back(waiter);
        self.waiting += 1;
    }

    /// Goes once around: the first of each line is looked at in rotation, and taken out when `take` says so. How many were taken.
    pub fn serve(&mut self, mut take: impl FnMut(&Waiter) -> bool) -> Vec<Waiter> {
        let mut served = Vec::new();
        for _ in 0..self.rotation.len() {
            let Some(caller) = self.rotation.pop_front() else { break };
            let Some(line) = self.lines.get_mut(&caller) else { continue };
            let first = line.pop_front_if(|waiter| take(waiter));
            let was_served = first.is_some();
            if was_served {
                self.waiting -= 1;
                served.extend(first);
            }
            if line.is_empty() {
                self.lines.remove(&caller);
            } else {
                self.rotation.push_back(caller);
            }
        }
        served
    }

    /// Takes out those for which this holds.
    pub fn take_if(&mut self, mut is_out: impl FnMut(&Waiter) -> bool) -> Vec<Waiter> {
        let mut taken = Vec::new();
        for line in self.lines.values_mut() {
            let (out, left): (VecDeque<_>, VecDeque<_>) = line.drain(..).partition(|waiter| is_out(waiter));
            *line = left;
            taken.extend(out);
        }
        self.lines.retain(|_, line| !line.is_empty());
        let lines = &self.lines;
        self.rotation.retain(|caller| lines.contains_key(caller));
        self.waiting -= taken.len();
        taken
    }

    /// How many of those who wait are counted by this limit.
    pub fn counted_by(&self, limit: usize) -> u64 {
        let waiters = self.lines.values().flatten();
        waiters.filter(|waiter| waiter.limits.contains(&limit)).count() as u64
    }
}
