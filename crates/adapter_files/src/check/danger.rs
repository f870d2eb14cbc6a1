//! The danger of an operation as its file declares it (danger-level document, sections 3 and 5.3; ruling S2).
//!
//! A declared level wins over the name, downwards too; `dangerous: true` is destructive or worse.

use super::params::BrokenParams;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, shortened};
use aqueduct_operations::category::Category;
use aqueduct_operations::danger::{Danger, DangerLevel, DangerOrigin, undeclared};
use aqueduct_operations::params::Param;

/// The operation whose danger it is.
pub(super) struct DangerContext<'c> {
    pub name: &'c str,
    pub category: Category,
    pub params: &'c [Param],
    /// Parameters that could not be understood.
    pub broken: &'c BrokenParams,
}

pub(super) fn check(
    operation: &NodeCursor<'_>,
    context: &DangerContext<'_>,
    found: &mut Findings<'_>,
) -> Danger {
    let block = operation.get("danger");
    let in_block = block.as_ref().and_then(|at| at.text("level").or_else(|| at.node.text()));
    let (in_block, plain) =
        (in_block.and_then(DangerLevel::parse), operation.text("danger_level").and_then(DangerLevel::parse));
    if let (Some(first), Some(second), Some(at)) = (in_block, plain, operation.get("danger_level"))
        && first != second
    {
        let message = format!("'danger' says {}, which wins over this", first.name());
        at.warning("CONTRADICTION", message).hint("keep one of the two").add_to(found);
    }
    let (mut level, mut origin) = match in_block.or(plain) {
        Some(level) => (level, DangerOrigin::Declared),
        None => undeclared(context.name, context.category),
    };
    if operation.flag("dangerous") == Some(true) && level < DangerLevel::Destructive {
        (level, origin) = (DangerLevel::Destructive, DangerOrigin::Declared);
    }
    let mut reasons = block.as_ref().map_or_else(Vec::new, |at| at.texts("reasons"));
    reasons.extend(block.as_ref().and_then(|at| at.owned_text("reason")));
    let confirmation_message = block.as_ref().and_then(|at| at.owned_text("confirmation_message"));
    if let Some(at) = block.as_ref().and_then(|at| at.get("confirmation_message")) {
        check_slots(&at, context, found);
    }
    let cooldown = block.as_ref().and_then(|at| u64::try_from(at.whole("cooldown_seconds")?).ok());
    let is_set = |key: &str| block.as_ref().and_then(|at| at.flag(key));
    let asks = |at: &NodeCursor<'_>| at.flag("requires_confirmation") == Some(true);
    let requires_confirmation = asks(operation) || block.as_ref().is_some_and(asks);
    Danger {
        reasons,
        confirmation_message,
        requires_confirmation,
        cooldown_seconds: cooldown.unwrap_or_default(),
        requires_reauth: is_set("requires_reauth").unwrap_or(false),
        audit_context: block.as_ref().map_or_else(Vec::new, |at| audit_context(at, context, found)),
        hook_blockable: is_set("hook_blockable").unwrap_or(true),
        ..Danger::new(level, origin)
    }
}

/// The parameters that are named for the audit. Secrets never get there.
fn audit_context(
    block: &NodeCursor<'_>,
    context: &DangerContext<'_>,
    found: &mut Findings<'_>,
) -> Vec<String> {
    let named = block.get("audit_context").into_iter().flat_map(|at| at.elements());
    let mut kept = Vec::new();
    for at in named {
        let Some(name) = at.node.text() else { continue };
        match context.params.iter().find(|param| param.name == name) {
            Some(param) if param.is_secret() => {
                let message = match param.sensitive {
                    true => "A sensitive parameter is never kept in the audit",
                    false => "A parameter with the name of a credential is never kept in the audit",
                };
                at.error("CONTRADICTION", message).hint("remove it").add_to(found);
            }
            Some(_) => kept.push(name.to_owned()),
            None => check_is_param(name, name, &at, context, found),
        }
    }
    kept
}

/// Every `{name}` of a confirmation message is a parameter.
fn check_slots(at: &NodeCursor<'_>, context: &DangerContext<'_>, found: &mut Findings<'_>) {
    each_slot(at, found, |name, found| {
        check_is_param(name, &format!("{{{name}}}"), at, context, found);
    });
}

fn check_is_param(
    name: &str,
    written: &str,
    at: &NodeCursor<'_>,
    context: &DangerContext<'_>,
    found: &mut Findings<'_>,
) {
    if !context.params.iter().any(|param| param.name == name) && !context.broken.may_hold(name) {
        let known = context.params.iter().map(|param| param.name.as_str());
        let hint = found.nearest(name, known);
        let message = format!("'{}' is not among the parameters", shortened(written, 62));
        at.error("UNDECLARED_PLACEHOLDER", message).maybe_hint(hint).add_to(found);
    }
}

/// Goes through the `{names}` of a text.
pub(super) fn each_slot(
    at: &NodeCursor<'_>,
    found: &mut Findings<'_>,
    mut check: impl FnMut(&str, &mut Findings<'_>),
) {
    let mut rest = at.node.text().unwrap_or_default();
    while let Some((_, after)) = rest.split_once('{') {
        let Some((name, after)) = after.split_once('}') else {
            at.error("INVALID_VALUE", "A '{' is not closed").hint("write {name}").add_to(found);
            return;
        };
        check(name, found);
        rest = after;
    }
}
