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
pub(super) enum Kind {
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

impl Kind {
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
    pub kind: Kind,
    pub text: String,
}

/// Reads the reasons.
pub(super) fn load(root: &Path) -> Result<BTreeMap<String, Reason>> {
    parse(&repo::read(&root.join(PATH))?).context(PATH)
}

fn parse(text: &str) -> Result<BTreeMap<String, Reason>> {
    let tables: BTreeMap<Kind, BTreeMap<String, String>> = toml::from_str(text)?;
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
mod tests {
    use super::{Kind, parse};

    #[test]
    fn reasons_are_read_by_kind() {
        let reasons = parse("[other_side]\n\"C4.6.2-4\" = \"Duty of the client.\"\n").unwrap();
        assert_eq!(reasons["C4.6.2-4"].kind, Kind::OtherSide);
    }

    #[test]
    fn an_unknown_kind_a_second_reason_and_a_fragment_are_refused() {
        assert!(parse("[not_yet]\n\"C1.3-1\" = \"No test.\"\n").is_err());
        assert!(parse("[future]\n\"C1.3-1\" = \"A.\"\n[definition]\n\"C1.3-1\" = \"B.\"\n").is_err());
        assert!(parse("[future]\n\"C1.3-1\" = \"later\"\n").is_err());
    }
}
