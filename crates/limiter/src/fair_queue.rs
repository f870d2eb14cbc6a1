//! Those who wait for their turn: each caller has a line, and the lines are served in rotation.
//!
//! Waiting callers in, the next of each line out. A caller with a thousand of them is served as often as one with a single one. When there
//! is no room left, the longest line makes room for a shorter one.

use std::collections::{HashMap, VecDeque};

/// The lines.
#[derive(Debug)]
pub(crate) struct FairQueue<W> {
    lines: HashMap<String, VecDeque<W>>,
    rotation: VecDeque<String>,
    waiting: usize,
}

impl<W> Default for FairQueue<W> {
    fn default() -> FairQueue<W> {
        FairQueue { lines: HashMap::new(), rotation: VecDeque::new(), waiting: 0 }
    }
}

impl<W> FairQueue<W> {
    /// How many wait.
    pub fn waiting(&self) -> usize {
        self.waiting
    }

    /// Puts somebody at the end of their caller's line.
    pub fn push(&mut self, caller: &str, waiter: W) {
        if !self.lines.contains_key(caller) {
            self.rotation.push_back(caller.to_owned());
        }
        self.lines.entry(caller.to_owned()).or_default().push_back(waiter);
        self.waiting += 1;
    }

    /// Takes the last out of the longest line, when that is longer than the line of this caller will be with one more: of all
    /// lines, none keeps another one out that is shorter.
    pub fn make_room_for(&mut self, caller: &str) -> Option<W> {
        let own = self.lines.get(caller).map_or(0, VecDeque::len);
        let (longest, line) = self.lines.iter_mut().max_by_key(|(_, line)| line.len())?;
        if line.len() <= own + 1 {
            return None;
        }
        let last = line.pop_back()?;
        self.waiting -= 1;
        if line.is_empty() {
            let longest = longest.clone();
            self.lines.remove(&longest);
            self.rotation.retain(|each| *each != longest);
        }
        Some(last)
    }

    /// Goes once around: the first of each line is looked at in rotation, and taken out when `take` says so. Callers who were served
    /// go behind all others.
    pub fn serve(&mut self, mut take: impl FnMut(&W) -> bool) -> Vec<W> {
        let mut served = Vec::new();
        let (mut still_waiting, mut behind) = (VecDeque::new(), VecDeque::new());
        for caller in std::mem::take(&mut self.rotation) {
            let Some(line) = self.lines.get_mut(&caller) else { continue };
            let Some(first) = line.pop_front_if(|waiter| take(waiter)) else {
                still_waiting.push_back(caller);
                continue;
            };
            self.waiting -= 1;
            served.push(first);
            if line.is_empty() {
                self.lines.remove(&caller);
            } else {
                behind.push_back(caller);
            }
        }
        still_waiting.append(&mut behind);
        self.rotation = still_waiting;
        served
    }

    /// Takes out those for which this holds.
    pub fn take_if(&mut self, mut is_out: impl FnMut(&W) -> bool) -> Vec<W> {
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

    /// Everybody who waits.
    pub fn all(&self) -> impl Iterator<Item = &W> {
        self.lines.values().flatten()
    }
}
