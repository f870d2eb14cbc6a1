//! What is wrong with a document as JSON Schema of the 2020-12 draft.
//!
//! A document in; its first mistake, with its place, out. What the draft wants of its keywords is a schema itself, in
//! `mistake/keywords`, and held against the document by the checker that values are held against.

mod keywords;

use crate::{Schema, SchemaProblem};
use serde_json::Value;
use std::sync::LazyLock;

/// What the draft wants.
static KEYWORDS: LazyLock<Schema> = LazyLock::new(|| Schema::owning(keywords::schema()));

/// A keyword that is not written as JSON Schema wants it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaMistake {
    /// Where: `properties.a.minimum`; empty for the document itself.
    pub place: String,
    /// What was expected there, and what was found.
    pub problem: String,
}

/// The first mistake of a document, if there is one.
pub fn first_mistake(document: &Value) -> Option<SchemaMistake> {
    let SchemaProblem { place, expected, received, .. } = KEYWORDS.problems(document).into_iter().next()?;
    Some(SchemaMistake { place, problem: format!("expected {expected}, found {received}") })
}

#[cfg(test)]
mod tests;
