//! What tools cost a model: those that are offered, and a task with them, against one tool for every operation.
//!
//! A catalog in, numbers of tokens out, counted with the vocabulary o200k as models of 2024 and later have it.

use aqueduct_dispatch::Catalog;
use aqueduct_operations::native::OperationSpec;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::target::Target;
use aqueduct_surface::mcp::tool_set;
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// What the tools of a server cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToolCost {
    /// The vocabulary.
    pub vocabulary: &'static str,
    /// How many tools are offered.
    pub tools: usize,
    /// What they cost.
    pub tokens: usize,
    /// How many operations are reached through them: those that are trusted enough to be shown.
    pub shown: usize,
    /// By source, what one tool for every operation would cost.
    pub sources: Vec<SourceCost>,
}

/// What one source would cost with one tool for every operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SourceCost {
    /// The source.
    pub source: String,
    /// Its operations, hidden ones included.
    pub operations: usize,
    /// What they would cost.
    pub tokens: usize,
    /// What one task costs, when it was tried.
    pub task: Option<TaskCost>,
}

/// What one typical task costs: an operation is searched for, and called as the answer shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TaskCost {
    /// What is searched for.
    pub request: String,
    /// The search and its answer.
    pub discovery: usize,
    /// The call, without its answer.
    pub call: usize,
}

impl TaskCost {
    /// What a search with this answer costs, and the call of its best match.
    pub fn of(request: String, search: &Value, answer: &Value) -> TaskCost {
        let call = tokens(&answer["data"]["matches"][0]["example"]);
        TaskCost { request, discovery: tokens(search) + tokens(answer), call }
    }
}

impl ToolCost {
    /// What a catalog costs.
    pub fn of(catalog: &Catalog) -> ToolCost {
        ToolCost::with_progress(catalog, |_, _| {})
    }

    /// The same, telling how many operations of how many have been counted.
    pub fn with_progress(catalog: &Catalog, mut on_progress: impl FnMut(usize, usize)) -> ToolCost {
        let total = catalog.registry().entries().len();
        let mut done = 0;
        let tools: Vec<Value> = tool_set(catalog).tools.iter().map(|(tool, _)| json!(tool)).collect();
        let mut of_source = |name: &str| {
            let entries: Vec<&RegistryEntry> = catalog
                .registry()
                .entries()
                .iter()
                .map(Arc::as_ref)
                .filter(|entry| entry.source.name == name)
                .collect();
            let mut sum = 0;
            for entry in &entries {
                sum += tokens(&one_tool(entry));
                done += 1;
                on_progress(done, total);
            }
            SourceCost { source: name.to_owned(), operations: entries.len(), tokens: sum, task: None }
        };
        ToolCost {
            vocabulary: aqueduct_vocabulary::NAME,
            tools: tools.len(),
            tokens: tokens(&Value::from(tools)),
            shown: catalog.visible().filter(|(entry, _)| is_of_source(entry)).count(),
            sources: catalog.registry().sources().iter().map(|source| of_source(&source.name)).collect(),
        }
    }

    /// What one tool for every operation would cost.
    pub fn one_per_operation(&self) -> usize {
        self.sources.iter().map(|source| source.tokens).sum()
    }

    /// What a task with a source costs through the tools that are offered: these, the search and the call.
    pub fn task(&self, source: &SourceCost) -> Option<usize> {
        source.task.as_ref().map(|task| self.tokens + task.discovery + task.call)
    }

    /// What the same call costs where every operation of the source is a tool: those tools and the call.
    pub fn task_of_tools(&self, source: &SourceCost) -> Option<usize> {
        source.task.as_ref().map(|task| source.tokens + task.call)
    }

    /// How many operations there are.
    pub fn operations(&self) -> usize {
        self.sources.iter().map(|source| source.operations).sum()
    }
}

fn is_of_source(entry: &RegistryEntry) -> bool {
    !matches!(entry.operation.target, Target::BuiltIn(_))
}

/// An operation as a tool of its own, as generators of MCP servers write it.
fn one_tool(entry: &RegistryEntry) -> Value {
    let spec = OperationSpec::of(&entry.source, &entry.operation);
    let read_only = matches!(&entry.operation.target, Target::Http(target) if target.method.name() == "GET");
    json!({
        "name": entry.public_name,
        "description": spec.description,
        "inputSchema": spec.input_schema,
        "annotations": {"readOnlyHint": read_only},
    })
}

fn tokens(value: &Value) -> usize {
    aqueduct_vocabulary::count(&value.to_string())
}

#[cfg(test)]
mod tests;
