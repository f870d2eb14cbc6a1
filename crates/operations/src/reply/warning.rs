//! Warnings about calls that worked (warnings document): each once, the important ones first, no more than ten.
//!
//! Warnings as they were found in, the member `warnings` of a response out.

use crate::named_enum::named_enum;
use serde_json::{Map, Value};

/// A warning about a call that worked.
#[derive(Debug, Clone, PartialEq)]
pub struct Warning {
    /// The machine's word for it.
    pub code: &'static str,
    /// The sentence.
    pub message: String,
    /// Facts to act on.
    pub details: Map<String, Value>,
    /// How much it matters; absent counts as medium.
    pub severity: Option<WarningSeverity>,
}

named_enum! {
    /// How much a warning matters, most first.
    #[derive(PartialOrd, Ord)]
    pub enum WarningSeverity {
        /// Act on it.
        High = "high",
        /// Know it.
        Medium = "medium",
        /// Good to know.
        Low = "low",
    }
}

impl Warning {
    /// A warning with nothing but words.
    pub fn new(code: &'static str, message: impl Into<String>) -> Warning {
        Warning { code, message: message.into(), details: Map::new(), severity: None }
    }

    /// Adds a fact.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Warning {
        self.details.insert(key.to_owned(), value.into());
        self
    }

    /// Says how much it matters.
    #[must_use]
    pub fn rated(mut self, severity: WarningSeverity) -> Warning {
        self.severity = Some(severity);
        self
    }
}

/// Warnings in one response; the least important are left out.
const MOST_WARNINGS: usize = 10;

/// The warnings as they go out: each once, the important ones first, no more than ten (warnings document, section 6).
fn tidied(warnings: &[Warning]) -> Vec<Warning> {
    let mut kept: Vec<(Warning, u64)> = Vec::new();
    for warning in warnings {
        match kept
            .iter_mut()
            .find(|(other, _)| other.code == warning.code && other.details == warning.details)
        {
            Some((_, count)) => *count += 1,
            None => kept.push((warning.clone(), 1)),
        }
    }
    let mut tidied: Vec<Warning> = kept
        .into_iter()
        .map(|(warning, count)| if count > 1 { warning.with("occurrence_count", count) } else { warning })
        .collect();
    tidied.sort_by_key(|warning| warning.severity.unwrap_or(WarningSeverity::Medium));
    if tidied.len() > MOST_WARNINGS {
        let left = tidied.len() - MOST_WARNINGS + 1;
        tidied.truncate(MOST_WARNINGS - 1);
        tidied.push(
            Warning::new("WARNINGS_OMITTED", format!("{left} more warnings were left out"))
                .with("omitted", left)
                .rated(WarningSeverity::Low),
        );
    }
    tidied
}

/// The member `warnings`, when there are any.
pub(super) fn push_warnings(warnings: &[Warning], out: &mut String) {
    if !warnings.is_empty() {
        out.push_str(r#","warnings":"#);
        out.push_str(&Value::from_iter(tidied(warnings).iter().map(warning_value)).to_string());
    }
}

fn warning_value(warning: &Warning) -> Value {
    let mut value = serde_json::json!({"code": warning.code, "message": warning.message});
    if !warning.details.is_empty() {
        value["details"] = Value::Object(warning.details.clone());
    }
    if let Some(severity) = warning.severity {
        value["severity"] = severity.name().into();
    }
    value
}

#[cfg(test)]
mod tests;
