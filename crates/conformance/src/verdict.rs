//! What a check finds, and what becomes of it: findings in, a test with its result and its words out.
//!
//! A check that had nothing to examine says so: it is skipped with its reason, and never passes for want of trying.

use crate::exchange::Exchange;
use crate::report::TestReport;
use serde::Serialize;
use std::collections::BTreeSet;

/// The most findings that the words of a test show; of the others they tell the number, and the list has them all.
pub(crate) const MOST_SHOWN: usize = 5;

/// The categories in their order, with the level from which they are judged and whether they must pass. The first seven are those of
/// the specification; the others hold what it demands elsewhere.
pub const CATEGORIES: [(&str, u8, bool); 10] = [
    (INTROSPECTION, 1, true),
    (PARAMETERS, 1, true),
    (ERRORS, 1, true),
    (ROUND_TRIP, 1, true),
    (LEVEL_2, 2, false),
    (CONSTRAINTS, 2, false),
    (SEMANTIC, 2, false),
    (ROUTING, 1, true),
    (SAFETY, 1, true),
    (LISTS, 2, true),
];

pub(crate) const INTROSPECTION: &str = "Introspection Fidelity";
pub(crate) const PARAMETERS: &str = "Parameter Handling";
pub(crate) const ERRORS: &str = "Error Quality";
pub(crate) const ROUND_TRIP: &str = "Round-Trip Integrity";
pub(crate) const LEVEL_2: &str = "Level 2 Features";
pub(crate) const CONSTRAINTS: &str = "Constraint Documentation";
pub(crate) const SEMANTIC: &str = "Semantic Evaluation";
pub(crate) const ROUTING: &str = "Request Routing";
pub(crate) const SAFETY: &str = "Safe Operation";
pub(crate) const LISTS: &str = "Lists and Batches";

/// The result of a test or a category.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Verdict {
    /// Everything that was examined is right.
    Pass,
    /// Something must be otherwise.
    Fail,
    /// Something should be otherwise.
    Warn,
    /// There was nothing to examine.
    Skip,
}

impl Verdict {
    /// As reports write it.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Pass => "PASS",
            Verdict::Fail => "FAIL",
            Verdict::Warn => "WARN",
            Verdict::Skip => "SKIP",
        }
    }
}

/// One thing that is wrong.
#[derive(Debug, Clone)]
struct Finding {
    rule: &'static str,
    is_failure: bool,
    text: String,
}

/// The answers that a check has something to say about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AnswerScope {
    /// Those whose envelope is sound: what is wrong about an envelope is told once, by the checks of the envelope.
    Sound,
    /// All of them.
    All,
}

/// A check while it runs.
#[derive(Debug)]
pub(crate) struct Check {
    name: &'static str,
    rule: &'static str,
    scope: AnswerScope,
    examined: usize,
    findings: Vec<Finding>,
    why_skipped: String,
}

impl Check {
    /// A check of this rule, which says why it was skipped if nothing gets examined.
    pub fn new(name: &'static str, rule: &'static str, why_skipped: &str) -> Check {
        let scope = AnswerScope::Sound;
        Check { name, rule, scope, examined: 0, findings: Vec::new(), why_skipped: why_skipped.to_owned() }
    }

    /// A check of the envelope itself, which has something to say about malformed answers too.
    pub fn of_the_envelope(name: &'static str, rule: &'static str, why_skipped: &str) -> Check {
        Check { scope: AnswerScope::All, ..Check::new(name, rule, why_skipped) }
    }

    /// It has something to say about this answer.
    pub fn covers(&self, exchange: &Exchange) -> bool {
        self.scope == AnswerScope::All || !exchange.is_malformed()
    }

    /// Something was examined.
    pub fn examine(&mut self) {
        self.examined += 1;
    }

    /// Examines one thing: it fails with these words unless it holds.
    pub fn expect(&mut self, holds: bool, problem: impl FnOnce() -> String, exchange: &Exchange) {
        if !self.covers(exchange) {
            return;
        }
        self.examine();
        if !holds {
            self.fail(self.rule, &problem(), Some(exchange));
        }
    }

    /// The same for what should hold.
    pub fn prefer(&mut self, holds: bool, problem: impl FnOnce() -> String, exchange: &Exchange) {
        if !self.covers(exchange) {
            return;
        }
        self.examine();
        if !holds {
            self.warn(self.rule, &problem(), Some(exchange));
        }
    }

    /// Something must be otherwise.
    pub fn fail(&mut self, rule: &'static str, problem: &str, exchange: Option<&Exchange>) {
        self.find(rule, true, problem, exchange);
    }

    /// Something should be otherwise.
    pub fn warn(&mut self, rule: &'static str, problem: &str, exchange: Option<&Exchange>) {
        self.find(rule, false, problem, exchange);
    }

    /// It was skipped for another reason than the usual one.
    pub fn skip(&mut self, why: &str) {
        self.why_skipped = why.to_owned();
    }

    fn find(&mut self, rule: &'static str, is_failure: bool, problem: &str, exchange: Option<&Exchange>) {
        if exchange.is_some_and(|exchange| !self.covers(exchange)) {
            return;
        }
        let evidence = exchange.map(|exchange| {
            format!(" Sent: {} Answered: {}", exchange.shown_request(), exchange.shown_answer())
        });
        let text = format!("{rule}: {problem}{}", evidence.unwrap_or_default());
        self.findings.push(Finding { rule, is_failure, text });
    }

    /// The test in the report, with these words when it passes.
    pub fn finish(self, passed: &str) -> TestReport {
        let is = |failure: bool| self.findings.iter().any(|finding| finding.is_failure == failure);
        let result = match self.examined {
            _ if is(true) => Verdict::Fail,
            _ if is(false) => Verdict::Warn,
            0 => Verdict::Skip,
            _ => Verdict::Pass,
        };
        // Failures first.
        let (failures, warnings): (Vec<&Finding>, Vec<&Finding>) =
            self.findings.iter().partition(|finding| finding.is_failure);
        let all = failures.into_iter().chain(warnings);
        let findings: Vec<String> = all.map(|finding| finding.text.clone()).collect();
        let detail = match result {
            Verdict::Pass => format!("{passed} ({} examined)", self.examined),
            Verdict::Skip => self.why_skipped,
            Verdict::Fail | Verdict::Warn => {
                let mut shown: Vec<String> = findings.iter().take(MOST_SHOWN).cloned().collect();
                if findings.len() > MOST_SHOWN {
                    shown.push(format!("and {} more", findings.len() - MOST_SHOWN));
                }
                shown.join(" | ")
            }
        };
        let broken: BTreeSet<&'static str> = self.findings.iter().map(|finding| finding.rule).collect();
        TestReport {
            name: self.name.to_owned(),
            result,
            detail,
            rule: self.rule.to_owned(),
            broken: broken.into_iter().map(str::to_owned).collect(),
            findings,
        }
    }
}
