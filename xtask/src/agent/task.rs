//! A task with its label: what a person wants, and the request that does it.
//!
//! A line of a file and what went out in; what is wrong with that, in a sentence, out.

use anyhow::{Context, Result};
use reqwest::Url;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::recorder::Sent;

/// One task, as `xtask/agent/README.md` describes it.
#[derive(Debug, Deserialize)]
pub struct Task {
    pub id: String,
    /// What the person says.
    #[serde(rename = "task")]
    pub words: String,
    /// What an agent looks for.
    pub search: String,
    pub source: String,
    method: String,
    /// The values that the person gives, by parameter.
    pub params: Map<String, Value>,
    request: TaskRequest,
}

/// The least that a request must have.
#[derive(Debug, Deserialize)]
struct TaskRequest {
    path: String,
    query: Map<String, Value>,
    body: Option<Value>,
}

impl Task {
    pub fn read(line: &str) -> Result<Task> {
        serde_json::from_str(line).with_context(|| format!("not a task: {line}"))
    }

    /// What is wrong with what went out; nothing when the task is done. A read may go before a write.
    pub fn problem(&self, sent: &[Sent]) -> Option<String> {
        let Task { method, request, .. } = self;
        let Some(sent) = sent.last() else { return Some("nothing went out".to_owned()) };
        let wanted = format!("/{}{}", self.source, request.path);
        let Ok(url) = Url::parse(&format!("http://upstream{}", sent.target)) else {
            return Some(format!("{} is no path", sent.target));
        };
        if sent.method != *method || url.path() != wanted {
            return Some(format!("{} {} instead of {method} {wanted}", sent.method, url.path()));
        }
        if !has_pairs(&url, &request.query) {
            return Some(format!("{} lacks a part of {:?}", sent.target, request.query));
        }
        match &request.body {
            Some(body) if !has_body(sent, body) => {
                Some(format!("the body {} lacks a part of {body}", sent.body))
            }
            _ => None,
        }
    }
}

fn has_body(sent: &Sent, wanted: &Value) -> bool {
    match (sent.is_form, wanted) {
        (true, Value::Object(wanted)) => {
            Url::parse(&format!("http://form/?{}", sent.body)).is_ok_and(|form| has_pairs(&form, wanted))
        }
        _ => serde_json::from_str(&sent.body).is_ok_and(|body: Value| contains(&body, wanted)),
    }
}

/// Whether a query has all these names with these texts, or one pair for each text of a list.
fn has_pairs(url: &Url, wanted: &Map<String, Value>) -> bool {
    let pairs: Vec<(String, String)> =
        url.query_pairs().map(|(name, value)| (without_places(&name), value.into_owned())).collect();
    let has = |name: &str, value: &Value| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        pairs.iter().any(|(known, found)| *known == without_places(name) && *found == text)
    };
    wanted.iter().all(|(name, value)| match value {
        Value::Array(values) => values.iter().all(|value| has(name, value)),
        value => has(name, value),
    })
}

/// `items[0][price]` as `items[][price]`.
fn without_places(name: &str) -> String {
    let parts = name.split('[').map(|part| match part.split_once(']') {
        Some((place, rest)) if place.bytes().all(|byte| byte.is_ascii_digit()) => format!("]{rest}"),
        _ => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join("[")
}

/// Whether an object has at least the members that are wanted; everything else must be equal.
fn contains(found: &Value, wanted: &Value) -> bool {
    match (found, wanted) {
        (Value::Object(found), Value::Object(wanted)) => {
            wanted.iter().all(|(name, wanted)| found.get(name).is_some_and(|found| contains(found, wanted)))
        }
        (found, wanted) => found == wanted,
    }
}

#[cfg(test)]
mod tests;
