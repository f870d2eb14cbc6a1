//! Whether what a GET shows is what the PUT on its path takes, so that a change can be merged into what is stored (W8).
//!
//! The two operations of a path item in; out, the fields that are shown and not taken back, or nothing when the schemas
//! differ in names or types. Then a merge would write the shape of the answer into the resource.

use super::context::{SchemaMember, SchemaMembers};
use super::document_view::{DocumentView, flag};
use super::params::is_json;
use super::responses;
use crate::read::PartLocation;
use serde_json::Value;
use std::collections::BTreeSet;

/// Objects within objects are compared so deep; what lies deeper is taken to differ.
const DEPTH: usize = 6;

/// A schema and where it stands.
type LocatedSchema<'p> = (&'p Value, &'p PartLocation);

/// The fields that are shown and not taken back; nothing when what is shown and what is taken do not agree.
pub(super) fn only_shown(
    look: &DocumentView<'_>,
    (get, put): (&Value, &Value),
    node: &PartLocation,
    path: &str,
) -> Option<Vec<String>> {
    let (shown, shown_node) = responses::json_schema(look, get.get("responses")?, node)?;
    let (taken, taken_node) = taken(look, put.get("requestBody")?, node)?;
    let (shown, taken) = ((&shown, &shown_node), (&taken, &taken_node));
    if is_same(look, shown, taken) {
        return Some(Vec::new());
    }
    let (read, written) = (members(look, shown)?, members(look, taken)?);
    let (mut left_out, mut agreed) = (Vec::new(), 0);
    for member in &read.list {
        let is_identifier = path.contains(&format!("{{{}}}", member.name));
        match written.list.iter().find(|each| each.name == member.name) {
            Some(other) if agrees(look, member, other, DEPTH) => agreed += 1,
            Some(_) => return None,
            None if is_set(look, member, "writeOnly") => {}
            None if is_identifier || is_set(look, member, "readOnly") => left_out.push(member.name.clone()),
            None => return None,
        }
    }
    let is_shown = |member: &SchemaMember| read.list.iter().any(|each| each.name == member.name);
    let is_unseen = |member: &&SchemaMember| !is_shown(member) && !is_set(look, member, "readOnly");
    (agreed > 0 && !written.list.iter().any(|member| is_unseen(&member))).then_some(left_out)
}

/// The JSON schema of a request body.
fn taken(look: &DocumentView<'_>, body: &Value, node: &PartLocation) -> Option<(Value, PartLocation)> {
    let found = look.follow(body, node)?;
    let content = found.value.get("content")?.as_object()?;
    let media = content.iter().find(|(name, _)| is_json(name)).map(|(_, media)| media)?;
    Some((media.get("schema")?.clone(), found.node))
}

/// The fields of an object that has no alternatives.
fn members(look: &DocumentView<'_>, (schema, node): LocatedSchema<'_>) -> Option<SchemaMembers> {
    let members = SchemaMembers::of(look, schema, node);
    (members.is_object && !members.has_alternatives()).then_some(members)
}

/// True when both are one and the same part of the document.
fn is_same(look: &DocumentView<'_>, one: LocatedSchema<'_>, other: LocatedSchema<'_>) -> bool {
    if one.0 == other.0 && one.1.document_number() == other.1.document_number() {
        return true;
    }
    let is_named = |(schema, _): LocatedSchema<'_>| schema.get("$ref").is_some();
    match (look.follow(one.0, one.1), look.follow(other.0, other.1)) {
        (Some(one_found), Some(other_found)) => {
            is_named(one) && is_named(other) && one_found.node == other_found.node
        }
        _ => false,
    }
}

fn agrees(look: &DocumentView<'_>, one: &SchemaMember, other: &SchemaMember, depth: usize) -> bool {
    are_alike(look, (&one.schema, &one.location), (&other.schema, &other.location), depth)
}

/// True when both take the same types, down to the fields of objects and the items of lists.
fn are_alike(
    look: &DocumentView<'_>,
    one: LocatedSchema<'_>,
    other: LocatedSchema<'_>,
    depth: usize,
) -> bool {
    if is_same(look, one, other) {
        return true;
    }
    let (Some(one_found), Some(other_found)) = (look.follow(one.0, one.1), look.follow(other.0, other.1))
    else {
        return false;
    };
    let (types, others) = (types(&one_found.value), types(&other_found.value));
    let has_choice =
        |value: &Value| ["oneOf", "anyOf", "not", "if"].iter().any(|key| value.get(key).is_some());
    if depth == 0 || types != others || has_choice(&one_found.value) || has_choice(&other_found.value) {
        return false;
    }
    if types.contains("array") {
        return match (one_found.value.get("items"), other_found.value.get("items")) {
            (Some(items), Some(others)) => {
                are_alike(look, (items, &one_found.node), (others, &other_found.node), depth - 1)
            }
            (items, others) => items.is_none() && others.is_none(),
        };
    }
    if types.contains("object") || types.is_empty() {
        let (inner, others) =
            (SchemaMembers::of(look, one.0, one.1), SchemaMembers::of(look, other.0, other.1));
        let find = |name: &str| others.list.iter().find(|each| each.name == name);
        return !inner.has_alternatives()
            && !others.has_alternatives()
            && inner.list.len() == others.list.len()
            && (!types.is_empty() || !inner.list.is_empty())
            && inner
                .list
                .iter()
                .all(|member| find(&member.name).is_some_and(|each| agrees(look, member, each, depth - 1)));
    }
    true
}

/// The types that a schema names; null is no type of its own here.
fn types(schema: &Value) -> BTreeSet<&str> {
    let named = match schema.get("type") {
        Some(Value::String(name)) => vec![name.as_str()],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ if schema.get("properties").is_some() => vec!["object"],
        _ => Vec::new(),
    };
    named.into_iter().filter(|name| *name != "null").collect()
}

fn is_set(look: &DocumentView<'_>, member: &SchemaMember, key: &str) -> bool {
    flag(&member.schema, key)
        || look.follow(&member.schema, &member.location).is_some_and(|found| flag(&found.value, key))
}
