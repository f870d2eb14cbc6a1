//! Checks the parameters of a request against the operation and collects their values (operations document, section
//! 5.4; rulings W4, W8, W10). Every problem is found, not the first; defaults come last.

mod controls;
mod fields;
mod problem;
mod resolve;
mod within;

pub use controls::SentControls;
pub use problem::{ProblemKind, Rejection, RequestProblem};
pub use resolve::{TOKEN, TOKEN_ALIAS, token_name};
pub use within::{ValidationContext, within};

use super::route::Routed;
use aqueduct_operations::gatekeeper::GateDecision;
use aqueduct_operations::gatekeeper::PushedParam;
use aqueduct_operations::operation::{Grouping, Operation, RegistryEntry};
use aqueduct_operations::reply::Warning;
use aqueduct_schema::work::Meter;
use fields::FieldChecks;
use resolve::{CanonicalNames, CanonicalRequest, RequestLevel};
use serde_json::{Map, Value};
use std::sync::Arc;

/// A request whose parameters are all right.
pub struct CheckedRequest<'a> {
    /// The operation.
    pub entry: &'a RegistryEntry,
    /// Value by public parameter name, those of `input` included, defaults filled in.
    pub values: Arc<Map<String, Value>>,
    /// The controls that came along, of the right types.
    pub controls: SentControls,
    /// The parameters that controls are turned into where the source applies them, by its names.
    pub pushed: Arc<[PushedParam]>,
    /// The confirmation token that came along.
    pub token: Option<String>,
    /// Who said yes to it, where this server has asked.
    pub approver: Option<&'static str>,
    /// The agent that makes the call, as the request names it.
    pub agent: Option<String>,
    /// The token by which it goes on after a paused quota.
    pub quota_token: Option<String>,
    /// The client wants to see the HTTP facts.
    pub wants_http: bool,
    /// About values that were repaired or let pass.
    pub warnings: Vec<Warning>,
}

/// What a request that is all right holds, whatever its operation.
#[derive(Default)]
pub struct AcceptedRequest {
    values: Arc<Map<String, Value>>,
    controls: SentControls,
    token: Option<String>,
    agent: Option<String>,
    quota_token: Option<String>,
    wants_http: bool,
    warnings: Vec<Warning>,
}

impl<'a> CheckedRequest<'a> {
    fn new(entry: &'a RegistryEntry, accepted: AcceptedRequest) -> Self {
        let AcceptedRequest { values, controls, token, quota_token, agent, wants_http, warnings } = accepted;
        CheckedRequest {
            entry,
            values,
            controls,
            pushed: Arc::default(),
            token,
            quota_token,
            approver: None,
            agent,
            wants_http,
            warnings,
        }
    }

    /// A request that another call makes itself, so there is nothing to check.
    pub fn subrequest(entry: &'a RegistryEntry, values: Map<String, Value>) -> CheckedRequest<'a> {
        let accepted = AcceptedRequest { values: Arc::new(values), ..AcceptedRequest::default() };
        CheckedRequest::new(entry, accepted)
    }
}

/// What happens to parameters that the operation does not declare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownParams {
    /// They are rejected.
    Strict,
    /// They are dropped with a warning: for development only.
    Lenient,
}

/// Whether an update is merged into what is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MergePolicy {
    /// It is: what must be there is there already.
    IntoStored,
    /// What is sent is all there is.
    Not,
}

/// Checks a request, within the steps of a meter. When they do not suffice the meter knows, and the result is void.
pub fn validate(
    routed: Routed<'_>,
    ValidationContext { strictness, merging, limits }: ValidationContext<'_>,
    meter: &Meter,
) -> Result<AcceptedRequest, Box<Rejection>> {
    let Routed { entry, decision, envelope } = routed;
    let operation = &entry.operation;
    let params_repaired = envelope.params_repaired;
    let mut request = CanonicalRequest::new(envelope, entry);
    let (token, quota_token) = request.take_tokens();
    let agent = request.take_agent();
    let wants_http = request.wants_http();
    let sent_controls = request.take_controls();
    let mut fields = FieldChecks::new(limits, operation.validation, meter);
    for name in request.contradicted() {
        fields.contradicted(name);
    }
    let mut overruled = request.overruled();
    if params_repaired {
        fields.note_repair("params");
    }
    for name in request.fold_into_whole() {
        fields.note_move(&name);
    }
    for name in request.repair_sources(limits) {
        fields.note_repair(&name);
    }
    for (name, found) in request.blocked_sources() {
        fields.wrong_type(&name, "object", found);
    }
    for param in operation.outer_params() {
        fields.validate(param, request.value_of(param), "");
    }
    if operation.grouping == Grouping::Flat {
        fields.demand(operation, "", &|param| request.value_of(param).is_some());
    }
    let mut controls = SentControls::default();
    for (control, value) in sent_controls {
        if let Some(value) = fields.validate_control(&control.param_on(operation), value) {
            controls.put(control, value);
        }
    }
    if operation.grouping == Grouping::Input {
        overruled += validate_input(entry, &mut request, merging, &mut fields);
    }
    if overruled > 0 {
        tracing::warn!(target: "aqueduct::call", count = overruled, "parameters came twice with different values");
    }
    for (name, level) in request.unknown_names() {
        match mistaken_key(name, level, operation, decision) {
            Some(hint) => fields.mistaken_param(name, hint),
            None => fields.unknown_param(operation, name),
        }
    }
    for name in request.unknown_inside_sources() {
        fields.unknown_param(operation, &name);
    }
    if strictness == UnknownParams::Lenient {
        fields.forgive_unknown();
    }
    Ok(AcceptedRequest { controls, token, quota_token, agent, wants_http, ..fields.finish(entry)? })
}

/// What a key of the protocol is called here, when a request has it under another name.
fn mistaken_key(
    name: &str,
    level: RequestLevel,
    operation: &Operation,
    decision: &GateDecision,
) -> Option<String> {
    match (name, level) {
        ("parameters" | "arguments" | "args", RequestLevel::Top) => {
            Some(format!("send 'params' instead of '{name}'"))
        }
        ("params" | "parameters" | "arguments" | "args", RequestLevel::Params) => {
            Some(format!("put the content of '{name}' directly into 'params'"))
        }
        (key, RequestLevel::Top)
            if ["op", "operation"].iter().any(|meant| key.eq_ignore_ascii_case(meant)) =>
        {
            Some(format!("send 'operation' instead of '{key}'"))
        }
        ("token" | "confirm" | "confirmed" | "confirmation", _) => decision.needs_confirmation().then(|| {
            format!(
                "leave '{name}' out, or send the token of CONFIRMATION_REQUIRED as '{}'",
                token_name(operation)
            )
        }),
        _ => None,
    }
}

/// Judges the fields of `input`; how many values in it were overruled by another spelling.
fn validate_input(
    entry: &RegistryEntry,
    request: &mut CanonicalRequest<'_>,
    merging: MergePolicy,
    fields: &mut FieldChecks<'_>,
) -> usize {
    let operation = &entry.operation;
    let beside = request.take_misplaced();
    let input = match request.input() {
        Some(input) => input,
        None if !beside.is_empty() => Value::Object(Map::new()),
        None => {
            fields.missing("input", "object");
            return 0;
        }
    };
    let Some(mut input) = fields.object("input", input) else {
        return 0;
    };
    // What belongs into 'input' and stands beside it is meant to be in it (ruling W8).
    for (name, value) in beside {
        match input.get(&name) {
            Some(inside) if *inside != value => fields.contradicted(&format!("input.{name}")),
            Some(_) => {}
            None => {
                fields.note_move(&name);
                input.insert(name, value);
            }
        }
    }
    let known = |name: &str| operation.input_params().any(|param| param.name == name);
    let CanonicalNames { map: input, contradicted, overruled } = resolve::canonical(input, entry, &known);
    for name in contradicted {
        fields.contradicted(&format!("input.{name}"));
    }
    for param in operation.input_params() {
        match input.get(&param.name) {
            // Null removes a field, so it is right for every field that may be absent.
            Some(Value::Null) if !param.required => fields.accept(param, Value::Null),
            value => fields.validate(param, value.cloned(), "input."),
        }
    }
    if merging == MergePolicy::Not {
        fields.demand(operation, "input.", &|param| input.contains_key(&param.name));
    }
    for name in input.keys().filter(|name| !name.starts_with('_')) {
        if !known(name) {
            fields.unknown_field(operation, name);
        }
    }
    overruled
}

#[cfg(test)]
mod tests;
