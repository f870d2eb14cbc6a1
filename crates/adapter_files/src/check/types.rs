//! The `types` block: each type with exactly the key of its kind.
//!
//! The block in; types out, whose members and fields name known types only.

use super::params::{ConstraintRole, FileBudget, shape_of};
use super::path::KnownFields;
use super::presets;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, quoted, shortened};
use aqueduct_operations::params::{Param, ValueKind};
use aqueduct_operations::response::Preset;
use aqueduct_operations::types::{TypeBody, TypeDef};
use std::collections::HashSet;

/// The key that holds what each kind of type is made of.
pub(crate) const CONTENT: &[(&str, &str)] = &[("enum", "values"), ("object", "fields"), ("union", "members")];

pub(super) fn check(root: &NodeCursor<'_>, found: &mut Findings<'_>) -> Vec<TypeDef> {
    let Some(block) = root.get("types") else { return Vec::new() };
    let names: HashSet<&str> = block.entries().map(|(entry, _)| entry.key.as_str()).collect();
    let mut types = Vec::new();
    for (entry, at) in block.entries() {
        let name = entry.key.as_str();
        if !is_type_name(name) {
            let message = "Type names are letters, digits and underscores, starting with a letter";
            at.error("INVALID_NAME", message).on_key(entry).received(quoted(name)).add_to(found);
            continue;
        }
        let Some(kind) = at.text("kind") else { continue };
        check_content_keys(kind, &at, found);
        let body = match kind {
            "enum" => TypeBody::Enum(at.texts("values")),
            "object" => TypeBody::Object(fields(&at, &names, found)),
            "union" => TypeBody::Union(members(&at, &names, found)),
            "scalar" => TypeBody::Scalar,
            _ => continue,
        };
        let mut declared = TypeDef::new(name, at.owned_text("description"), body);
        declared.presets = presets(&declared, &at, found);
        types.push(declared);
    }
    types
}

/// Choices of fields, where there are fields to choose from.
fn presets(declared: &TypeDef, at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Vec<Preset> {
    let mut known = KnownFields { type_name: Some(&declared.name), ..KnownFields::default() };
    match &declared.body {
        TypeBody::Object(fields) => {
            known.fields = Some(fields.iter().map(|field| field.name.as_str()).collect());
        }
        TypeBody::Union(_) => {}
        TypeBody::Enum(_) | TypeBody::Scalar => {
            if let Some(at) = at.get("presets") {
                let message = "This type has no fields to choose from, so 'presets' has no effect";
                at.warning("NO_EFFECT", message).hint("remove it").add_to(found);
            }
            return Vec::new();
        }
    }
    presets::of(at, &known, found)
}

fn is_type_name(name: &str) -> bool {
    name.len() <= 128
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && ValueKind::parse(name).is_none()
}

fn check_content_keys(kind: &str, at: &NodeCursor<'_>, found: &mut Findings<'_>) {
    for (owner, key) in CONTENT {
        match at.get(key) {
            Some(value) if *owner != kind => {
                let message = format!("'{key}' belongs to the kind '{owner}', this is '{kind}'");
                value.error("UNKNOWN_KEY", message).hint("change 'kind', or remove the key").add_to(found);
            }
            Some(value)
                if *owner == kind
                    && *key != "fields"
                    && value.node.elements().is_empty()
                    && value.node.entries().is_empty() =>
            {
                value.error("INVALID_VALUE", format!("'{key}' is empty")).add_to(found);
            }
            None if *owner == kind => {
                let message = format!("The kind '{kind}' needs '{key}'");
                at.missing_key(key, message).add_to(found);
            }
            _ => {}
        }
    }
}

/// Fields are plain values, or hold a declared type, by its name.
fn fields(at: &NodeCursor<'_>, names: &HashSet<&str>, found: &mut Findings<'_>) -> Vec<Param> {
    let Some(block) = at.get("fields") else { return Vec::new() };
    let budget = FileBudget::default();
    let mut fields = Vec::new();
    for (entry, at) in block.entries() {
        let Some(kind) = at.text("type") else { continue };
        let (base, is_list) = kind.strip_suffix("[]").map_or((kind, false), |base| (base, true));
        let mut field = if names.contains(base) {
            let kind =
                if is_list { ValueKind::Array(Some(Box::new(ValueKind::Object))) } else { ValueKind::Object };
            let mut field = Param::new(&entry.key, kind);
            field.shape.reference = Some(base.to_owned());
            field
        } else {
            let Some(shape) = shape_of(&at, ConstraintRole::Short, &budget, found) else { continue };
            let mut field = Param::new(&entry.key, shape.kind.clone());
            field.shape = shape;
            field
        };
        if let (Some(place), Some(name)) = (at.get("type_name"), at.text("type_name")) {
            if !names.contains(name) {
                let hint = found.nearest(name, names.iter().copied());
                let message = format!("There is no type '{}'", shortened(name, 60));
                place.error("UNKNOWN_REFERENCE", message).maybe_hint(hint).add_to(found);
            }
            field.shape.reference = Some(name.to_owned());
        }
        field.required = at.flag("required").unwrap_or(false);
        field.description = at.owned_text("description");
        field.default = at.get("default").map(|value| value.node.to_json());
        fields.push(field);
    }
    fields
}

fn members(at: &NodeCursor<'_>, names: &HashSet<&str>, found: &mut Findings<'_>) -> Vec<String> {
    let Some(block) = at.get("members") else { return Vec::new() };
    for member in block.elements() {
        let Some(name) = member.node.text() else { continue };
        if !names.contains(name) && ValueKind::parse(name).is_none() {
            let hint = found.nearest(name, names.iter().copied());
            let message = format!("There is no type '{}'", shortened(name, 60));
            member
                .error("UNKNOWN_REFERENCE", message)
                .expected("a declared type")
                .maybe_hint(hint)
                .add_to(found);
        }
    }
    at.texts("members")
}
