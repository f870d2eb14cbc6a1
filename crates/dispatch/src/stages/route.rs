//! Finds the operation and checks the endpoint it came in by (core specification, sections 3.2 and 6.2).
//!
//! An operation that the policy denies is refused here, before its parameters are looked at: its family may not even
//! have a tool, and a list of its parameters would be of no use.

use super::envelope::RequestEnvelope;
use crate::catalog::Catalog;
use crate::discovery::search;
use aqueduct_operations::call::{Scopes, ToolEndpoint};
use aqueduct_operations::category::effect::removal_in;
use aqueduct_operations::failure::wording::FamilyTool;
use aqueduct_operations::gatekeeper::{Denial, GateDecision, GateRule};
use aqueduct_operations::naming::{is_snake_case, words};
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::suggest::{is_opposed, operations};
use aqueduct_search::Confidence;
use serde_json::{Map, Value};
use std::sync::Arc;

/// Names that are suggested at most.
const MOST: usize = 5;
/// What is longer is no name.
const LONGEST_NAME: usize = 200;

/// A request whose operation is known, may be called, and came in by the right endpoint.
#[derive(Debug)]
pub struct Routed<'a> {
    /// The operation.
    pub entry: &'a RegistryEntry,
    /// The decision of the policy: never a denial.
    pub decision: &'a GateDecision,
    /// The request.
    pub envelope: RequestEnvelope,
}

/// A request whose operation nobody may call.
#[derive(Debug)]
pub struct DeniedRequest<'a> {
    /// The operation.
    pub entry: &'a RegistryEntry,
    /// Which rule denies it.
    pub rule: &'a GateRule,
    /// Why.
    pub denial: &'a Denial,
    /// The parameters, as they were sent.
    pub params: Arc<Map<String, Value>>,
}

/// Why a request goes nowhere.
#[derive(Debug)]
pub enum RouteError<'a> {
    /// No such operation.
    Unknown {
        /// What was requested.
        operation: String,
        /// What is near, best first.
        suggestions: Vec<String>,
    },
    /// Trust or danger denies it.
    Denied(DeniedRequest<'a>),
    /// It belongs to another tool.
    WrongEndpoint {
        /// The operation.
        operation: String,
        /// Its family and that family's tool.
        expected: FamilyTool,
        /// The family and tool it came by.
        actual: FamilyTool,
    },
}

/// Finds the operation.
pub fn route<'a>(
    catalog: &'a Catalog,
    envelope: RequestEnvelope,
    endpoint: &ToolEndpoint,
    scopes: &Scopes,
) -> Result<Routed<'a>, RouteError<'a>> {
    let name = &envelope.operation;
    let found = if is_snake_case(name) { catalog.find(name) } else { None };
    let Some((_, entry, decision)) = found else {
        let suggestions =
            suggestions(catalog, name, endpoint, scopes).into_iter().map(str::to_owned).collect();
        return Err(RouteError::Unknown { operation: name.clone(), suggestions });
    };
    if let Some(denial) = decision.denial() {
        let (rule, params) = (&decision.rule, Arc::new(envelope.params));
        return Err(RouteError::Denied(DeniedRequest { entry, rule, denial, params }));
    }
    let exposure = catalog.exposure();
    let family = &exposure.family_of(entry).name;
    if let ToolEndpoint::Family(actual) = endpoint
        && !exposure.is_called_by(entry, actual)
    {
        let tool_of =
            |family: &str| FamilyTool { family: family.to_owned(), tool: exposure.family_tool(family) };
        return Err(RouteError::WrongEndpoint {
            operation: name.clone(),
            expected: tool_of(family),
            actual: tool_of(actual),
        });
    }
    Ok(Routed { entry, decision, envelope })
}

/// What may be meant by a name: first what was called so where it was imported from, then what is near by its spelling or its
/// meaning, the family of the tool that was called before the others (ruling W3).
pub(crate) fn suggestions<'c>(
    catalog: &'c Catalog,
    name: &str,
    endpoint: &ToolEndpoint,
    scopes: &Scopes,
) -> Vec<&'c str> {
    let bare = name.split_once("__").map_or(name, |(_, bare)| bare);
    let was_called = |entry: &RegistryEntry| {
        let origin = entry.operation.origin.as_ref();
        origin.is_some_and(|origin| origin.name == name || origin.name == bare)
    };
    let may_be_called = |entry: &RegistryEntry| scopes.missing(&entry.operation.required_scopes).is_none();
    let shown = || catalog.visible().map(|(entry, _)| entry).filter(|entry| may_be_called(entry));
    let same = shown().filter(|entry| was_called(entry));
    let same: Vec<&str> = same.map(|entry| entry.public_name.as_str()).take(MOST).collect();
    let is_of_family = |entry: &RegistryEntry| match endpoint {
        ToolEndpoint::Any => false,
        ToolEndpoint::Family(family) => catalog.exposure().family_of(entry).name.eq_ignore_ascii_case(family),
    };
    let known = shown().map(|entry| (entry.public_name.as_str(), is_of_family(entry)));
    let spelt = operations(name, known, MOST);
    let of_name = |name: &&str| catalog.find(name).is_some_and(|(_, entry, _)| is_of_family(entry));
    let meant = by_meaning(catalog, name, is_of_family, scopes);
    let (near, far): (Vec<&str>, Vec<&str>) = meant.into_iter().partition(of_name);
    // A slip of one letter stands before the family that was called; all else is in the order of families.
    let is_led_by_family = spelt.first().is_some_and(of_name);
    let others = spelt.iter().position(|name| is_led_by_family && !of_name(name)).unwrap_or(spelt.len());
    let (first, last) = spelt.split_at(others);
    let mut found = same;
    for name in alternating(first, &near).into_iter().chain(alternating(last, &far)) {
        if found.len() < MOST && !found.contains(name) {
            found.push(name);
        }
    }
    found
}

/// One of each in turn, until both are at their end.
fn alternating<'s, 'c>(ones: &'s [&'c str], others: &'s [&'c str]) -> Vec<&'s &'c str> {
    let longest = ones.len().max(others.len());
    (0..longest).flat_map(|at| ones.get(at).into_iter().chain(others.get(at))).collect()
}

/// Operations that the words of a name mean; none where that is doubtful, or where they would do the opposite.
fn by_meaning<'c>(
    catalog: &'c Catalog,
    name: &str,
    is_of_family: impl Fn(&RegistryEntry) -> bool,
    scopes: &Scopes,
) -> Vec<&'c str> {
    if name.len() > LONGEST_NAME {
        return Vec::new();
    }
    let removes = |text: &str| removal_in(text).is_some();
    let admits = |entry: &RegistryEntry| {
        let own = &entry.operation.name;
        is_of_family(entry) || !is_opposed(name, own) && (removes(name) || !removes(own))
    };
    let found = search(catalog, scopes, &words(name).join(" "), admits, MOST);
    let is_meant = found.confidence != Confidence::Weak;
    let named = found.matches.iter().filter(|_| is_meant).map(|index| catalog.placed(*index));
    named.map(|entry| entry.public_name.as_str()).collect()
}
