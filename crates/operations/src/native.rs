//! An operation as a program declares it: what it is called, what it takes and gives, who may call it.
//!
//! The same eight facts describe operations of every source to users of the library (operation sources, section on
//! modules).

use crate::category::Category;
mod describe;

pub use describe::input_schema;

use crate::named_enum::named_enum;
use crate::operation::Operation;
use crate::target::{AnswerKind, HandlerKind, Target};
use serde_json::{Value, json};

/// What an operation is, without the code that runs it.
#[derive(Debug, Clone, PartialEq)]
pub struct OperationSpec {
    /// Its name within its namespace.
    pub name: String,
    /// Its namespace: the source's name.
    pub namespace: String,
    /// SemVer.
    pub version: String,
    /// Whether it asks, changes or listens.
    pub kind: OperationKind,
    /// What it does.
    pub description: String,
    /// A JSON Schema of what it takes.
    pub input_schema: Value,
    /// A JSON Schema of what it gives; `true` is anything.
    pub output_schema: Value,
    /// Who may call it.
    pub access_control: AccessControl,
}

impl OperationSpec {
    /// An operation that takes nothing and gives anything, of version 1.0.0, for its caller.
    pub fn new(
        namespace: impl Into<String>,
        name: impl Into<String>,
        kind: OperationKind,
        description: impl Into<String>,
    ) -> OperationSpec {
        OperationSpec {
            name: name.into(),
            namespace: namespace.into(),
            version: "1.0.0".to_owned(),
            kind,
            description: description.into(),
            input_schema: json!({"type": "object"}),
            output_schema: Value::Bool(true),
            access_control: AccessControl::default(),
        }
    }
}

/// Who may call an operation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AccessControl {
    /// Every one of these scopes is needed; none is no restriction.
    pub required_scopes: Vec<String>,
}

named_enum! {
    /// Whether an operation asks, changes or listens.
    pub enum OperationKind {
        /// It asks.
        Query = "QUERY",
        /// It changes something, or may.
        Mutation = "MUTATION",
        /// It gives events for as long as one listens.
        Subscription = "SUBSCRIPTION",
    }
}

impl OperationKind {
    /// The kind of an operation: by its responses, then by its method. Tools of other servers may all change something.
    pub fn of(operation: &Operation) -> OperationKind {
        match &operation.target {
            Target::Http(target) if target.answer == AnswerKind::Events => OperationKind::Subscription,
            Target::Http(target) if target.method.name() == "GET" => OperationKind::Query,
            Target::Handler(target) if target.kind == HandlerKind::McpTool => OperationKind::Mutation,
            Target::Handler(_) | Target::BuiltIn(_) if operation.category == Category::Read => {
                OperationKind::Query
            }
            _ => OperationKind::Mutation,
        }
    }
}
