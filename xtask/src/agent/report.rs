//! What tasks came to.
//!
//! The outcome of each task in; a line for it, and the sums with their bounds, out.

use super::solver::Spent;
use crate::bench::report::Row;

/// The bounds: tokens at the median and for 95 of 100, and the share of tasks with one discovery.
const MEDIAN: usize = 700;
const SLOW: usize = 2000;
const AT_ONCE: f64 = 60.0;
/// The share of tasks whose right request goes out.
const DONE: f64 = 80.0;

/// One task.
#[derive(Debug)]
pub struct TaskOutcome {
    /// What is wrong; nothing when the right request went out.
    pub problem: Option<String>,
    pub spent: Spent,
}

impl TaskOutcome {
    fn is_done(&self) -> bool {
        self.problem.is_none()
    }

    pub fn line(&self, id: &str) -> String {
        let Spent { discoveries, tokens, refusals } = &self.spent;
        let mut line = format!("{id:<12} {discoveries} discoveries {tokens:>5} tokens  ");
        match &self.problem {
            None => line.push_str("done"),
            Some(problem) => line.extend([problem.as_str(), "; refused: ", &refusals.join(", ")]),
        }
        line
    }
}

/// Many tasks.
#[derive(Debug, Default)]
pub struct Tally(Vec<TaskOutcome>);

impl Tally {
    pub fn add(&mut self, outcome: TaskOutcome) {
        self.0.push(outcome);
    }

    /// The sums, with their bounds where these hold.
    pub fn rows(&self, is_bound: bool) -> Vec<Row> {
        let share = |is_counted: fn(&TaskOutcome) -> bool| {
            100.0 * self.0.iter().filter(|outcome| is_counted(outcome)).count() as f64
                / self.0.len().max(1) as f64
        };
        let mut tokens: Vec<usize> = self.0.iter().map(|outcome| outcome.spent.tokens).collect();
        tokens.sort_unstable();
        let percentile = |part: usize| tokens.get(tokens.len() * part / 100).copied().unwrap_or_default();
        let (done, at_once) = (
            share(TaskOutcome::is_done),
            share(|outcome| outcome.is_done() && outcome.spent.discoveries == 1),
        );
        let row = |what: &str, found: String, target: String, is_met: bool| Row {
            what: format!("{what}, {} tasks", self.0.len()),
            found,
            target: if is_bound { target } else { "none".to_owned() },
            is_met: is_met || !is_bound,
        };
        vec![
            row("the right request went out", format!("{done:.0} %"), format!(">= {DONE} %"), done >= DONE),
            row(
                "it did after one discovery",
                format!("{at_once:.0} %"),
                format!(">= {AT_ONCE} %"),
                at_once >= AT_ONCE,
            ),
            row(
                "tokens of discovery, median",
                percentile(50).to_string(),
                format!("< {MEDIAN}"),
                percentile(50) < MEDIAN,
            ),
            row(
                "tokens of discovery, 95 of 100",
                percentile(95).to_string(),
                format!("< {SLOW}"),
                percentile(95) < SLOW,
            ),
        ]
    }
}
