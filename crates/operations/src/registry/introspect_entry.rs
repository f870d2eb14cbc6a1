//! The built-in operation `introspect`, described like any other (core specification, section 7.2).
//!
//! It goes through routing, validation and the gate as every other operation does.

use crate::category::Category;
use crate::danger::{Danger, DangerLevel, DangerOrigin};
use crate::operation::{Example, Operation, OperationParts, RegistryEntry, ReturnType};
use crate::params::{Param, ValueKind};
use crate::source::Source;
use crate::target::{BuiltIn, Target};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The queries that every server answers, then ours (ruling W2).
pub const QUERIES: [&str; 5] = ["operations", "types", "adapter_info", "danger", "capabilities"];

pub(super) fn entry() -> RegistryEntry {
    let operation = Arc::new(operation());
    RegistryEntry { public_name: operation.name.clone(), source: Arc::new(Source::built_in()), operation }
}

pub(super) fn operation() -> Operation {
    let mut query = Param::new("query", ValueKind::String);
    query.required = true;
    query.shape.allowed = Some(QUERIES.iter().map(|q| Value::from(*q)).collect());
    query.description = Some("What to describe".to_owned());
    let mut name = Param::new("name", ValueKind::String);
    name.description = Some("An operation or type, to get its details".to_owned());
    let mut first = Param::new("first", ValueKind::Integer);
    first.shape.minimum = Some(1.0);
    first.description = Some("The most items of a list".to_owned());
    let mut after = Param::new("after", ValueKind::String);
    after.description = Some("Go on with a list after this name (from _protocol.page.after)".to_owned());
    let mut budget = Param::new("budget", ValueKind::Integer);
    budget.shape.minimum = Some(1.0);
    budget.description = Some("The most tokens of the operations list, 2000 if absent".to_owned());
    let example = |description: &str, params: Value| Example {
        description: Some(description.to_owned()),
        params: params.as_object().cloned().unwrap_or_else(Map::new),
    };
    Operation {
        danger: Danger::new(DangerLevel::Safe, DangerOrigin::Declared),
        returns: ReturnType {
            name: "IntrospectionData".to_owned(),
            kind: "union",
            description: Some("Operations or types, listed or in detail".to_owned()),
        },
        examples: vec![
            example("List all operations", json!({"query": "operations"})),
            example("Describe one operation", json!({"query": "operations", "name": "introspect"})),
        ],
        origin: None,
        ..Operation::new(OperationParts {
            name: "introspect".to_owned(),
            description: "List operations and types, or describe one".to_owned(),
            category: Category::Read,
            params: vec![query, name, first, after, budget],
            target: Target::BuiltIn(BuiltIn::Introspect),
        })
    }
}
