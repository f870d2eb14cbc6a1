//! What an operation returns: what its `response` says, else a name made from its own.
//!
//! There is always a name and a kind; lists are objects named after what they hold.

use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, shortened};
use aqueduct_operations::operation::ReturnType;
use aqueduct_operations::target::AnswerKind;
use aqueduct_operations::types::TypeDef;
use std::collections::HashMap;

pub(super) fn of(operation: &NodeCursor<'_>, name: &str, types: &HashMap<&str, &TypeDef>) -> ReturnType {
    let response = operation.get("response");
    let text =
        |key| response.as_ref().and_then(|at| at.owned_text(key)).filter(|text| !text.trim().is_empty());
    let name = text("type").unwrap_or_else(|| made_from(name));
    let stated_kind = response.as_ref().and_then(|at| at.text("kind"));
    let stated_kind = stated_kind.and_then(|stated_kind| KINDS.into_iter().find(|kind| *kind == stated_kind));
    let kind = stated_kind.unwrap_or_else(|| kind_of(&name, types.get(name.as_str()).copied()));
    ReturnType { name, kind, description: text("description") }
}

/// The kinds of what is returned.
const KINDS: [&str; 4] = ["object", "enum", "union", "scalar"];

/// The kind of a type by its name, and by its declaration if it has one.
pub(crate) fn kind_of(name: &str, declared: Option<&TypeDef>) -> &'static str {
    match declared {
        Some(declared) => declared.body.kind(),
        None if matches!(name, "string" | "integer" | "number" | "boolean") => "scalar",
        None => "object",
    }
}

/// A type that no one declared may be just a name; one that nearly has the name of a declared type hardly is.
pub(super) fn warn_of_type(
    operation: &NodeCursor<'_>,
    types: &HashMap<&str, &TypeDef>,
    found: &mut Findings<'_>,
) {
    // No one misspells what a program wrote, and such a file has thousands of types.
    if operation.get("imported_from").is_some() {
        return;
    }
    let Some(at) = operation.get("response").and_then(|response| response.get("type")) else { return };
    let Some(name) = at.node.text().map(|name| name.strip_suffix("[]").unwrap_or(name)) else { return };
    if types.contains_key(name) {
        return;
    }
    if let Some(hint) = found.misspelt(name, types.keys().copied()) {
        let message = format!("There is no type '{}' among 'types'", shortened(name, 60));
        at.notice("UNKNOWN_TYPE", message).hint(hint).add_to(found);
    }
}

/// What the answer may be: JSON, unless another media type is named.
pub(super) fn answer(operation: &NodeCursor<'_>) -> AnswerKind {
    let response = operation.get("response");
    let Some(text) = response.as_ref().and_then(|at| at.text("content_type")) else {
        return AnswerKind::Json;
    };
    let media = text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match media.as_str() {
        "text/event-stream" => AnswerKind::Events,
        "application/json" => AnswerKind::Json,
        other if other.ends_with("+json") => AnswerKind::Json,
        _ => AnswerKind::Any,
    }
}

/// `list_open_issues` returns an `OpenIssueList`, `get_repo` a `Repo`.
pub(crate) fn made_from(name: &str) -> String {
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
mod tests;
