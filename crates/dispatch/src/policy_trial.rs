//! What the policy would judge of a call that is not made: its controls as the parameters that they are turned into.
//!
//! An operation and parameters in; the controls are taken out of them, and what a source would get for them comes out.

use crate::stages::query_options::{self, QueryOptionsError, RequestKind};
use crate::stages::validate::{CheckedRequest, SentControls};
use aqueduct_operations::controls::Control;
use aqueduct_operations::gatekeeper::PushedParam;
use aqueduct_operations::operation::RegistryEntry;
use serde_json::{Map, Value};

/// Takes the controls out of the parameters; the parameters that they are turned into, or what is wrong with them.
pub fn take_pushed(
    entry: &RegistryEntry,
    params: &mut Map<String, Value>,
) -> Result<Vec<PushedParam>, String> {
    let (mut controls, mut values) = (SentControls::default(), Map::new());
    for (name, value) in std::mem::take(params) {
        match Control::named(&name, &entry.operation) {
            Some(control) => controls.put(control, value),
            None => _ = values.insert(name, value),
        }
    }
    params.clone_from(&values);
    let checked = CheckedRequest { controls, ..CheckedRequest::subrequest(entry, values) };
    match query_options::read(&checked, u64::MAX) {
        Ok(options) => Ok(match options.kind {
            RequestKind::Collection { plan, .. } => plan.pushed.to_vec(),
            _ => Vec::new(),
        }),
        Err(QueryOptionsError::Conflict(conflict)) => Err(conflict.message),
        Err(QueryOptionsError::Rejected(rejection)) => {
            let problem = rejection.problems.first();
            let expected =
                problem.and_then(|problem| problem.expected.as_deref()).unwrap_or("something else");
            let param = problem.map_or("", |problem| problem.param.as_str());
            Err(format!("'{param}' is not right: {expected}"))
        }
    }
}
