//! The `fields` block, and the two older keys that say a part of it.
//!
//! The operation's own presets come first, then those of the type it returns under other names.

use super::{block, items};
use crate::check::path::KnownFields;
use crate::check::presets;
use aqueduct_documents::NodeValue;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, shortened};
use aqueduct_operations::response::FieldRules;
use aqueduct_operations::types::TypeDef;
use std::collections::HashSet;

/// The preset that keeps everything, declared or not.
const FULL: &str = "full";
/// The preset that `default_fields` is short for.
const STANDARD: &str = "standard";

pub(super) fn check(
    operation: &NodeCursor<'_>,
    item: Option<&TypeDef>,
    known: &KnownFields<'_>,
    found: &mut Findings<'_>,
) -> FieldRules {
    let at = block(operation, "fields");
    let mut rules = FieldRules {
        presets: at.as_ref().map_or_else(Vec::new, |at| presets::of(at, known, found)),
        default: at.as_ref().and_then(|at| at.owned_text("default")),
        param: at.as_ref().and_then(|at| at.owned_text("param")),
        join: at.as_ref().and_then(|at| at.owned_text("join")).unwrap_or_else(|| ",".to_owned()),
        known: item.and_then(items::fields_of).map(|fields| fields.map(str::to_owned).collect()),
    };
    if let Some(declared_known) = at.as_ref().and_then(|at| at.get("known")) {
        if declared_known.node.value == NodeValue::Bool(true) {
            let message = "Where fields are known, they are listed";
            declared_known
                .error("INVALID_VALUE", message)
                .expected("a list of names, or false")
                .add_to(found);
        }
        rules.known = match declared_known.node.value {
            NodeValue::Bool(_) => None,
            _ => at.as_ref().map(|at| at.texts("known")),
        };
    }
    take_older_keys(operation, &mut rules, known, found);
    let own: HashSet<String> = rules.presets.iter().map(|preset| preset.name.clone()).collect();
    let inherited = item.map_or(&[][..], |item| &item.presets).iter();
    rules.presets.extend(inherited.filter(|preset| !own.contains(&preset.name)).cloned());
    check_default(at.as_ref(), &rules, found);
    rules
}

fn take_older_keys(
    operation: &NodeCursor<'_>,
    rules: &mut FieldRules,
    known: &KnownFields<'_>,
    found: &mut Findings<'_>,
) {
    if operation.flag("supports_fields") == Some(false)
        && let Some(at) = operation.get("supports_fields")
    {
        at.notice("NO_EFFECT", "Fields can be chosen in every READ operation")
            .hint("remove it")
            .add_to(found);
    }
    let Some(at) = block(operation, "default_fields") else { return };
    if rules.default.is_some() || rules.preset(STANDARD).is_some() {
        let message = "'fields' says which fields are returned by default, and wins over this";
        at.warning("CONTRADICTION", message).hint("keep one of the two").add_to(found);
        return;
    }
    rules.presets.push(presets::one(STANDARD, &at, known, found));
    rules.default = Some(STANDARD.to_owned());
}

fn check_default(at: Option<&NodeCursor<'_>>, rules: &FieldRules, found: &mut Findings<'_>) {
    let Some(place) = at.and_then(|at| at.get("default")) else { return };
    let Some(name) = place.node.filled_text() else { return };
    if name == FULL || rules.preset(name).is_some() {
        return;
    }
    let declared = rules.presets.iter().map(|preset| preset.name.as_str()).chain([FULL]);
    let hint = found.nearest(name, declared.clone());
    let message = format!("There is no preset '{}'", shortened(name, 60));
    let known: Vec<&str> = declared.collect();
    place
        .error("UNKNOWN_REFERENCE", message)
        .expected(format!("one of {}", known.join(", ")))
        .maybe_hint(hint)
        .add_to(found);
}
