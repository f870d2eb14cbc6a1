//! Texts that would cost too much to read: what was too much, in words.
//!
//! The parser's error in; a problem out when one of our own limits was met, nothing when it is a mistake of the author's.

use super::super::{LineColumn, SyntaxProblem};
use super::{MAX_ANCHORS, MAX_DEPTH};
use serde_saphyr::Error;
use serde_saphyr::budget::BudgetBreach;

/// The problem, when the parser stopped at one of our limits.
pub(super) fn exceeded(error: &Error, LineColumn { line, column }: LineColumn) -> Option<SyntaxProblem> {
    const WRITE_OUT: &str = "write the values out; parameters that are used often go into shared_parameters";
    let (message, hint) = match error.without_snippet() {
        Error::Budget { breach: BudgetBreach::Depth { .. }, .. } => too_deep(),
        Error::Budget {
            breach:
                BudgetBreach::Aliases { .. } | BudgetBreach::Anchors { .. } | BudgetBreach::MergeKeys { .. },
            ..
        } => (format!("The file has more than {MAX_ANCHORS} anchors, or uses of them"), WRITE_OUT),
        Error::Budget { .. } => {
            ("The file holds more than is read".to_owned(), "split it into several files")
        }
        Error::RecursiveReferencesRequireWeakTypes { .. } => {
            ("This refers to an anchor that it is itself a part of".to_owned(), "write the values out")
        }
        // These reach us as text, wrapped into the place where an anchor was used.
        other => match other.to_string() {
            text if text.starts_with("recursion limit") => too_deep(),
            text if text.starts_with("alias ") && text.contains(" limit ") => {
                ("The anchors of the file multiply to more values than are read".to_owned(), WRITE_OUT)
            }
            _ => return None,
        },
    };
    Some(SyntaxProblem { message, hint: Some(hint.to_owned()), line, column })
}

fn too_deep() -> (String, &'static str) {
    let message = format!("Values are nested more than {MAX_DEPTH} levels deep");
    (message, "look for brackets that are opened again and again; a file needs about ten levels")
}
