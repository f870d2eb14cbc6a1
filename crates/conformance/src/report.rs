//! The report: tests in their categories, counted, with the exit code (conformance testing specification, sections 6 and 7.4).
//!
//! A category whose tests were all skipped is skipped, and never passes.

use crate::server::Identity;
use crate::verdict::{CATEGORIES, Verdict};
use serde::Serialize;

/// The version of the specification that is judged by.
pub const SPEC_VERSION: &str = "1.0.0-draft";

/// One test.
#[derive(Debug, Clone, Serialize)]
pub struct TestReport {
    /// What is tested.
    pub name: String,
    /// What came of it.
    pub result: Verdict,
    /// Why.
    pub detail: String,
    /// The rule that it holds answers against.
    pub rule: String,
    /// The rules that are broken.
    pub broken: Vec<String>,
    /// Everything that was found, failures first; `detail` has the first of it.
    pub findings: Vec<String>,
}

/// One category.
#[derive(Debug, Clone, Serialize)]
pub struct CategoryReport {
    /// Its name.
    pub name: String,
    /// It must pass.
    pub required: bool,
    /// What came of it.
    pub result: Verdict,
    /// Its tests.
    pub tests: Vec<TestReport>,
}

/// How many tests came out how.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ReportSummary {
    /// All.
    pub total: usize,
    /// Passed.
    pub passed: usize,
    /// With a warning.
    pub warned: usize,
    /// Failed.
    pub failed: usize,
    /// Skipped.
    pub skipped: usize,
}

/// All of it, with its members in the order of the specification.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Who was judged.
    pub implementation: String,
    /// Its version.
    pub version: String,
    /// What it was judged by.
    pub spec_version: String,
    /// The level that was asked about.
    pub requested_level: u8,
    /// The level that was reached.
    pub conformance_level: u8,
    /// The counts.
    pub summary: ReportSummary,
    /// The categories.
    pub categories: Vec<CategoryReport>,
    /// 0 passed, 1 failed, 2 warned.
    pub exit_code: u8,
}

impl Report {
    /// Puts tests together, each with its category.
    pub fn of(identity: Identity, level: u8, tests: Vec<(&'static str, TestReport)>) -> Report {
        let reached = CATEGORIES.iter().filter(|(_, from, _)| *from <= level);
        let categories: Vec<CategoryReport> = reached
            .map(|(name, _, required)| {
                let of_category = tests.iter().filter(|(category, _)| category == name);
                let tests: Vec<TestReport> = of_category.map(|(_, test)| test.clone()).collect();
                let result = category_result(*required, &tests);
                CategoryReport { name: (*name).to_owned(), required: *required, result, tests }
            })
            .collect();
        let count = |verdict: Verdict| {
            categories
                .iter()
                .flat_map(|category| &category.tests)
                .filter(|test| test.result == verdict)
                .count()
        };
        let summary = ReportSummary {
            total: categories.iter().map(|category| category.tests.len()).sum(),
            passed: count(Verdict::Pass),
            warned: count(Verdict::Warn),
            failed: count(Verdict::Fail),
            skipped: count(Verdict::Skip),
        };
        let exit_code = exit_code(&categories);
        Report {
            implementation: identity.name,
            version: identity.version,
            spec_version: SPEC_VERSION.to_owned(),
            requested_level: level,
            conformance_level: if exit_code == 1 { 0 } else { level },
            summary,
            categories,
            exit_code,
        }
    }

    /// Keeps one category; the exit code is that of what is left, the counts stay.
    #[must_use]
    pub fn only(mut self, category: &str) -> Report {
        self.categories.retain(|each| each.name == category);
        self.exit_code = exit_code(&self.categories);
        self
    }

    /// The rules that are broken, each once.
    pub fn broken(&self) -> Vec<&str> {
        let tests = self.categories.iter().flat_map(|category| &category.tests);
        let mut rules: Vec<&str> = tests.flat_map(|test| &test.broken).map(String::as_str).collect();
        rules.sort_unstable();
        rules.dedup();
        rules
    }
}

fn category_result(required: bool, tests: &[TestReport]) -> Verdict {
    let has = |verdict: Verdict| tests.iter().any(|test| test.result == verdict);
    match () {
        () if has(Verdict::Fail) && required => Verdict::Fail,
        () if has(Verdict::Fail) || has(Verdict::Warn) => Verdict::Warn,
        () if has(Verdict::Pass) => Verdict::Pass,
        () => Verdict::Skip,
    }
}

fn exit_code(categories: &[CategoryReport]) -> u8 {
    let required = |category: &&CategoryReport| category.required;
    if categories.iter().filter(required).any(|category| category.result == Verdict::Fail) {
        return 1;
    }
    let optional_is_wrong = categories
        .iter()
        .filter(|category| !category.required)
        .any(|category| matches!(category.result, Verdict::Warn | Verdict::Fail));
    if optional_is_wrong { 2 } else { 0 }
}
