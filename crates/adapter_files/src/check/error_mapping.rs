//! The `error_mapping` block: what the HTTP statuses of an API mean (error-code document, section 8.3).
//!
//! The block in; one rule for each status out, with a code from the closed table.

use super::danger::each_slot;
use super::operation::DraftOperation;
use super::response::block;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, quoted, shortened};
use aqueduct_operations::failure::Code;
use aqueduct_operations::response::ErrorRule;
use std::collections::BTreeMap;

/// Slots that every message may have.
const SLOTS: [&str; 2] = ["status", "message"];

pub(super) fn check(
    root: &NodeCursor<'_>,
    drafts: &[DraftOperation<'_>],
    found: &mut Findings<'_>,
) -> Vec<ErrorRule> {
    let Some(at) = block(root, "error_mapping") else { return Vec::new() };
    let params = params_of(drafts);
    let mut rules = Vec::new();
    for (entry, at) in at.entries() {
        let status = status(&entry.key);
        if status.is_none() {
            let message = "This is not the status of an error";
            at.error("INVALID_VALUE", message)
                .on_key(entry)
                .expected("a number from 400 to 599")
                .received(quoted(&entry.key))
                .add_to(found);
        }
        let code = at.get("code").and_then(|at| code(&at, found));
        if let Some(at) = at.get("message_template") {
            check_slots(&at, &params, found);
        }
        if let (Some(status), Some(code)) = (status, code) {
            rules.push(ErrorRule { status, code, message_template: at.owned_text("message_template") });
        }
    }
    rules
}

fn status(key: &str) -> Option<u16> {
    let is_plain = key.len() == 3 && key.bytes().all(|b| b.is_ascii_digit());
    key.parse().ok().filter(|status| is_plain && (400..600).contains(status))
}

fn code(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<Code> {
    let name = at.node.filled_text()?;
    let code = Code::parse(name);
    if code.is_none() {
        let hint = found.nearest(name, Code::ALL.iter().map(|code| code.name()));
        let message = format!("There is no error code '{}'", shortened(name, 80));
        at.error("INVALID_VALUE", message)
            .expected("a code such as NOT_FOUND_RESOURCE")
            .maybe_hint(hint)
            .add_to(found);
    }
    code
}

/// Every parameter of the file, and whether some operation calls it sensitive.
fn params_of<'d>(drafts: &'d [DraftOperation<'_>]) -> BTreeMap<&'d str, bool> {
    let mut params = BTreeMap::new();
    for param in drafts.iter().flat_map(|draft| &draft.operation.params) {
        *params.entry(param.name.as_str()).or_default() |= param.sensitive;
    }
    params
}

/// A slot that nothing fills is a slip; one that would repeat a secret is refused.
fn check_slots(at: &NodeCursor<'_>, params: &BTreeMap<&str, bool>, found: &mut Findings<'_>) {
    each_slot(at, found, |name, found| {
        let shown = shortened(name, 60);
        match params.get(name) {
            _ if SLOTS.contains(&name) => {}
            Some(false) => {}
            Some(true) => {
                let message = format!("'{{{shown}}}' is sensitive, so no message repeats it");
                at.error("SENSITIVE_VALUE", message).hint("remove it").add_to(found);
            }
            None => {
                let hint = found.nearest(name, params.keys().copied().chain(SLOTS));
                let message = format!("'{{{shown}}}' is no parameter of any operation");
                at.warning("UNDECLARED_PLACEHOLDER", message).maybe_hint(hint).add_to(found);
            }
        }
    });
}
