//! What was found by following links: elements, and the links between them, each once, in the order in which they were found.
//!
//! `explore` fills it, `page` shows it.

use super::identity::IdentityForm;
use super::index::LinkDirection;
use super::reader::find;
use aqueduct_operations::reply::Warning;
use aqueduct_operations::response::FieldPath;
use serde_json::Value;

/// What was found.
#[derive(Default)]
pub struct RelationshipGraph {
    /// The root first, then the others as they were found.
    pub nodes: Vec<GraphNode>,
    /// As they were found.
    pub edges: Vec<GraphEdge>,
    /// What was left out.
    pub warnings: Vec<Warning>,
}

/// An element.
pub struct GraphNode {
    /// What it is known by.
    pub identity: IdentityForm,
    /// Its type, by its number in the index.
    pub element: usize,
    /// As the API gave it.
    pub data: Value,
    /// It was read by itself, so nothing of it is missing.
    pub is_whole: bool,
}

/// A link between two elements.
pub struct GraphEdge {
    /// Its type.
    pub name: String,
    /// Where it starts.
    pub source: usize,
    /// Where it leads.
    pub target: usize,
    /// How it was followed.
    pub direction: LinkDirection,
    /// How many links lead to it, itself included.
    pub depth: u64,
}

impl GraphEdge {
    /// The end that was found by following it.
    pub fn found(&self) -> usize {
        match self.direction {
            LinkDirection::Outgoing => self.target,
            LinkDirection::Incoming => self.source,
        }
    }
}

impl GraphNode {
    /// What is there at a path: of the element, else of what it is known by.
    pub fn look(&self, path: &FieldPath) -> Option<Vec<&Value>> {
        find(&self.data, path).or_else(|| find(&self.identity.value, path))
    }
}
