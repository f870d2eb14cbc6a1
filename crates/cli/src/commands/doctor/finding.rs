//! What the doctor says: one thing looked at, how it is, and what to do about it.
//!
//! A state and words in; a line for people, or JSON, out. No finding holds the value of a variable.

use crate::report;
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity};
use serde::Serialize;

/// One thing that was looked at.
#[derive(Debug, Serialize)]
pub struct CheckResult {
    /// How it is.
    pub state: CheckState,
    /// The source, `sources` or `configuration`.
    pub about: String,
    /// What was found.
    pub message: String,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// How a thing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckState {
    /// As it should be.
    Ok,
    /// Worth knowing.
    Note,
    /// To be fixed.
    Fix,
}

impl CheckResult {
    /// Something as it should be.
    pub fn ok(about: &str, message: impl Into<String>) -> CheckResult {
        CheckResult { state: CheckState::Ok, about: about.to_owned(), message: message.into(), hint: None }
    }

    /// Something worth knowing.
    pub fn note(about: &str, message: impl Into<String>, hint: Option<&str>) -> CheckResult {
        CheckResult {
            state: CheckState::Note,
            hint: hint.map(str::to_owned),
            ..CheckResult::ok(about, message)
        }
    }

    /// Something to be fixed.
    pub fn fix(about: &str, message: impl Into<String>, hint: Option<&str>) -> CheckResult {
        CheckResult {
            state: CheckState::Fix,
            hint: hint.map(str::to_owned),
            ..CheckResult::ok(about, message)
        }
    }

    /// A line for people, the hint on a second one.
    pub fn shown(&self, width: usize) -> String {
        let state = match self.state {
            CheckState::Ok => "ok",
            CheckState::Note => "note",
            CheckState::Fix => "FIX",
        };
        let line = report::terminal_safe(&format!("{state:<4}  {:<width$}  {}", self.about, self.message));
        match &self.hint {
            Some(hint) => format!("{line}\n{:pad$}{}", "", report::terminal_safe(hint), pad = width + 8),
            None => line,
        }
    }
}

/// A finding about a file. Hints alone are none of the doctor's business.
pub fn of_diagnostic(diagnostic: &Diagnostic) -> Option<CheckResult> {
    let place = &diagnostic.position;
    let path = if diagnostic.path.is_empty() { String::new() } else { format!("{}: ", diagnostic.path) };
    let message = format!("{}:{}:{}: {path}{}", place.file, place.line, place.column, diagnostic.message);
    let hint = diagnostic.hint.as_deref();
    match diagnostic.severity {
        DiagnosticSeverity::Error => Some(CheckResult::fix("sources", message, hint)),
        DiagnosticSeverity::Warning => Some(CheckResult::note("sources", message, hint)),
        DiagnosticSeverity::Hint => None,
    }
}
