//! Parameters that are there but could not be understood, which has been reported.
//!
//! What refers to one of them is no second mistake, so nothing is said about it.

use aqueduct_documents::node_cursor::NodeCursor;
use aqueduct_operations::naming::snake_case;
use std::collections::HashSet;

/// The names of parameters that could not be understood.
#[derive(Debug, Clone, Default)]
pub(in crate::check) struct BrokenParams {
    names: HashSet<String>,
    /// Some of them are not known by name.
    nameless: bool,
}

impl BrokenParams {
    /// Remembers a definition by every name that it may be meant by.
    pub(super) fn add(&mut self, key: Option<&str>, at: &NodeCursor<'_>) {
        let names: Vec<&str> = [key, at.text("name"), at.text("mapTo")].into_iter().flatten().collect();
        self.nameless |= names.is_empty();
        for name in names {
            self.names.insert(name.to_owned());
            self.names.insert(snake_case(name).replace(['-', '.', ' '], "_"));
        }
    }

    /// Remembers a reference that led nowhere.
    pub(super) fn add_all(&mut self) {
        self.nameless = true;
    }

    /// Takes in those of a shared group.
    pub(super) fn join(&mut self, other: BrokenParams) {
        self.names.extend(other.names);
        self.nameless |= other.nameless;
    }

    /// True when a parameter of this name may be among them.
    pub(in crate::check) fn may_hold(&self, name: &str) -> bool {
        self.nameless || self.names.contains(name)
    }

    /// True when there are none.
    pub(in crate::check) fn is_empty(&self) -> bool {
        self.names.is_empty() && !self.nameless
    }
}
