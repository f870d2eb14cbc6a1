//! Why a row has no test.
//!
//! In: `docs/conformance/reasons.toml`, a table per kind of reason. Out: the reasons by row ID. A kind that follows from the
//! level of a row (a note, an option, later work) may be used for rows of that level only.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use super::rows::Row;
use crate::repo;

const PATH: &str = "docs/conformance/reasons.toml";

/// The kinds of reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ReasonKind {
    /// A figure or a note.
    Information,
    /// An option of the source that the product does not take.
    NotTaken,
    /// A duty of the client, the agent, the author or the operator.
    OtherSide,
    /// Named by the source as later work, and outside this product.
    Future,
    /// Another rule outranks it.
    Overruled,
    /// Nothing that could be seen to fail.
    Definition,
}

impl ReasonKind {
    /// The words for the page.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Information => "information",
            Self::NotTaken => "option not taken",
            Self::OtherSide => "duty of the other side",
            Self::Future => "later work",
            Self::Overruled => "overruled",
            Self::Definition => "definition",
        }
    }

    /// Whether a row of this level can have such a reason.
    pub(super) fn fits(self, row: &Row) -> bool {
        match self {
            Self::Information => row.level == "INFO",
            Self::NotTaken => row.level == "MAY",
            Self::Future => row.level == "FUTURE" || row.level == "GAP",
            Self::OtherSide | Self::Overruled | Self::Definition => true,
        }
    }
}

/// Why one row has no test.
#[derive(Debug)]
pub(super) struct Reason {
    pub kind: ReasonKind,
    pub text: String,
}

/// Reads the reasons.
pub(super) fn load(root: &Path) -> Result<BTreeMap<String, Reason>> {
    parse(&repo::read(&root.join(PATH))?).context(PATH)
}

fn parse(text: &str) -> Result<BTreeMap<String, Reason>> {
    let tables: BTreeMap<ReasonKind, BTreeMap<String, String>> = toml::from_str(text)?;
    let mut reasons = BTreeMap::new();
    for (kind, table) in tables {
        for (id, text) in table {
            ensure!(text.ends_with('.'), "the reason of {id} is a sentence");
            let double = reasons.insert(id.clone(), Reason { kind, text });
            ensure!(double.is_none(), "{id} has two reasons");
        }
    }
    Ok(reasons)
}

#[cfg(test)]
mod tests;
