//! What an operation returns: what its `response` says, else a name made from its own.
//!
//! There is always a name and a kind; lists are objects named after what they hold.

use crate::document::cursor::{Cursor, shortened};
use crate::document::findings::Findings;
use aqueduct_operations::operation::Returns;
use aqueduct_operations::types::TypeDef;
use std::collections::HashMap;

pub(super) fn of(operation: &Cursor<'_>, name: &str, types: &HashMap<&str, &TypeDef>) -> Returns {
    let response = operation.get("response");
    let text =
        |key| response.as_ref().and_then(|at| at.owned_text(key)).filter(|text| !text.trim().is_empty());
    let name = text("type").unwrap_or_else(|| made_from(name));
    let kind = match types.get(name.as_str()) {
        Some(declared) => declared.body.kind(),
        None if matches!(name.as_str(), "string" | "integer" | "number" | "boolean") => "scalar",
        None => "object",
    };
    Returns { name, kind, description: text("description") }
}

/// A type that no one declared may be just a name; one that nearly has the name of a declared type hardly is.
pub(super) fn remark_on_type(
    operation: &Cursor<'_>,
    types: &HashMap<&str, &TypeDef>,
    found: &mut Findings<'_>,
) {
    let Some(at) = operation.get("response").and_then(|response| response.get("type")) else { return };
    let Some(name) = at.node.text().map(|name| name.strip_suffix("[]").unwrap_or(name)) else { return };
    if types.contains_key(name) {
        return;
    }
    if let Some(hint) = found.misspelt(name, types.keys().copied()) {
        let message = format!("There is no type '{}' among 'types'", shortened(name, 60));
        found.add(at.remark("UNKNOWN_TYPE", message).hint(hint));
    }
}

/// True when the answer may be something other than JSON.
pub(super) fn is_text(operation: &Cursor<'_>) -> bool {
    let response = operation.get("response");
    response.as_ref().and_then(|at| at.text("content_type")).is_some_and(|text| {
        let media = text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        media != "application/json" && !media.ends_with("+json")
    })
}

/// `list_open_issues` returns an `OpenIssueList`, `get_repo` a `Repo`.
fn made_from(name: &str) -> String {
    let (verb, noun) = name.split_once('_').unwrap_or((name, ""));
    let many = matches!(verb, "list" | "search" | "find" | "query");
    let noun = if many { singular(noun) } else { noun.to_owned() };
    let mut pascal: String = noun.split('_').map(capitalised).collect();
    if pascal.is_empty() {
        pascal = capitalised(verb);
    }
    let suffix = match (many, verb) {
        (true, _) => "List",
        (false, "delete" | "remove" | "purge") => "Deletion",
        (false, _) if noun.is_empty() => "Result",
        (false, _) => "",
    };
    pascal + suffix
}

fn capitalised(word: &str) -> String {
    let mut characters = word.chars();
    characters
        .next()
        .map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + characters.as_str())
}

fn singular(noun: &str) -> String {
    if let Some(stem) = noun.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return format!("{stem}y");
    }
    if ["sses", "xes", "ches", "shes"].iter().any(|end| noun.ends_with(end)) {
        return noun[..noun.len() - 2].to_owned();
    }
    if noun.ends_with('s') && !noun.ends_with("ss") && !noun.ends_with("us") && !noun.ends_with("is") {
        return noun[..noun.len() - 1].to_owned();
    }
    noun.to_owned()
}

#[cfg(test)]
mod tests {
    use super::made_from;

    #[test]
    fn names_made_from_operations() {
        for (operation, returned) in [
            ("list_issues", "IssueList"),
            ("list_open_issues", "OpenIssueList"),
            ("list_repositories", "RepositoryList"),
            ("list_boxes", "BoxList"),
            ("list_status", "StatusList"),
            ("search", "SearchList"),
            ("get_repo", "Repo"),
            ("create_issue_comment", "IssueComment"),
            ("delete_repo", "RepoDeletion"),
            ("ping", "PingResult"),
        ] {
            assert_eq!(made_from(operation), returned);
        }
    }
}
