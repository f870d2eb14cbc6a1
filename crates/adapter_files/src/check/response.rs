//! What an operation declares about its answers: paging, fields, what the API does by itself, what is worked out here.
//!
//! The operation's keys in; `ResponseRules` out. Parameters that the pager sends are taken out of the operation's own.

mod aggregate;
mod computed;
mod fields;
pub(crate) mod items;
pub(crate) mod pagination;
mod push;

use super::params::FileBudget;
use super::path::KnownFields;
use aqueduct_documents::NodeValue;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::NodeCursor;
use aqueduct_operations::category::Category;
use aqueduct_operations::naming::is_list_name;
use aqueduct_operations::operation::ReturnType;
use aqueduct_operations::params::Param;
use aqueduct_operations::response::ResponseRules;
use aqueduct_operations::types::TypeDef;
use std::collections::{BTreeSet, HashMap};

/// The keys of this page, which belong to READ operations.
const KEYS: [&str; 7] =
    ["pagination", "fields", "supports_fields", "default_fields", "collection", "computed", "aggregate"];
/// Keys that say something about lists only.
const LIST_KEYS: [&str; 1] = ["aggregate"];

/// The parts of an operation that its answers depend on.
pub(super) struct ResponseContext<'s> {
    pub name: &'s str,
    pub category: Category,
    pub static_query: Option<&'s str>,
    pub returns: &'s ReturnType,
    pub is_text: bool,
    pub types: &'s HashMap<&'s str, &'s TypeDef>,
    pub budget: &'s FileBudget,
}

/// Reads all of it.
pub(super) fn check(
    operation: &NodeCursor<'_>,
    context: &ResponseContext<'_>,
    params: &mut Vec<Param>,
    found: &mut Findings<'_>,
) -> ResponseRules {
    if context.category != Category::Read {
        warn_without_effect(operation, &KEYS, "belongs to READ operations and has no effect here", found);
        return ResponseRules::default();
    }
    let paging = pagination::check(operation, context, params, found);
    let collection = is_collection(operation, context);
    if !collection {
        let why = "is about lists, which this operation does not say it returns";
        warn_without_effect(operation, &LIST_KEYS, why, found);
    }
    let items_path = paging.as_ref().and_then(|paging| paging.items_path.as_ref());
    let item = items::type_of(&context.returns.name, context.types, collection, items_path)
        .filter(|item| context.budget.affords(weight(item), operation, found));
    let mut known = KnownFields {
        type_name: item.map(|item| item.name.as_str()),
        fields: item.and_then(items::fields_of).map(|fields| fields.collect()),
        computed: Some(BTreeSet::new()),
    };
    let computed = computed::check(operation, &known, found);
    known.computed = Some(computed.iter().map(|each| each.name.as_str()).collect());
    let fields = fields::check(operation, item, &known, found);
    let push = push::check(operation, found);
    let aggregate = aggregate::check(operation, &known, found);
    ResponseRules { collection, paging, fields, push, computed, aggregate }
}

/// How much an operation takes over from the type it returns.
fn weight(item: &TypeDef) -> usize {
    let fields = items::fields_of(item).map_or(0, Iterator::count);
    fields + item.presets.iter().map(|preset| 1 + preset.paths.len()).sum::<usize>()
}

fn is_collection(operation: &NodeCursor<'_>, context: &ResponseContext<'_>) -> bool {
    if let Some(is_collection) = operation.flag("collection") {
        return is_collection || block(operation, "pagination").is_some();
    }
    let is_list = context.returns.name == "array" || context.returns.name.ends_with("[]");
    let is_named_so = !context.is_text && is_list_name(context.name);
    let says_so = |key| block(operation, key).is_some();
    is_list || is_named_so || says_so("pagination") || says_so("collection")
}

fn warn_without_effect(operation: &NodeCursor<'_>, keys: &[&str], why: &str, found: &mut Findings<'_>) {
    for key in keys {
        if let Some(at) = block(operation, key) {
            at.warning("NO_EFFECT", format!("'{key}' {why}")).hint("remove it").add_to(found);
        }
    }
}

/// The value of a key that has something after it.
pub(super) fn block<'a>(owner: &NodeCursor<'a>, key: &str) -> Option<NodeCursor<'a>> {
    owner.get(key).filter(|at| at.node.value != NodeValue::Null)
}
