//! Finds the operation and checks the endpoint it came in by (core specification, sections 3.2 and 6.2).
//!
//! An operation that the policy denies is refused here, before its parameters are looked at: its family may not even
//! have a tool, and a list of its parameters would be of no use.

use super::envelope::RequestEnvelope;
use crate::catalog::Catalog;
use aqueduct_operations::call::ToolEndpoint;
use aqueduct_operations::failure::wording::FamilyTool;
use aqueduct_operations::gatekeeper::{Denial, GateDecision};
use aqueduct_operations::naming::is_snake_case;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::suggest::operations;

/// Names that are suggested at most.
const MOST: usize = 5;

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

/// Why a request goes nowhere.
#[derive(Debug, Clone, PartialEq)]
pub enum RouteError {
    /// No such operation.
    Unknown {
        /// What was requested.
        operation: String,
        /// What is near, best first.
        suggestions: Vec<String>,
    },
    /// The policy denies it.
    Denied {
        /// The operation.
        operation: String,
        /// Why.
        denial: Denial,
    },
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
) -> Result<Routed<'a>, RouteError> {
    let name = &envelope.operation;
    let found = if is_snake_case(name) { catalog.find(name) } else { None };
    let Some((_, entry, decision)) = found else {
        let suggestions = suggestions(catalog, name, endpoint).into_iter().map(str::to_owned).collect();
        return Err(RouteError::Unknown { operation: name.clone(), suggestions });
    };
    if let GateDecision::Denied(denial) = decision {
        return Err(RouteError::Denied { operation: name.clone(), denial: denial.clone() });
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

/// What may be meant by a name: first what was called so where it was imported from, then what is near, the family of the tool
/// that was called before the others (ruling W3).
pub(crate) fn suggestions<'c>(catalog: &'c Catalog, name: &str, endpoint: &ToolEndpoint) -> Vec<&'c str> {
    let bare = name.split_once("__").map_or(name, |(_, bare)| bare);
    let was_called = |entry: &RegistryEntry| {
        let origin = entry.operation.origin.as_ref();
        origin.is_some_and(|origin| origin.name == name || origin.name == bare)
    };
    let same = catalog.visible().filter(|(entry, _)| was_called(entry));
    let mut found: Vec<&str> = same.map(|(entry, _)| entry.public_name.as_str()).take(MOST).collect();
    let is_of_family = |entry: &RegistryEntry| match endpoint {
        ToolEndpoint::Any => false,
        ToolEndpoint::Family(family) => catalog.exposure().family_of(entry).name.eq_ignore_ascii_case(family),
    };
    let known = catalog.visible().map(|(entry, _)| (entry.public_name.as_str(), is_of_family(entry)));
    for near in operations(name, known, MOST) {
        if found.len() < MOST && !found.contains(&near) {
            found.push(near);
        }
    }
    found
}
