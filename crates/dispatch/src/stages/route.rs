//! Finds the operation and checks the endpoint it came in by (core specification, sections 3.2 and 6.2).
//!
//! An operation that is denied to everyone or to this caller is refused here, before its parameters are looked at: who may not
//! call it learns nothing of them, and its family may not even have a tool.

use super::envelope::RequestEnvelope;
use crate::catalog::Catalog;
use crate::catalog_view::CatalogView;
use crate::discovery::{is_about_looking, search, task_sent};
use aqueduct_operations::call::{CallOrigin, ToolEndpoint};
use aqueduct_operations::category::effect::removal_in;
use aqueduct_operations::failure::wording::FamilyTool;
use aqueduct_operations::gatekeeper::{Denial, GateDecision, GateRule};
use aqueduct_operations::naming::{is_snake_case, words};
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::suggest::{Candidate, is_opposed, operations};
use aqueduct_search::MatchConfidence;
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

/// A request whose operation this caller may not call, whatever the values.
#[derive(Debug)]
pub struct DeniedRequest<'a> {
    /// The operation.
    pub entry: &'a RegistryEntry,
    /// Which rule denies it.
    pub rule: GateRule,
    /// Why.
    pub cause: DenialCause,
    /// The parameters, as they were sent.
    pub params: Arc<Map<String, Value>>,
}

/// Why an operation is denied before its parameters are looked at.
#[derive(Debug)]
pub enum DenialCause {
    /// Trust, danger or a rule denies it.
    Decision(Denial),
    /// The caller lacks this scope.
    Scope(String),
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
        /// The task in its parameters, where the name says nothing but that something is looked for.
        task: Option<String>,
    },
    /// It is denied.
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
    origin: &CallOrigin,
) -> Result<Routed<'a>, RouteError<'a>> {
    let name = &envelope.operation;
    let found = if is_snake_case(name) { catalog.find(name) } else { None };
    let Some((index, entry, decision)) = found else {
        let view = catalog.view_of(&origin.caller, &origin.scopes);
        let suggestions = suggestions(&view, name, &origin.endpoint).into_iter().map(str::to_owned).collect();
        let RequestEnvelope { params, top_level, .. } = &envelope;
        let task = if is_about_looking(name) { task_sent(&[params, top_level]) } else { None };
        return Err(RouteError::Unknown { operation: name.clone(), suggestions, task });
    };
    if let Some((rule, cause)) = denied_to(catalog, index, origin) {
        let params = Arc::new(envelope.params);
        return Err(RouteError::Denied(DeniedRequest { entry, rule, cause, params }));
    }
    let exposure = catalog.exposure();
    let family = &exposure.family_of(entry).name;
    if let ToolEndpoint::Family(actual) = &origin.endpoint
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

/// Why this caller may not call the operation in this place, if so: in the order of the gatekeeper, decisions before scopes.
fn denied_to(catalog: &Catalog, index: usize, origin: &CallOrigin) -> Option<(GateRule, DenialCause)> {
    let entry = catalog.placed(index);
    let by_decision = |decision: &GateDecision| {
        let denial = decision.denial()?.clone();
        Some((decision.rule.clone(), DenialCause::Decision(denial)))
    };
    let by_caller = || {
        catalog.ruled_by_caller().binary_search(&index).ok()?;
        by_decision(&GateDecision::for_caller(catalog.rules(), entry, &origin.caller))
    };
    let by_scope = || {
        let scope = origin.scopes.missing(&entry.operation.required_scopes)?;
        Some((GateRule::Scope(scope.clone()), DenialCause::Scope(scope.clone())))
    };
    by_decision(catalog.decision(index)).or_else(by_caller).or_else(by_scope)
}

/// What may be meant by a name: first what was called so where it was imported from, then what is near by its spelling or its
/// meaning, the family of the tool that was called before the others (ruling W3).
pub(crate) fn suggestions<'c>(view: &CatalogView<'c>, name: &str, endpoint: &ToolEndpoint) -> Vec<&'c str> {
    let catalog = view.catalog();
    let bare = name.split_once("__").map_or(name, |(_, bare)| bare);
    let was_called = |entry: &RegistryEntry| {
        let origin = entry.operation.origin.as_ref();
        origin.is_some_and(|origin| origin.name == name || origin.name == bare)
    };
    let same = view.visible().filter(|entry| was_called(entry));
    let same: Vec<&str> = same.map(|entry| entry.public_name.as_str()).take(MOST).collect();
    let is_of_family = |entry: &RegistryEntry| match endpoint {
        ToolEndpoint::Any => false,
        ToolEndpoint::Family(family) => catalog.exposure().family_of(entry).name.eq_ignore_ascii_case(family),
    };
    let known =
        view.visible().map(|entry| Candidate { name: &entry.public_name, is_of_family: is_of_family(entry) });
    let spelt = operations(name, known, MOST);
    let of_name = |name: &&str| catalog.find(name).is_some_and(|(_, entry, _)| is_of_family(entry));
    let candidates = by_meaning(view, name, is_of_family);
    let (near, far): (Vec<&str>, Vec<&str>) = candidates.into_iter().partition(of_name);
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
    view: &CatalogView<'c>,
    name: &str,
    is_of_family: impl Fn(&RegistryEntry) -> bool,
) -> Vec<&'c str> {
    if name.len() > LONGEST_NAME {
        return Vec::new();
    }
    let removes = |text: &str| removal_in(text).is_some();
    let admits = |entry: &RegistryEntry| {
        let own = &entry.operation.name;
        is_of_family(entry) || !is_opposed(name, own) && (removes(name) || !removes(own))
    };
    let found = search(view, &words(name).join(" "), admits, MOST);
    let is_meant = found.confidence != MatchConfidence::Weak;
    let named = found.matches.iter().filter(|_| is_meant).map(|index| view.catalog().placed(*index));
    named.map(|entry| entry.public_name.as_str()).collect()
}
