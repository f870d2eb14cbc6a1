//! Remarks on calls that worked (warnings document): each once, the important ones first, no more than ten.
//!
//! Warnings as they were found in, the member `warnings` of an answer out.

use serde_json::{Map, Value};

/// A remark on a call that worked.
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

/// How much a warning matters, most first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum WarningSeverity {
    /// Act on it.
    High,
    /// Know it.
    Medium,
    /// Good to know.
    Low,
}

impl WarningSeverity {
    /// The word on the wire.
    pub fn name(self) -> &'static str {
        match self {
            WarningSeverity::High => "high",
            WarningSeverity::Medium => "medium",
            WarningSeverity::Low => "low",
        }
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

/// Warnings in one answer; the least important are left out.
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
mod tests {
    use super::{Warning, WarningSeverity, push_warnings};
    use serde_json::{Value, json};

    fn sent(warnings: &[Warning]) -> Value {
        let mut out = String::from(r#"{"a":1"#);
        push_warnings(warnings, &mut out);
        out.push('}');
        serde_json::from_str::<Value>(&out).unwrap()["warnings"].take()
    }

    /// X-warn-2 X-warn-3: code and message always, details and severity where there are any; the important first, and one
    /// without a severity counts as medium.
    #[test]
    fn shape_and_order() {
        let low = Warning::new("LOW_ONE", "l").rated(WarningSeverity::Low);
        let high = Warning::new("HIGH_ONE", "h").with("a", 1).rated(WarningSeverity::High);
        let medium = Warning::new("MEDIUM_ONE", "m").rated(WarningSeverity::Medium);
        let plain = Warning::new("PLAIN_ONE", "p");
        let sent = sent(&[low, plain, medium, high]);
        assert_eq!(
            sent[0],
            json!({"code": "HIGH_ONE", "message": "h", "details": {"a": 1}, "severity": "high"})
        );
        assert_eq!(sent[1], json!({"code": "PLAIN_ONE", "message": "p"}));
        assert_eq!(sent[2]["severity"], "medium");
        assert_eq!(sent[3]["severity"], "low");
        assert_eq!(super::super::Success::of(crate::raw_json::RawJson::of(&json!(1))).warnings, []);
    }

    /// X-warn-10 X-warn-11 X-warn-12: equal ones are told once, with their number; ten in all, the last about the rest.
    #[test]
    fn once_and_ten() {
        let same = Warning::new("A_WARNING", "a").with("x", 1);
        let other = Warning::new("A_WARNING", "a").with("x", 2);
        let collapsed = sent(&[same.clone(), other.clone(), same.clone(), same]);
        assert_eq!(collapsed.as_array().unwrap().len(), 2);
        assert_eq!(collapsed[0]["details"], json!({"x": 1, "occurrence_count": 3}));
        assert_eq!(collapsed[1]["details"], json!({"x": 2}));
        let many: Vec<Warning> = (0..14)
            .map(|n| {
                Warning::new("MANY_OF_THEM", "m").with("n", n).rated(if n == 13 {
                    WarningSeverity::High
                } else {
                    WarningSeverity::Low
                })
            })
            .collect();
        let kept = sent(&many);
        assert_eq!(kept.as_array().unwrap().len(), 10);
        assert_eq!(kept[0]["details"]["n"], 13, "the important one stays");
        assert_eq!(kept[9]["details"], json!({"omitted": 5}));
        assert_eq!(sent(&many[..10]).as_array().unwrap().len(), 10);
        assert_eq!(sent(&many[..10])[9]["code"], "MANY_OF_THEM");
    }
}
