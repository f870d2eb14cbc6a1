//! What a run found: figures to be printed, and problems, which there must not be.

use std::fmt;

/// Problems that are shown.
const SHOWN: usize = 10;

/// The outcome of a run.
#[derive(Debug, Default)]
pub struct FleetReport {
    figures: Vec<(&'static str, String)>,
    /// What must not be.
    pub problems: Vec<String>,
}

impl FleetReport {
    /// Adds a figure.
    pub fn figure(&mut self, what: &'static str, found: impl fmt::Display) {
        self.figures.push((what, found.to_string()));
    }

    /// Adds a problem where something does not hold.
    pub fn check(&mut self, holds: bool, problem: impl FnOnce() -> String) {
        if !holds {
            self.problems.push(problem());
        }
    }
}

impl fmt::Display for FleetReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, found) in &self.figures {
            writeln!(f, "{what:<34}{found}")?;
        }
        writeln!(f, "{:<34}{}", "problems", self.problems.len())?;
        self.problems.iter().take(SHOWN).try_for_each(|problem| writeln!(f, "  {problem}"))
    }
}
