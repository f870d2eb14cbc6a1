//! The built-in operation `introspect`, described like any other (core specification, section 7.2).
//!
//! It goes through routing, validation and the gate as every other operation does.

use crate::category::Category;
use crate::danger::{Danger, DangerLevel, DangerOrigin};
use crate::operation::{Declaration, Example, Operation, RegistryEntry, ReturnType};
use crate::params::{Param, ValueKind};
use crate::source::Source;
use crate::target::{BuiltIn, Target};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The queries that every server answers, then ours (ruling W2).
pub const QUERIES: [&str; 7] =
    ["operations", "types", "search", "adapter_info", "danger", "capabilities", "quota_status"];

/// The most characters of a request that is searched for.
pub const LONGEST_SEARCH: usize = 1_000;

pub(super) fn entry() -> RegistryEntry {
    let operation = Arc::new(operation());
    RegistryEntry { public_name: operation.name.clone(), source: Arc::new(Source::built_in()), operation }
}

/// A parameter that may be left out.
fn optional(name: &str, kind: ValueKind, description: &str) -> Param {
    Param { description: Some(description.to_owned()), ..Param::new(name, kind) }
}

/// A number of at least one.
fn count(name: &str, description: &str) -> Param {
    let mut param = optional(name, ValueKind::Integer, description);
    param.shape.minimum = Some(1.0);
    param
}

pub(super) fn operation() -> Operation {
    let mut query = optional("query", ValueKind::String, "What to describe");
    query.required = true;
    query.shape.allowed = Some(QUERIES.iter().map(|q| Value::from(*q)).collect());
    let text = |name: &str, description: &str| optional(name, ValueKind::String, description);
    let params = vec![
        query,
        text("name", "An operation or type, to get its details"),
        text("search", "What you want to do, in your own words: the operations for it, best first"),
        text("category", "Only CREATE, READ, UPDATE, DELETE or EXECUTE operations"),
        text("source", "Only operations of this source"),
        text("tag", "Only operations with this tag"),
        count("first", "The most items of a list"),
        text("after", "Go on with a list after this name (from _protocol.page.after)"),
        count("budget", "The most tokens of what is listed: 2000 if absent, 700 for query 'search'"),
    ];
    let example = |description: &str, params: Value| Example {
        description: Some(description.to_owned()),
        params: params.as_object().cloned().unwrap_or_else(Map::new),
    };
    let about = "Search, list and describe operations and types".to_owned();
    let declaration = Declaration {
        danger: Danger::new(DangerLevel::Safe, DangerOrigin::Declared),
        returns: ReturnType {
            name: "IntrospectionData".to_owned(),
            kind: "union",
            description: Some("Operations or types, listed or in detail".to_owned()),
        },
        examples: vec![
            example("List all operations", json!({"query": "operations"})),
            example("Find an operation", json!({"query": "search", "search": "your task in plain words"})),
            example("Describe one operation", json!({"query": "operations", "name": "introspect"})),
        ],
        ..Declaration::new("introspect".to_owned(), about, Category::Read, params)
    };
    Operation { declaration, target: Target::BuiltIn(BuiltIn::Introspect) }
}
