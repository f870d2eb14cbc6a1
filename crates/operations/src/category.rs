//! The five semantic categories and what each one promises (core specification, sections 6.1 and 8.1 to 8.3).
//!
//! Every operation has exactly one. `verbs` maps the first word of a name to the category it usually means; `effect` is the
//! table of words that act, and `floor` what an operation is at least, whatever its author claims.

pub mod effect;
pub mod floor;
pub mod verbs;

use serde::Serialize;

/// What kind of effect an operation has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Category {
    /// Adds; never removes or overwrites.
    Create,
    /// Changes nothing and may be repeated freely.
    Read,
    /// Overwrites what exists.
    Update,
    /// Removes.
    Delete,
    /// Acts or runs something; a repeat may act again.
    Execute,
}

impl Category {
    /// All five, in the order in which an adapter's lists are read.
    pub const ALL: [Category; 5] =
        [Category::Create, Category::Read, Category::Update, Category::Delete, Category::Execute];

    /// The name on the wire: `READ`.
    pub fn upper(self) -> &'static str {
        match self {
            Category::Create => "CREATE",
            Category::Read => "READ",
            Category::Update => "UPDATE",
            Category::Delete => "DELETE",
            Category::Execute => "EXECUTE",
        }
    }

    /// The name as a list key and as a CRUDE family: `read`.
    pub fn lower(self) -> &'static str {
        match self {
            Category::Create => "create",
            Category::Read => "read",
            Category::Update => "update",
            Category::Delete => "delete",
            Category::Execute => "execute",
        }
    }

    /// Reads a name in any letter case.
    pub fn parse(text: &str) -> Option<Category> {
        Category::ALL.into_iter().find(|category| category.lower().eq_ignore_ascii_case(text))
    }

    /// True when the category promises to change nothing.
    pub fn read_only(self) -> bool {
        self == Category::Read
    }

    /// True when the category may remove or overwrite.
    pub fn destructive(self) -> bool {
        matches!(self, Category::Update | Category::Delete | Category::Execute)
    }
}

#[cfg(test)]
mod tests;
