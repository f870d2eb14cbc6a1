//! Checks the parameters of a request against the operation and collects their values (operations document, section
//! 5.4; rulings W4, W8, W10). Every problem is found, not the first; defaults come last.

mod fields;
mod problem;
mod resolve;

pub use problem::{Problem, ProblemKind, Rejection};
pub use resolve::token_name;

use super::route::Routed;
use aqueduct_operations::limits::Limits;
use aqueduct_operations::operation::{Entry, Grouping};
use aqueduct_operations::reply::Warning;
use aqueduct_safety::gatekeeper::Standing;
use fields::{Accepted, Fields};
use resolve::Request;
use serde_json::{Map, Value};

/// A request whose parameters are all right.
pub struct Checked<'a> {
    /// The operation.
    pub entry: &'a Entry,
    /// What the policy says of it.
    pub standing: &'a Standing,
    /// Value by public parameter name, those of `input` included, defaults filled in.
    pub values: Map<String, Value>,
    /// The confirmation token that came along.
    pub token: Option<String>,
    /// The client wants to see the HTTP facts.
    pub wants_http: bool,
    /// What was mended or let pass.
    pub warnings: Vec<Warning>,
}

/// What happens to parameters that the operation does not declare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// They are rejected.
    Strict,
    /// They are dropped with a warning: for development only.
    Lenient,
}

/// Checks a request.
pub fn validate<'a>(
    routed: Routed<'a>,
    strictness: Strictness,
    limits: &Limits,
) -> Result<Checked<'a>, Box<Rejection>> {
    let Routed { entry, standing, envelope } = routed;
    let operation = &entry.operation;
    let params_repaired = envelope.params_repaired;
    let mut request = Request::new(envelope, entry);
    let token = request.take_token();
    let wants_http = request.wants_http();
    let mut fields = Fields::new(limits);
    if params_repaired {
        fields.note_repair("params");
    }
    for name in request.repair_sources(limits) {
        fields.note_repair(&name);
    }
    for (name, found) in request.blocked_sources() {
        fields.wrong_type(&name, "object", found);
    }
    for param in operation.outer_params() {
        fields.judge(param, request.value_of(param), "");
    }
    if operation.grouping == Grouping::Input {
        judge_input(entry, &request, &mut fields);
    }
    for name in request.unknown_names() {
        fields.unknown_param(operation, name);
    }
    for name in request.unknown_inside_sources() {
        fields.unknown_param(operation, &name);
    }
    if strictness == Strictness::Lenient {
        fields.forgive_unknown();
    }
    let Accepted { values, warnings } = fields.finish(entry)?;
    Ok(Checked { entry, standing, values, token, wants_http, warnings })
}

fn judge_input(entry: &Entry, request: &Request<'_>, fields: &mut Fields<'_>) {
    let operation = &entry.operation;
    let Some(input) = request.input() else {
        fields.missing("input", "object");
        return;
    };
    let Some(input) = fields.object("input", input) else {
        return;
    };
    let known = |name: &str| operation.input_params().any(|param| param.name == name);
    let input = resolve::canonical(input, entry, &known);
    for param in operation.input_params() {
        match input.get(&param.name) {
            // Null removes a field, so it is right for every field that may be absent.
            Some(Value::Null) if !param.required => fields.accept(param, Value::Null),
            value => fields.judge(param, value.cloned(), "input."),
        }
    }
    for name in input.keys().filter(|name| !name.starts_with('_')) {
        if !known(name) {
            fields.unknown_field(operation, name);
        }
    }
}

#[cfg(test)]
mod tests;
