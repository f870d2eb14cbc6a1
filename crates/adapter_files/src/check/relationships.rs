//! How the things of an API hang together: `relationships`, and how one thing of a type is read.
//!
//! Both name types and READ operations of the same file. Relationships and fetches out, for the source and its types.

use super::operation::DraftOperation;
use super::path::{self, KnownFields};
use super::response::block;
use super::siblings::SiblingOperations;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, shortened};
use aqueduct_operations::response::{FieldPath, Relationship, RelationshipFetch, RelationshipOperation};
use aqueduct_operations::types::{TypeBody, TypeDef};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// What a request says of the thing it starts from, when nothing says how that is read.
const ROOT: [&str; 2] = ["element_name", "element_type"];

/// The ways of reading one thing, by the name of its type.
pub(super) fn fetches(
    root: &NodeCursor<'_>,
    siblings: &SiblingOperations<'_, '_>,
    found: &mut Findings<'_>,
) -> HashMap<String, RelationshipFetch> {
    let types = root.get("types").into_iter().flat_map(|block| block.entries());
    let mut fetches = HashMap::new();
    for (entry, at) in types {
        let Some(at) = block(&at, "fetch") else { continue };
        let Some(called) = at.get("operation").and_then(|at| siblings.reader(&at, found)) else { continue };
        let params = params(&at, called, &KnownFields::default(), found);
        fetches.insert(
            entry.key.clone(),
            RelationshipFetch { operation: called.operation.name.clone(), params },
        );
    }
    fetches
}

/// All relationships of the file.
pub(super) fn check(
    root: &NodeCursor<'_>,
    types: &[TypeDef],
    siblings: &SiblingOperations<'_, '_>,
    found: &mut Findings<'_>,
) -> Vec<Relationship> {
    let types: BTreeMap<&str, &TypeDef> = types.iter().map(|each| (each.name.as_str(), each)).collect();
    let mut relationships: Vec<Relationship> = Vec::new();
    let mut seen: HashSet<(&str, &str, &str)> = HashSet::new();
    for at in root.get("relationships").iter().flat_map(NodeCursor::elements) {
        let from = at.get("from").and_then(|at| declared(&at, &types, found));
        let to = at.get("to").and_then(|at| declared(&at, &types, found));
        let forward = read_operation(&at, from, siblings, found);
        let back = block(&at, "inverse");
        let inverse = back.as_ref().and_then(|at| read_operation(at, to, siblings, found));
        let (Some(name), Some(from), Some(to), Some(forward)) = (at.text("type"), from, to, forward) else {
            continue;
        };
        if !seen.insert((name, &from.name, &to.name)) {
            let name = shortened(name, 60);
            let message = format!("Duplicate relationship: {name} from {} to {}", from.name, to.name);
            at.error("DUPLICATE_NAME", message).add_to(found);
        }
        let (name, from, to) = (name.to_owned(), from.name.clone(), to.name.clone());
        relationships.push(Relationship { name, from, to, forward, inverse });
    }
    relationships
}

fn declared<'t>(
    at: &NodeCursor<'_>,
    types: &BTreeMap<&str, &'t TypeDef>,
    found: &mut Findings<'_>,
) -> Option<&'t TypeDef> {
    let name = at.node.filled_text()?;
    let declared = types.get(name).copied();
    if declared.is_none() {
        let hint = found.nearest(name, types.keys().copied());
        let message = format!("There is no type '{}' among 'types'", shortened(name, 60));
        at.error("UNKNOWN_REFERENCE", message).maybe_hint(hint).add_to(found);
    }
    declared
}

fn read_operation(
    at: &NodeCursor<'_>,
    start: Option<&TypeDef>,
    siblings: &SiblingOperations<'_, '_>,
    found: &mut Findings<'_>,
) -> Option<RelationshipOperation> {
    let called = at.get("via").and_then(|at| siblings.reader(&at, found))?;
    let fields = start.map_or(0, |start| match &start.body {
        TypeBody::Object(fields) => fields.len(),
        _ => 0,
    });
    if !siblings.budget.affords(fields, at, found) {
        return None;
    }
    let known = start.map_or_else(KnownFields::default, start_of);
    let params = params(at, called, &known, found);
    Some(RelationshipOperation { operation: called.operation.name.clone(), params })
}

/// What is known of a thing that a link starts from.
fn start_of(start: &TypeDef) -> KnownFields<'_> {
    let TypeBody::Object(fields) = &start.body else { return KnownFields::default() };
    let from_request: &[&str] = if start.fetch.is_none() { &ROOT } else { &[] };
    let names = fields.iter().map(|field| field.name.as_str()).chain(from_request.iter().copied());
    KnownFields { type_name: Some(&start.name), fields: Some(names.collect()), computed: None }
}

/// The parameters that a call is given, each by a path. All that the operation needs are there.
fn params(
    owner: &NodeCursor<'_>,
    called: &DraftOperation<'_>,
    known: &KnownFields<'_>,
    found: &mut Findings<'_>,
) -> Vec<(String, FieldPath)> {
    let Some(block) = block(owner, "params") else { return Vec::new() };
    let declared: BTreeSet<&str> = called.operation.params.iter().map(|param| param.name.as_str()).collect();
    let given: HashSet<&str> = block.entries().map(|(entry, _)| entry.key.as_str()).collect();
    let mut params = Vec::new();
    for (entry, at) in block.entries() {
        if !declared.contains(entry.key.as_str()) && !called.broken.may_hold(&entry.key) {
            let hint = found.nearest(&entry.key, declared.iter().copied());
            let name = shortened(&entry.key, 60);
            let message = format!("The operation '{}' has no parameter '{name}'", called.operation.name);
            at.error("UNKNOWN_REFERENCE", message).maybe_hint(hint).add_to(found);
        }
        if let Some(path) = path::read(&at, found) {
            known.check(&path, &at, found);
            params.push((entry.key.clone(), path));
        }
    }
    for param in
        called.operation.params.iter().filter(|param| param.required && !given.contains(param.name.as_str()))
    {
        let message =
            format!("The operation '{}' needs the parameter '{}'", called.operation.name, param.name);
        block.error("BAD_REFERENCE", message).hint("add it, with the path of its value").add_to(found);
    }
    params
}
