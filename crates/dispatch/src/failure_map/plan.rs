//! Plans that do not run: with an operation that cannot, or that wait for a yes, or have no good one.
//!
//! Who is asked to confirm sees every call that needs it, with its values, sensitive ones hidden, and why.

use super::gate;
use crate::batch::{ItemProblem, PlannedItem};
use aqueduct_operations::danger::DangerLevel;
use aqueduct_operations::failure::{Code, Failure, wording};
use aqueduct_operations::gatekeeper::{ConfirmationNeed, PlanRefusal};
use serde_json::{Value, json};

/// Operations of a plan cannot run, so nothing did and no person is asked.
pub fn unrunnable_plan(problems: Vec<ItemProblem>) -> Failure {
    let count = problems.len();
    let first = problems.first().map_or_else(String::new, |ItemProblem { index, failure, .. }| {
        format!(" Operation {index}: {}", failure.message)
    });
    let listed = problems.into_iter().map(|ItemProblem { index, operation, failure }| {
        let (code, message) = (failure.code.name(), failure.message);
        json!({"index": index, "operation": wording::shortened(&operation, 200), "code": code, "message": message,
               "details": Value::Object(failure.details)})
    });
    let listed: Vec<Value> = listed.collect();
    let message = format!(
        "The plan did not run, because {count} of its operations cannot run. Nothing was sent.{first}"
    );
    Failure::new(Code::BatchValidationError, message).with("problems", listed)
}

/// An operation that needs a yes, with values that no one can be shown.
pub fn unknown_values(operation: &str) -> Failure {
    let message = format!(
        "'{operation}' needs a confirmation and refers to an earlier result, so its values are not known before the plan runs. \
         Run those before it first, and send it with the value; or leave 'plan' out, and the batch halts there."
    );
    Failure::new(Code::BatchValidationError, message).with("operation", operation)
}

/// A plan that does not run now.
pub fn plan_refused(planned: &[PlannedItem<'_>], refusal: PlanRefusal) -> Failure {
    match refusal {
        PlanRefusal::ConfirmationNeeded(need) => confirmation_needed(planned, need),
        PlanRefusal::OperatorDenied { reason } => {
            gate::operator_denied("batch", "this plan", reason.as_deref())
        }
        PlanRefusal::Token(refusal) => gate::token(refusal),
        PlanRefusal::NotAsked(failure) => gate::not_asked(failure),
        PlanRefusal::NotAgreed(refusal) => gate::not_agreed("this plan", refusal).with("operation", "batch"),
        PlanRefusal::TooLong => too_long(planned.len()),
    }
}

fn too_long(count: usize) -> Failure {
    let message = format!(
        "The plan did not run: the user is asked about every call of it that requires confirmation, and {count} are too many to be \
         looked through. Send smaller plans. Nothing was sent."
    );
    Failure::new(Code::BatchValidationError, message).with("calls", count)
}

fn confirmation_needed(planned: &[PlannedItem<'_>], need: ConfirmationNeed) -> Failure {
    let count = planned.len();
    let message = match &need {
        ConfirmationNeed::Token(_) => format!(
            "{count} calls of this plan require confirmation. Ask the user; if they agree, send the same batch again with \
             confirmation_token beside its operations. Nothing has run."
        ),
        ConfirmationNeed::Operator(_) => format!(
            "{count} calls of this plan require an operator's approval, and the operator is asked. Send the same batch again when they \
             are approved; they run once. No parameter approves them. Nothing has run."
        ),
    };
    let worst = planned.iter().map(|item| item.call.danger()).max().unwrap_or(DangerLevel::Safe);
    let mut reasons: Vec<String> = Vec::new();
    for reason in planned.iter().flat_map(|item| item.call.reasons()) {
        if !reasons.contains(reason) {
            reasons.push(reason.clone());
        }
    }
    let failure = Failure::new(Code::ConfirmationRequired, message)
        .with("operation", "batch")
        .with("danger_level", worst.name())
        .with("reasons", reasons.clone())
        .with("calls", planned.iter().map(shown).collect::<Vec<Value>>());
    gate::with_need(failure, need, &reasons, None)
}

/// A call as the person who confirms sees it.
fn shown(PlannedItem { index, call, params }: &PlannedItem<'_>) -> Value {
    let entry = call.entry();
    let mut shown = json!({
        "index": index,
        "operation": entry.public_name,
        "source": entry.source.name,
        "params": params,
        "danger_level": call.danger().name(),
        "reasons": call.reasons(),
    });
    if let Some(message) = call.message() {
        shown["confirmation_message"] = message.into();
    }
    shown
}
