//! The relationships between the things of a source, as its adapter declares them.

use super::FieldPath;

/// A link from things of one type to things of another.
#[derive(Debug, Clone)]
pub struct Relationship {
    /// Its name, such as `uses`.
    pub name: String,
    /// The type it starts from.
    pub from: String,
    /// The type it leads to.
    pub to: String,
    /// How it is followed.
    pub forward: RelationshipOperation,
    /// How it is followed back.
    pub inverse: Option<RelationshipOperation>,
}

/// An operation that gives the other ends of a link.
#[derive(Debug, Clone)]
pub struct RelationshipOperation {
    /// The operation, within the same source.
    pub operation: String,
    /// Its parameters, each from this path of the thing at this end.
    pub params: Vec<(String, FieldPath)>,
}

/// How one thing of a type is read.
#[derive(Debug, Clone)]
pub struct RelationshipFetch {
    /// The operation, within the same source.
    pub operation: String,
    /// Its parameters, each from this path of the root: `element_name`, or another member of `root`.
    pub params: Vec<(String, FieldPath)>,
}
