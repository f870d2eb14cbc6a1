//! The built-in operations on executions, described like any other (core specification, section 8.4).
//!
//! The entries of the sources in; out, four operations, when one of them starts work that goes on after its call (ruling N4).

use super::introspect_entry;
use crate::category::Category;
use crate::danger::{Danger, DangerLevel, DangerOrigin};
use crate::operation::{Declaration, Example, Operation, RegistryEntry, ReturnType};
use crate::params::{Param, ValueKind};
use crate::source::Source;
use crate::target::{BuiltIn, Target};
use serde_json::{Value, json};
use std::sync::Arc;

/// The longest time that one call waits for an execution.
pub const LONGEST_WAIT_SECONDS: u64 = 300;

/// The most characters of an execution's name.
const LONGEST_ID: u64 = 100;

const OPERATIONS: [(BuiltIn, &str, Category, &str); 4] = [
    (
        BuiltIn::GetExecution,
        "get_execution",
        Category::Read,
        "Get the state, progress and result of an execution. Use wait_seconds to wait for its end",
    ),
    (
        BuiltIn::ListExecutions,
        "list_executions",
        Category::Read,
        "List your executions, newest first, without their results",
    ),
    (
        BuiltIn::CancelExecution,
        "cancel_execution",
        Category::Execute,
        "End an execution: pending or running becomes cancelled. Where its operation has supports_cancel false, the job itself may go on",
    ),
    (
        BuiltIn::RetryExecution,
        "retry_execution",
        Category::Execute,
        "Try an execution again: failed becomes running, where its operation supports it",
    ),
];

/// The operations, under names that are not taken.
pub(super) fn entries(
    served: &[Arc<RegistryEntry>],
    is_taken: impl Fn(&str) -> bool,
) -> Vec<Arc<RegistryEntry>> {
    if !served.iter().any(|entry| entry.operation.lifecycle.is_some()) {
        return Vec::new();
    }
    let source = Arc::new(Source::built_in());
    let entry = |(built_in, name, category, about): &(BuiltIn, &str, Category, &str)| {
        let name = if is_taken(name) { format!("aql_{name}") } else { (*name).to_owned() };
        let operation = Arc::new(describe(*built_in, name.clone(), *category, about));
        Arc::new(RegistryEntry { public_name: name, operation, source: Arc::clone(&source) })
    };
    OPERATIONS.iter().map(entry).collect()
}

fn describe(built_in: BuiltIn, name: String, category: Category, about: &str) -> Operation {
    let is_list = built_in == BuiltIn::ListExecutions;
    let level = if category == Category::Read { DangerLevel::Safe } else { DangerLevel::Reversible };
    let example: Value = if is_list {
        json!({"filter": {"status": "running"}})
    } else {
        json!({"execution_id": "exec_4f0c2b7d9a1e4c35b8d6e2f1a0937c58"})
    };
    let mut declaration = Declaration {
        name,
        description: about.to_owned(),
        category,
        params: params(built_in),
        danger: Danger::new(level, DangerOrigin::Declared),
        returns: ReturnType {
            name: if is_list { "ExecutionState[]" } else { "ExecutionState" }.to_owned(),
            kind: "object",
            description: Some(
                "{execution_id, status, started_at?, finished_at?, progress?, error?, result?}".to_owned(),
            ),
        },
        examples: vec![Example {
            description: None,
            params: example.as_object().cloned().unwrap_or_default(),
        }],
        ..introspect_entry::operation().declaration
    };
    declaration.answers.collection = is_list;
    Operation { declaration, target: Target::BuiltIn(built_in) }
}

fn params(built_in: BuiltIn) -> Vec<Param> {
    let described = |name: &str, kind: ValueKind, about: &str| Param {
        description: Some(about.to_owned()),
        ..Param::new(name, kind)
    };
    if built_in == BuiltIn::ListExecutions {
        return Vec::new();
    }
    let mut id =
        described("execution_id", ValueKind::String, "The execution, as the call that started it named it");
    id.required = true;
    id.shape.min_length = Some(1);
    id.shape.max_length = Some(LONGEST_ID);
    let mut params = vec![id];
    if built_in == BuiltIn::GetExecution {
        let about = "Wait so long for its end, and then tell how far it is; 0 if absent";
        let mut wait = described("wait_seconds", ValueKind::Integer, about);
        wait.shape.minimum = Some(0.0);
        wait.shape.maximum = Some(LONGEST_WAIT_SECONDS as f64);
        params.push(wait);
    }
    params
}

#[cfg(test)]
mod tests;
