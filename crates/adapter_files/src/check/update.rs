//! How an UPDATE by PUT finds what is there: the operation it names, else the GET on the same path (ruling W8).
//!
//! A draft and its siblings in; the rule out. A PUT that would overwrite what it cannot read is reported.

use super::operation::DraftOperation;
use super::response::block;
use super::siblings::{SiblingOperations, is_reader, path_form};
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::NodeCursor;
use aqueduct_operations::category::Category;
use aqueduct_operations::operation::Grouping;
use aqueduct_operations::params::{Param, ParamLocation};
use aqueduct_operations::response::{OmittedFields, UpdateRule};
use aqueduct_operations::target::{BodyFormat, Method};
use std::collections::HashSet;

/// More operations on one path than this are not looked through.
const MOST_READERS: usize = 5;

pub(super) fn check(
    draft: &DraftOperation<'_>,
    siblings: &SiblingOperations<'_, '_>,
    found: &mut Findings<'_>,
) -> UpdateRule {
    let at = block(&draft.at, "update");
    if draft.operation.category != Category::Update {
        if let Some(at) = at {
            let message = "'update' belongs to UPDATE operations and has no effect here";
            at.warning("NO_EFFECT", message).hint("remove it").add_to(found);
        }
        return UpdateRule::default();
    }
    let if_match = at.as_ref().and_then(|at| at.flag("if_match")).unwrap_or(true);
    let merge = at.as_ref().and_then(|at| at.flag("merge")).unwrap_or(true);
    let merges = merge
        && draft.operation.target.mapping.method == Method::Put
        && draft.operation.params.iter().any(Param::is_body);
    let read = match at.as_ref().and_then(|at| at.get("read")) {
        Some(at) => {
            if merge {
                check_merge(&at, draft, siblings.usual_body, found);
            } else {
                let message = "'read' has no effect beside 'merge: false'";
                at.warning("NO_EFFECT", message).hint("remove one of them").add_to(found);
            }
            named(&at, draft, siblings, found)
        }
        None if merges => on_the_same_path(draft, siblings, found),
        None => None,
    };
    UpdateRule { read, merge, if_match, leaves_out: at.as_ref().map(leaves_out).unwrap_or_default() }
}

/// An update that names what it reads is merged into that, whatever its method; where that cannot be, it is said.
fn check_merge(
    at: &NodeCursor<'_>,
    draft: &DraftOperation<'_>,
    usual_body: BodyFormat,
    found: &mut Findings<'_>,
) {
    let why = match draft.operation.target.body.format.unwrap_or(usual_body) {
        _ if draft.operation.target.mapping.tool.is_some() => "a tool is called as it is",
        _ if !draft.operation.params.iter().any(Param::is_body) => "this update has no fields to merge",
        _ if draft.operation.grouping == Grouping::Flat => "with flat parameters nothing is merged",
        BodyFormat::Json => return,
        _ => "only a JSON body can be merged into what is stored",
    };
    let message = format!("'read' cannot be used here: {why}");
    at.error("BAD_REFERENCE", message).hint("remove it").add_to(found);
}

fn leaves_out(at: &NodeCursor<'_>) -> OmittedFields {
    let these = at.texts("leave_out");
    match (at.flag("declared_only"), these.is_empty()) {
        (Some(true), _) => OmittedFields::Undeclared,
        (_, false) => OmittedFields::These(these),
        (_, true) => OmittedFields::Nothing,
    }
}

fn named(
    at: &NodeCursor<'_>,
    draft: &DraftOperation<'_>,
    siblings: &SiblingOperations<'_, '_>,
    found: &mut Findings<'_>,
) -> Option<String> {
    let reader = siblings.reader(at, found)?;
    if !is_reader(reader) {
        let message = format!(
            "'{}' is a {}, and only a GET tells what is there",
            reader.operation.name, reader.operation.target.mapping.method
        );
        at.error("BAD_REFERENCE", message).expected("a READ operation by GET").add_to(found);
        return None;
    }
    for param in missing(reader, draft) {
        let message = format!(
            "'{}' needs '{}', which is no parameter of this update",
            reader.operation.name, param.name
        );
        let hint = found.nearest(&param.name, draft.operation.params.iter().map(|param| param.name.as_str()));
        at.error("BAD_REFERENCE", message)
            .expected("an operation that takes the identifiers of this one")
            .maybe_hint(hint)
            .add_to(found);
    }
    Some(reader.operation.name.clone())
}

fn on_the_same_path(
    draft: &DraftOperation<'_>,
    siblings: &SiblingOperations<'_, '_>,
    found: &mut Findings<'_>,
) -> Option<String> {
    let readers = siblings.on_path(&draft.operation.target.mapping.path);
    let all = readers.iter().filter(|reader| !reader.operation.answers.collection).take(MOST_READERS);
    let mut likely = all.clone().filter(|reader| shows_the_whole(reader));
    if let Some(reader) = likely.clone().find(|reader| missing(reader, draft).next().is_none()) {
        return Some(reader.operation.name.clone());
    }
    let hint = likely.find_map(|reader| {
        let param = missing(reader, draft).next()?;
        let (reader, param) = (&reader.operation.name, &param.name);
        Some(format!("'{reader}' would read it, but needs '{param}', which is not a parameter here"))
    });
    let partial = all.clone().find(|reader| !shows_the_whole(reader)).map(|reader| {
        format!(
            "'{0}' may show only a part of it; if it shows all, name it: update: {{read: {0}}}",
            reader.operation.name
        )
    });
    let hint = hint.or(partial).unwrap_or_else(|| {
        "add a READ with GET on the same path, or name one: update: {read: NAME}".to_owned()
    });
    let message =
        "A PUT replaces the whole, and no operation reads what is there: fields left out may be lost";
    let at = draft.at.get("maps_to").unwrap_or_else(|| draft.at.clone());
    at.warning("NO_COMPANION", message).hint(hint).add_to(found);
    None
}

/// False when something is always asked for beside the identifiers: a view, a choice of fields. Written back, a part would
/// erase the rest.
fn shows_the_whole(reader: &DraftOperation<'_>) -> bool {
    let is_set = |param: &Param| param.place != ParamLocation::Path && param.default.is_some();
    reader.operation.target.mapping.static_query.is_none() && !reader.operation.params.iter().any(is_set)
}

/// What a reader needs and a request of the update does not name beside its fields. On paths of one form the
/// placeholders stand for the same things, whatever they are called.
fn missing<'r>(
    reader: &'r DraftOperation<'_>,
    draft: &'r DraftOperation<'_>,
) -> impl Iterator<Item = &'r Param> {
    let is_beside = |param: &&Param| !param.is_body() || draft.operation.grouping == Grouping::Flat;
    let named: HashSet<&str> =
        draft.operation.params.iter().filter(is_beside).map(|param| param.name.as_str()).collect();
    let is_paired =
        path_form(&reader.operation.target.mapping.path) == path_form(&draft.operation.target.mapping.path);
    let is_given = move |param: &Param| {
        param.default.is_some()
            || is_paired && param.place == ParamLocation::Path
            || named.contains(param.name.as_str())
            || draft.broken.may_hold(&param.name)
    };
    reader.operation.params.iter().filter(move |param| param.required && !is_given(param))
}
