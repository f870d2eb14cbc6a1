//! What an instance says about itself: its sources, its calls of the last hour, its tools.
//!
//! Made by every instance every few seconds, kept in the store as JSON, read by the one that serves the page. A report of another
//! version may lack something: what is missing is empty.

use crate::mcp::tool_set;
use crate::metrics::last_hour::{CallCount, LastHour};
use aqueduct_dispatch::{Catalog, estimated_tokens};
use aqueduct_operations::registry::SourceProblem;
use aqueduct_operations::target::Target;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What an instance says about itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct InstanceReport {
    /// How people tell it from others: machine and process.
    pub name: String,
    /// How clients reach it.
    pub transport: String,
    /// When it was started, in milliseconds since 1970.
    pub started_at: i64,
    /// Where it serves the operator's page, if it does.
    pub page: Option<String>,
    /// True for the instance that shows the report. None says so of itself.
    #[serde(skip)]
    pub is_own: bool,
    /// What its tools cost.
    pub tools: ToolsReport,
    /// Its sources.
    pub sources: Vec<SourceReport>,
    /// Calls of the last hour, by minute; minutes without any are left out.
    pub minutes: Vec<MinuteCount>,
}

/// What the tools of an instance cost a model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ToolsReport {
    /// How many tools are offered.
    pub tools: usize,
    /// What their descriptions cost, estimated.
    pub tokens: u64,
    /// How many operations are reached through them.
    pub operations: usize,
    /// How many are hidden.
    pub hidden: usize,
}

/// A source, and how it is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SourceReport {
    /// Its name.
    pub name: String,
    /// How it is.
    pub health: SourceHealth,
    /// Why it is not well.
    pub detail: Option<String>,
    /// How many operations it has.
    pub operations: usize,
    /// How many requests wait for their turn under its limits.
    pub waiting: u64,
    /// Its calls of the last hour.
    pub minutes: Vec<MinuteCount>,
}

/// How a source is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SourceHealth {
    /// It is served as it is.
    #[default]
    Good,
    /// It is served, and something is wrong: its file has errors, and the last good version is in service; or its server is gone.
    Stale,
    /// It is not served.
    Missing,
}

/// Calls of one minute.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(i64, u64, u64)", into = "(i64, u64, u64)")]
pub struct MinuteCount {
    /// Which one, since 1970.
    pub minute: i64,
    /// How many calls ended in it.
    pub calls: u64,
    /// How many of them failed.
    pub errors: u64,
}

impl From<(i64, u64, u64)> for MinuteCount {
    fn from((minute, calls, errors): (i64, u64, u64)) -> MinuteCount {
        MinuteCount { minute, calls, errors }
    }
}

impl From<MinuteCount> for (i64, u64, u64) {
    fn from(count: MinuteCount) -> (i64, u64, u64) {
        (count.minute, count.calls, count.errors)
    }
}

impl InstanceReport {
    /// What is known of the sources of a catalog and their calls. The rest is to be filled in.
    pub fn of(catalog: &Catalog, hour: &LastHour) -> InstanceReport {
        InstanceReport {
            sources: sources(catalog, hour),
            minutes: hour.all().map(minute).collect(),
            ..InstanceReport::default()
        }
    }
}

impl ToolsReport {
    /// What the tools of a catalog cost. With many operations this takes a while, and is always the same.
    pub fn of(catalog: &Catalog) -> ToolsReport {
        let tools: Vec<Value> = tool_set(catalog).tools.iter().map(|(tool, _)| json!(tool)).collect();
        let of_sources = catalog
            .visible()
            .filter(|(entry, _)| !matches!(entry.operation.target, Target::BuiltIn(_)))
            .count();
        ToolsReport {
            tools: tools.len(),
            tokens: estimated_tokens(&Value::from(tools).to_string()),
            operations: of_sources,
            hidden: catalog.hidden_count(),
        }
    }
}

fn sources(catalog: &Catalog, hour: &LastHour) -> Vec<SourceReport> {
    let registry = catalog.registry();
    let mut operations: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in registry.entries() {
        *operations.entry(&entry.source.name).or_default() += 1;
    }
    let problem_of = |name: &str| registry.problems().iter().find(|problem| problem.name == name);
    let served = registry.sources().iter().map(|source| {
        let problem = problem_of(&source.name);
        SourceReport {
            name: source.name.clone(),
            health: if problem.is_some() { SourceHealth::Stale } else { SourceHealth::Good },
            detail: problem.and_then(detail),
            operations: operations.get(source.name.as_str()).copied().unwrap_or_default(),
            minutes: hour.of_source(&source.name).map(minute).collect(),
            ..SourceReport::default()
        }
    });
    let missing =
        registry.problems().iter().filter(|problem| !problem.is_served).map(|problem| SourceReport {
            name: problem.name.clone(),
            health: SourceHealth::Missing,
            detail: detail(problem),
            ..SourceReport::default()
        });
    served.chain(missing).collect()
}

/// What is wrong with a source, in a line.
fn detail(problem: &SourceProblem) -> Option<String> {
    let withheld = (!problem.withheld.is_empty())
        .then(|| format!("waiting for 'aqueduct pins --approve': {}", problem.withheld.join(", ")));
    let lines: Vec<String> = problem.problems.iter().cloned().chain(withheld).collect();
    if lines.is_empty() { None } else { Some(lines.join("; ")) }
}

fn minute((minute, CallCount { calls, errors }): (i64, CallCount)) -> MinuteCount {
    MinuteCount { minute, calls, errors }
}
