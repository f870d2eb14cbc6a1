//! Which other documents a document may refer to.
//!
//! A document in a file: the same folder and below. A document from a URL: the same origin. Everything else only when the
//! operator's patterns name it, so that a document never makes us read what its author has no business with.

use crate::document_location::DocumentLocation;
use aqueduct_operations::credential_scope::{has_user_info, is_same_origin};
use aqueduct_operations::exposure::glob::Glob;

/// The allow rule, with the operator's additions.
#[derive(Debug, Clone, Default)]
pub struct AllowRefs {
    patterns: Vec<Glob>,
}

impl AllowRefs {
    /// Adds patterns for whole addresses or paths, in which `*` stands for any text: `https://schemas.example.com/*`.
    pub fn new(patterns: impl IntoIterator<Item = String>) -> AllowRefs {
        AllowRefs { patterns: patterns.into_iter().map(|pattern| Glob::of_text(&pattern)).collect() }
    }

    /// True when the document in `root` may refer to the one in `target`.
    pub fn allows(&self, root: &DocumentLocation, target: &DocumentLocation) -> bool {
        let by_itself = match (root, target) {
            (DocumentLocation::Url(root), DocumentLocation::Url(target)) => {
                is_same_origin(root, target) && !has_user_info(target)
            }
            (DocumentLocation::File(root), DocumentLocation::File(target)) => is_below(root, target),
            _ => false,
        };
        by_itself || self.names(target)
    }

    /// True when a pattern names the document.
    pub fn names(&self, target: &DocumentLocation) -> bool {
        let readable = match target {
            DocumentLocation::Url(url) => !has_user_info(url),
            DocumentLocation::File(_) => true,
            DocumentLocation::Name(_) => false,
        };
        readable && self.patterns.iter().any(|pattern| pattern.matches(&target.key()))
    }
}

/// Both paths are worked out.
fn is_below(root: &str, target: &str) -> bool {
    match root.rsplit_once('/') {
        Some((folder, _)) => target.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')),
        None => !target.starts_with('/') && target != ".." && !target.starts_with("../"),
    }
}

#[cfg(test)]
mod tests;
