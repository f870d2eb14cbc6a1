//! What was measured, said in few lines: ratios first, each target with its verdict.
//!
//! Rows and runs in, text out.

use super::load::{CALLERS, Run};
use super::peers::{CLIENT, OURS_HTTP, OURS_STDIO, RAW};
use crate::repo;
use std::path::Path;

/// What is measured, what came out, and what is wanted.
pub struct Row {
    /// What is measured.
    pub what: String,
    /// What came out.
    pub found: String,
    /// What is wanted.
    pub target: String,
    /// Whether it is so.
    pub is_met: bool,
}

impl Row {
    /// One line.
    pub fn line(&self) -> String {
        let verdict = if self.is_met { "met" } else { "MISSED" };
        format!("{:<52} {:>14}   target {:<10} {verdict}", self.what, self.found, self.target)
    }
}

/// The runs of one subject, or why there are none.
pub struct Measured {
    /// Its name.
    pub name: &'static str,
    /// Its runs.
    pub runs: Result<Vec<Run>, String>,
}

/// The medians of some runs, each figure for itself.
pub fn medians(runs: &[Run]) -> Run {
    let middle = |figure: fn(&Run) -> f64| {
        let mut all: Vec<f64> = runs.iter().map(figure).collect();
        all.sort_by(f64::total_cmp);
        all.get(all.len() / 2).copied().unwrap_or_default()
    };
    Run {
        median: middle(|run| run.median),
        slow: middle(|run| run.slow),
        rate: middle(|run| run.rate),
        calls: runs.iter().map(|run| run.calls).sum(),
    }
}

/// The medians of a subject by its name, if it has runs.
fn of(measured: &[Measured], name: &str) -> Option<Run> {
    let found = measured.iter().find(|each| each.name == name)?;
    found.runs.as_ref().ok().map(|runs| medians(runs))
}

/// The table of all subjects beside direct calls: what they add to the shortest one, and their share of what the shortest
/// ones and those of a client library reach.
pub fn table(measured: &[Measured]) -> String {
    let callers = format!("calls/s, {CALLERS}");
    let mut text = format!(
        "{:<26} {:>10} {:>10} {:>10} {:>10} {:>10} {callers:>11}\n",
        "", "adds", "of client", "of raw", "median", "99 of 100",
    );
    let (raw, client) = (of(measured, RAW), of(measured, CLIENT));
    for Measured { name, runs } in measured {
        let line = match (runs, raw, client) {
            (Ok(runs), Some(raw), Some(client)) => {
                let run = medians(runs);
                format!(
                    "{name:<26} {:>7.3} ms {:>8.0} % {:>8.0} % {:>7.3} ms {:>7.3} ms {:>11.0}",
                    run.median - raw.median,
                    100.0 * run.rate / client.rate,
                    100.0 * run.rate / raw.rate,
                    run.median,
                    run.slow,
                    run.rate
                )
            }
            (Err(reason), _, _) => format!("{name:<26} {reason}"),
            (Ok(_), _, _) => format!("{name:<26} without direct calls there is nothing to compare with"),
        };
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// Our targets under load. Times are beside the shortest direct call; shares are of what a client library reaches.
pub fn targets(measured: &[Measured]) -> Vec<Row> {
    let of = |name: &str| of(measured, name);
    let (Some(raw), Some(client)) = (of(RAW), of(CLIENT)) else { return Vec::new() };
    let best_peer = measured
        .iter()
        .filter(|each| ![RAW, CLIENT, OURS_STDIO, OURS_HTTP].contains(&each.name))
        .filter_map(|each| of(each.name))
        .map(|run| run.rate)
        .max_by(f64::total_cmp);
    let mut rows = Vec::new();
    for (name, most) in [(OURS_STDIO, 0.25), (OURS_HTTP, 0.35)] {
        let Some(ours) = of(name) else { continue };
        let (adds, share) = (ours.median - raw.median, 100.0 * ours.rate / client.rate);
        rows.push(Row {
            what: format!("{name}: added to a direct call"),
            found: format!("{adds:.3} ms"),
            target: format!("< {most} ms"),
            is_met: adds < most,
        });
        rows.push(Row {
            what: format!("{name}: {CALLERS} callers, of direct"),
            found: format!("{share:.0} %"),
            target: ">= 25 %".to_owned(),
            is_met: share >= 25.0,
        });
        rows.push(Row {
            what: format!("{name}: 99 of 100 calls"),
            found: format!("{:.3} ms", ours.slow),
            target: "< 40 ms".to_owned(),
            is_met: ours.slow < 40.0,
        });
        if let Some(peer) = best_peer {
            let ratio = ours.rate / peer;
            rows.push(Row {
                what: format!("{name}: {CALLERS} callers, of the best peer"),
                found: format!("{ratio:.1} times"),
                target: ">= 2".to_owned(),
                is_met: ratio >= 2.0,
            });
        }
    }
    rows
}

/// Processor, cores, memory and system, as far as they can be read.
pub fn machine() -> String {
    let field = |file: &str, name: &str| {
        let text = repo::read(Path::new(file)).unwrap_or_default();
        let line = text.lines().find(|line| line.starts_with(name)).map(str::to_owned);
        line.and_then(|line| line.split_once(':').map(|(_, value)| value.trim().to_owned()))
    };
    let load = repo::read(Path::new("/proc/loadavg")).unwrap_or_default();
    format!(
        "{}, {} cores, {} memory, {} {}, load before {}",
        field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown processor".to_owned()),
        std::thread::available_parallelism().map_or(0, usize::from),
        field("/proc/meminfo", "MemTotal").unwrap_or_else(|| "unknown".to_owned()),
        std::env::consts::OS,
        std::env::consts::ARCH,
        load.split(' ').next().unwrap_or("unknown"),
    )
}

#[cfg(test)]
mod tests;
