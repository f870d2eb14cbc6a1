//! The descendants of this process, and their end.
//!
//! Found in the system's list of processes each time anew, because a tree that is ending changes; this process
//! itself is never in it.

use rustix::process::{Pid, Signal, getpid, kill_process};

/// Every descendant, found by parent; empty where the system does not list processes in files.
pub(crate) fn descendants() -> Vec<Pid> {
    let parents = all_with_parents();
    let mut found = vec![getpid()];
    let mut next = 0;
    while let Some(parent) = found.get(next).copied() {
        next += 1;
        found.extend(parents.iter().filter(|(_, of)| *of == parent).map(|(child, _)| *child));
    }
    found.remove(0);
    found
}

/// Sends a signal to every descendant; those that just ended need none.
pub(crate) fn signal(signal: Signal) {
    for descendant in descendants() {
        kill_process(descendant, signal).ok();
    }
}

#[expect(clippy::disallowed_methods, reason = "these files are the system's and small")]
fn all_with_parents() -> Vec<(Pid, Pid)> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    pids.filter_map(|pid| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        Some((Pid::from_raw(pid)?, parent_in(&stat)?))
    })
    .collect()
}

/// The parent's number; the name before it may hold blanks and parentheses.
fn parent_in(stat: &str) -> Option<Pid> {
    let after_name = &stat[stat.rfind(')')? + 1..];
    Pid::from_raw(after_name.split_whitespace().nth(1)?.parse().ok()?)
}

#[cfg(test)]
mod tests;
