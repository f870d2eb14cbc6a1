//! What was measured, said in few lines: ratios first, each target with its verdict.
//!
//! Rows and runs in, text out.

use super::load::{CALLERS, Run};
use super::peers::{OURS_HTTP, OURS_STDIO};
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

/// The table of all subjects beside the direct call, which is the first of them.
pub fn table(measured: &[Measured]) -> String {
    let direct = measured.first().and_then(|first| first.runs.as_ref().ok()).map(|runs| medians(runs));
    let mut text = format!(
        "{:<28} {:>10} {:>10} {:>10} {:>10} {:>10}\n",
        "",
        "adds",
        "of direct",
        "median",
        "99 of 100",
        format!("calls/s, {CALLERS}")
    );
    for Measured { name, runs } in measured {
        let line = match (runs, direct) {
            (Ok(runs), Some(direct)) => {
                let run = medians(runs);
                format!(
                    "{name:<28} {:>7.3} ms {:>8.0} % {:>7.3} ms {:>7.3} ms {:>10.0}",
                    run.median - direct.median,
                    100.0 * run.rate / direct.rate,
                    run.median,
                    run.slow,
                    run.rate
                )
            }
            (Err(reason), _) => format!("{name:<28} {reason}"),
            (Ok(_), None) => format!("{name:<28} without a direct call there is nothing to compare with"),
        };
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// Our targets under load.
pub fn targets(measured: &[Measured]) -> Vec<Row> {
    let of = |name: &str| {
        let found = measured.iter().find(|each| each.name == name)?;
        found.runs.as_ref().ok().map(|runs| medians(runs))
    };
    let Some(direct) = measured.first().and_then(|first| of(first.name)) else { return Vec::new() };
    let best_peer = measured
        .iter()
        .skip(1)
        .filter(|each| ![OURS_STDIO, OURS_HTTP].contains(&each.name))
        .filter_map(|each| of(each.name))
        .map(|run| run.rate)
        .max_by(f64::total_cmp);
    let mut rows = Vec::new();
    for (name, most) in [(OURS_STDIO, 0.25), (OURS_HTTP, 0.35)] {
        let Some(ours) = of(name) else { continue };
        let (adds, share) = (ours.median - direct.median, 100.0 * ours.rate / direct.rate);
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
mod tests {
    use super::{Measured, medians, table, targets};
    use crate::bench::load::Run;
    use crate::bench::peers::OURS_STDIO;

    fn run(median: f64, rate: f64) -> Run {
        Run { median, slow: median * 2.0, rate, calls: 10 }
    }

    #[test]
    fn medians_are_of_each_figure() {
        let all = medians(&[run(3.0, 1.0), run(1.0, 9.0), run(2.0, 5.0)]);
        assert_eq!((all.median, all.slow, all.rate, all.calls), (2.0, 4.0, 5.0, 30));
    }

    #[test]
    fn verdicts_are_about_the_difference() {
        let measured = |ours: Run| {
            vec![
                Measured { name: "direct", runs: Ok(vec![run(0.1, 1000.0)]) },
                Measured { name: OURS_STDIO, runs: Ok(vec![ours]) },
                Measured { name: "peer", runs: Err("not installed".to_owned()) },
            ]
        };
        assert!(targets(&measured(run(0.3, 300.0))).iter().all(|row| row.is_met));
        let missed: Vec<bool> = targets(&measured(run(0.4, 200.0))).iter().map(|row| row.is_met).collect();
        assert_eq!(missed, [false, false, true]);
        let shown = table(&measured(run(0.3, 300.0)));
        assert!(
            shown.contains("0.200 ms") && shown.contains("30 %") && shown.contains("not installed"),
            "{shown}"
        );
    }
}
