//! `[[policy]]`: rules of the operator that allow, confirm or deny calls.
//!
//! The tree in, rules out. Whatever could never fit, or fits more than it says, is reported where it stands: a rule that is read
//! wrongly would protect nothing.

use super::profiles;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, described};
use aqueduct_operations::exposure::Glob;
use aqueduct_operations::gatekeeper::{ParamCondition, Permission, PolicyRule, PolicyRules};
use serde_json::Value;

/// Reads every rule, in the order of the file.
pub(super) fn read(root: &NodeCursor<'_>, found: &mut Findings<'_>) -> PolicyRules {
    let Some(list) = root.get("policy") else { return PolicyRules::default() };
    PolicyRules::new(list.elements().filter_map(|at| rule(&at, found)).collect())
}

fn rule(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<PolicyRule> {
    let decision = at.text("decision")?;
    let permission = Permission::parse(decision)?;
    let glob = |key: &str| at.text(key).map(Glob::of_text);
    Some(PolicyRule {
        source: glob("source"),
        operation: operation(at, found),
        category: at.get("category").and_then(|at| profiles::category(at.node.text()?, &at, found)),
        caller: glob("caller"),
        params: params(at, found),
        permission,
        reason: at.text("reason").map(|text| text.trim().to_owned()),
    })
}

/// Names of operations are of few characters: others would never fit.
fn operation(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<Glob> {
    let at = at.get("operation")?;
    let text = at.node.text()?;
    if !text.is_empty() && Glob::parse(text).is_err() {
        found.add(
            at.error("INVALID_VALUE", "This is not a pattern for names of operations")
                .expected("lower-case letters, digits, underscores, hyphens and '*', such as delete_*")
                .received(described(at.node)),
        );
    }
    Some(Glob::of_text(text))
}

/// Each is a scalar, or a list of them.
fn params(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Vec<ParamCondition> {
    let Some(block) = at.get("param") else { return Vec::new() };
    let mut params = Vec::new();
    for (entry, at) in block.entries() {
        let values = match at.node.to_json() {
            Value::Array(values) => values,
            value => vec![value],
        };
        if values.is_empty() || values.iter().any(|value| value.is_object() || value.is_array()) {
            found.add(
                at.error("INVALID_VALUE", "A parameter is compared with a text, a number, true or false")
                    .expected("one value, or a list of them")
                    .received(described(at.node)),
            );
        }
        params.push(ParamCondition { name: entry.key.clone(), values });
    }
    params
}

#[cfg(test)]
mod tests;
