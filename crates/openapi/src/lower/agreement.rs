//! Whether what a GET shows is what the PUT on its path takes, so that a change can be merged into what is stored (W8).
//!
//! The two operations of a path item in; out, the fields that are shown and not taken back, or nothing when the schemas
//! differ in names or types. Then a merge would write the shape of the answer into the resource.

use super::context::{SchemaMember, SchemaMembers};
use super::document_view::{DocumentView, flag};
use super::responses;
use crate::read::{PartLocation, ResolvedReference};
use aqueduct_schema::{parts, stated_types};
use serde_json::Value;
use std::collections::BTreeSet;

/// Objects within objects are compared so deep; what lies deeper is taken to differ.
const DEPTH: usize = 6;

/// A schema and where it stands.
#[derive(Clone, Copy)]
struct SchemaPart<'p> {
    schema: &'p Value,
    location: &'p PartLocation,
}

impl<'p> SchemaPart<'p> {
    fn of(found: &'p ResolvedReference<'_>) -> SchemaPart<'p> {
        SchemaPart { schema: &found.value, location: &found.location }
    }

    fn of_member(member: &'p SchemaMember) -> SchemaPart<'p> {
        SchemaPart { schema: &member.schema, location: &member.location }
    }

    fn follow(self, look: &DocumentView<'_>) -> Option<ResolvedReference<'p>> {
        look.follow(self.schema, self.location)
    }

    /// The fields of an object.
    fn members(self, look: &DocumentView<'_>) -> SchemaMembers {
        SchemaMembers::of(look, self.schema, self.location)
    }
}

/// The fields that are shown and not taken back; nothing when what is shown and what is taken do not agree.
pub(super) fn only_shown(
    look: &DocumentView<'_>,
    get: &Value,
    put: &Value,
    node: &PartLocation,
    path: &str,
) -> Option<Vec<String>> {
    let shown = responses::json_schema(look, get.get("responses")?, node)?;
    let taken = responses::json_content(&look.follow(put.get("requestBody")?, node)?)?;
    let (shown, taken) = (SchemaPart::of(&shown), SchemaPart::of(&taken));
    if is_same(look, shown, taken) {
        return Some(Vec::new());
    }
    let (read, written) = (shown.members(look), taken.members(look));
    let is_plain = |members: &SchemaMembers| members.is_object && !members.has_alternatives();
    if !is_plain(&read) || !is_plain(&written) {
        return None;
    }
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

/// True when both are one and the same part of the document.
fn is_same(look: &DocumentView<'_>, one: SchemaPart<'_>, other: SchemaPart<'_>) -> bool {
    if one.schema == other.schema && one.location.document_number() == other.location.document_number() {
        return true;
    }
    let is_named = |part: SchemaPart<'_>| parts::reference(part.schema).is_some();
    match (one.follow(look), other.follow(look)) {
        (Some(one_found), Some(other_found)) => {
            is_named(one) && is_named(other) && one_found.location == other_found.location
        }
        _ => false,
    }
}

fn agrees(look: &DocumentView<'_>, one: &SchemaMember, other: &SchemaMember, depth: usize) -> bool {
    are_alike(look, SchemaPart::of_member(one), SchemaPart::of_member(other), depth)
}

/// True when both take the same types, down to the fields of objects and the items of lists.
fn are_alike(look: &DocumentView<'_>, one: SchemaPart<'_>, other: SchemaPart<'_>, depth: usize) -> bool {
    if is_same(look, one, other) {
        return true;
    }
    let (Some(one_found), Some(other_found)) = (one.follow(look), other.follow(look)) else { return false };
    let (types, others) = (types(&one_found.value), types(&other_found.value));
    if depth == 0
        || types != others
        || parts::has_choice(&one_found.value)
        || parts::has_choice(&other_found.value)
    {
        return false;
    }
    if types.contains("array") {
        return match (one_found.value.get("items"), other_found.value.get("items")) {
            (Some(items), Some(others)) => {
                let one = SchemaPart { schema: items, location: &one_found.location };
                let other = SchemaPart { schema: others, location: &other_found.location };
                are_alike(look, one, other, depth - 1)
            }
            (items, others) => items.is_none() && others.is_none(),
        };
    }
    if types.contains("object") || types.is_empty() {
        let (inner, others) = (one.members(look), other.members(look));
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
    let Some(keywords) = schema.as_object() else { return BTreeSet::new() };
    let has_type = matches!(keywords.get("type"), Some(Value::String(_) | Value::Array(_)));
    if !has_type && keywords.contains_key("properties") {
        return BTreeSet::from(["object"]);
    }
    stated_types(keywords).into_iter().filter(|name| *name != "null").collect()
}

fn is_set(look: &DocumentView<'_>, member: &SchemaMember, key: &str) -> bool {
    flag(&member.schema, key)
        || SchemaPart::of_member(member).follow(look).is_some_and(|found| flag(&found.value, key))
}
