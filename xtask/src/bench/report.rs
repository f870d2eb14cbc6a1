//! What was measured, said in few lines: ratios first, each target with its verdict.
//!
//! Rows and runs in, text out.

use super::load::{CALLERS, Run};
use super::peers::{Contestant, Ready};
use super::upstream::Body;
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
        format!("{:<66} {:>12}   target {:<10} {verdict}", self.what, self.found, self.target)
    }
}

/// What everybody is asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scenario {
    /// Operations of the document.
    pub operations: usize,
    /// The length of an answer.
    pub body: Body,
}

/// The tasks of the table. One thing is varied at a time.
pub const SCENARIOS: [Scenario; 3] = [FEW, LONG, MANY];
const FEW: Scenario = Scenario { operations: 10, body: Body::Small };
const LONG: Scenario = Scenario { operations: 10, body: Body::Large };
const MANY: Scenario = Scenario { operations: 10_000, body: Body::Small };

impl Scenario {
    fn name(self) -> String {
        format!("{} operations, {} KB", self.operations, self.body.number())
    }
}

/// The runs of one subject, or why there are none.
pub struct Measured {
    /// Whose they are.
    pub contestant: Contestant,
    /// What it was asked to do.
    pub scenario: Scenario,
    /// What it was like at the beginning.
    pub ready: Option<Ready>,
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

/// The medians of a subject, if it has runs.
fn of(measured: &[Measured], scenario: Scenario, contestant: Contestant) -> Option<Run> {
    let found = measured.iter().find(|each| each.scenario == scenario && each.contestant == contestant)?;
    found.runs.as_ref().ok().filter(|runs| !runs.is_empty()).map(|runs| medians(runs))
}

/// The table: how often ours makes what each makes, its share of what a client library reaches directly, and what it adds to
/// the shortest direct call; then the figures themselves.
pub fn table(measured: &[Measured]) -> String {
    let mut text = format!(
        "{:<29} {:>7} {:>7} {:>6} {:>9} | {:>9} {:>9} {:>9} {:>8} | {:>9} {:>8} {:>8}\n{:<29} {:>7} {:>7} {:>6} {:>9} | {:>9} {:>9} {:>9} {:>8} | {:>9} {:>8} {:>8}\n",
        "",
        "stdio",
        "HTTP",
        "of",
        "adds",
        "median",
        "99 of",
        "mean of",
        "calls/s",
        "start",
        "memory",
        "tokens",
        "",
        "/ it",
        "/ it",
        "client",
        "ms",
        "ms",
        "100, ms",
        "16, ms",
        "of 16",
        "ms",
        "MB",
        "",
    );
    for scenario in SCENARIOS {
        let lines: Vec<&Measured> = measured.iter().filter(|each| each.scenario == scenario).collect();
        if lines.is_empty() {
            continue;
        }
        text.push_str(&format!("{}\n", scenario.name()));
        for line in lines {
            text.push_str(&format!("  {:<27} {}\n", line.contestant.name(), figures(measured, line)));
        }
    }
    text
}

fn figures(measured: &[Measured], line: &Measured) -> String {
    let runs = match &line.runs {
        Ok(runs) => runs,
        Err(reason) => return reason.clone(),
    };
    let of = |contestant| of(measured, line.scenario, contestant);
    let run = medians(runs);
    let times =
        |ours: Contestant| of(ours).map_or_else(String::new, |ours| format!("{:.1}", ours.rate / run.rate));
    let share = of(Contestant::Client)
        .map_or_else(String::new, |client| format!("{:.0} %", 100.0 * run.rate / client.rate));
    let adds = of(Contestant::Raw).map_or_else(String::new, |raw| format!("{:.3}", run.median - raw.median));
    let ready = line.ready.map_or_else(String::new, |ready| {
        format!("{:>9.1} {:>8.1} {:>8}", ready.start, ready.megabytes, ready.tokens)
    });
    format!(
        "{:>7} {:>7} {share:>6} {adds:>9} | {:>9.3} {:>9.3} {:>9.3} {:>8.0} | {ready}",
        times(Contestant::OursStdio),
        times(Contestant::OursHttp),
        run.median,
        run.slow,
        run.crowded(),
        run.rate
    )
}

/// Our targets under load. Times are beside the shortest direct call.
pub fn targets(measured: &[Measured]) -> Vec<Row> {
    let of = |scenario, contestant| of(measured, scenario, contestant);
    let mut rows = Vec::new();
    let mut row = |what: String, found: String, target: String, is_met: bool| {
        rows.push(Row { what, found, target, is_met });
    };
    for (ours, most) in [(Contestant::OursStdio, 0.15), (Contestant::OursHttp, 0.15)] {
        let name = ours.name();
        let Some(few) = of(FEW, ours) else { continue };
        if let Some(raw) = of(FEW, Contestant::Raw) {
            let adds = few.median - raw.median;
            row(
                format!("{name}: added to a direct call"),
                format!("{adds:.3} ms"),
                format!("< {most} ms"),
                adds < most,
            );
        }
        row(
            format!("{name}: 99 of 100 calls"),
            format!("{:.3} ms", few.slow),
            "< 40 ms".to_owned(),
            few.slow < 40.0,
        );
        for (peer, least) in [
            (Contestant::RmcpOpenApi, 3.0),
            (Contestant::FastMcpStdio, 10.0),
            (Contestant::FastMcpHttp, 10.0),
        ] {
            let Some(peer_run) = of(FEW, peer) else { continue };
            let ratio = few.rate / peer_run.rate;
            row(
                format!("{name}: calls of {CALLERS} callers, of {}", peer.name()),
                format!("{ratio:.1} times"),
                format!(">= {least}"),
                ratio >= least,
            );
        }
        if let Some(many) = of(MANY, ours) {
            let share = 100.0 * many.rate / few.rate;
            row(
                format!(
                    "{name}: calls with {} operations, of those with {}",
                    MANY.operations, FEW.operations
                ),
                format!("{share:.0} %"),
                ">= 85 %".to_owned(),
                share >= 85.0,
            );
        }
        if let (Some(long), Some(client)) = (of(LONG, ours), of(LONG, Contestant::Client)) {
            let ratio = long.median / client.median;
            row(
                format!("{name}: 100 KB, of the direct client's time"),
                format!("{ratio:.2} times"),
                "<= 2".to_owned(),
                ratio <= 2.0,
            );
        }
    }
    if let (Some(http), Some(stdio)) = (of(FEW, Contestant::OursHttp), of(FEW, Contestant::OursStdio)) {
        let share = 100.0 * http.rate / stdio.rate;
        row(
            "aqueduct, HTTP: calls, of those over stdio".to_owned(),
            format!("{share:.0} %"),
            ">= 60 %".to_owned(),
            share >= 60.0,
        );
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
