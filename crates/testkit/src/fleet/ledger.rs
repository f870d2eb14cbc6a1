//! The audit beside what the API was asked: every confirmed call has its beginning and its end there, and none ran twice.
//!
//! Lines of the audit in, and the name there of the yes to each order; problems out. The end of a call is found by the code of its
//! parameters: each order has one yes only.

use super::report::FleetReport;
use aqueduct_operations::digest::Digest;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The name of a token in the audit: the first digits of its hash. An approval has its id there.
pub fn name_of(token: &str) -> String {
    Digest::of_text(token).hex().chars().take(12).collect()
}

/// The audit at one moment.
#[derive(Debug)]
pub struct RequestLedger {
    lines: Vec<Value>,
}

impl RequestLedger {
    pub(super) fn new(lines: Vec<Value>) -> RequestLedger {
        RequestLedger { lines }
    }

    /// How many lines have this event.
    pub fn count(&self, event: &str) -> usize {
        self.lines.iter().filter(|line| line["event"] == event).count()
    }

    /// How many confirmed calls of a caller have begun.
    pub fn begun_by(&self, caller: &str) -> usize {
        let begun = |line: &&Value| line["event"] == "TOKEN_VALIDATED" || line["event"] == "APPROVAL_USED";
        self.lines.iter().filter(begun).filter(|line| line["caller"] == caller).count()
    }

    /// How many lines there are.
    pub fn lines(&self) -> usize {
        self.lines.len()
    }

    /// Whether every call that began has an end.
    pub fn is_settled(&self) -> bool {
        let of = |events: [&str; 2]| -> BTreeSet<&str> {
            let lines = self.lines.iter().filter(|line| events.iter().any(|event| line["event"] == *event));
            lines.filter_map(|line| line["params"].as_str()).collect()
        };
        of(["TOKEN_VALIDATED", "APPROVAL_USED"]).is_subset(&of(["CALL_FINISHED", "CALL_LOST"]))
    }

    /// Checks the calls that were to be made by these yeses, by order, against what the API saw.
    pub fn judge(
        &self,
        yeses: &BTreeMap<String, String>,
        seen: &BTreeMap<String, usize>,
        report: &mut FleetReport,
    ) {
        let mut begun: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut ended: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for line in &self.lines {
            let params = line["params"].as_str().unwrap_or_default();
            match line["event"].as_str().unwrap_or_default() {
                "TOKEN_VALIDATED" | "APPROVAL_USED" => {
                    begun.entry(line["token"].as_str().unwrap_or_default()).or_default().push(params);
                }
                event @ ("CALL_FINISHED" | "CALL_LOST") => ended.entry(params).or_default().push(event),
                _ => {}
            }
        }
        for (order, yes) in yeses {
            let begun = begun.get(yes.as_str()).map(Vec::as_slice).unwrap_or_default();
            let sent = seen.get(order).copied().unwrap_or_default();
            report.check(begun.len() <= 1, || format!("{order}: accepted {} times", begun.len()));
            report.check(sent <= 1, || format!("{order}: carried out {sent} times"));
            report
                .check(sent <= begun.len(), || format!("{order}: carried out without a line that it began"));
            for params in begun {
                let ends = ended.get(params).map(Vec::as_slice).unwrap_or_default();
                // A call whose process was not heard of for long may have ended after all.
                let is_told = matches!(ends, [_] | ["CALL_LOST", "CALL_FINISHED"]);
                report.check(is_told, || format!("{order}: {ends:?} tell of its end"));
            }
        }
        let unknown: Vec<&String> = seen.keys().filter(|order| !yeses.contains_key(*order)).collect();
        report.check(unknown.is_empty(), || format!("carried out without a yes: {unknown:?}"));
    }
}
