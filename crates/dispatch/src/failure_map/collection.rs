//! Requests for lists that fail: conflicting controls, foreign cursors, responses without room.
//!
//! Each says what to send instead.

use super::of_operation;
use crate::cursor::CursorError;
use crate::stages::query_options::{PagingConflict, QueryOptionsError};
use aqueduct_operations::controls::Control;
use aqueduct_operations::example::minimal_params;
use aqueduct_operations::failure::{Code, Failure, wording};
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::target::{HandlerKind, Target};
use aqueduct_query::{measure, peek};
use aqueduct_upstream::error::LinkError;
use serde_json::{Map, Value, json};

/// Fields whose sizes are reported.
const MOST_FIELDS: usize = 20;

/// Controls that make no sense.
pub fn invalid_options(error: QueryOptionsError, entry: &RegistryEntry) -> Failure {
    match error {
        QueryOptionsError::Rejected(rejection) => super::validate(&rejection, entry),
        QueryOptionsError::Conflict(conflict) => self::conflict(conflict, entry),
    }
}

/// Paging controls that cannot be sent together (pagination document, section 2.3).
fn conflict(conflict: PagingConflict, entry: &RegistryEntry) -> Failure {
    let PagingConflict { message, provided, hint } = conflict;
    let mut params = minimal_params(&entry.operation);
    params.insert(Control::First.name_on(&entry.operation), 10.into());
    let problem = json!({"code": Code::ValidationInvalidType.name(), "param": "pagination", "message": message,
        "expected": "valid pagination combination", "received": "conflicting parameters"});
    of_operation(entry, Code::ValidationInvalidType, format!("{message}: {hint}"))
        .with("param_name", "pagination")
        .with("expected_type", "valid pagination combination")
        .with("actual_type", "conflicting parameters")
        .with("provided", provided)
        .with("hint", hint)
        .with("problems", vec![problem])
        .with("example", json!({"operation": entry.public_name, "params": params}))
}

/// A cursor that is none of this request's.
pub fn cursor(error: CursorError, entry: &RegistryEntry, param: &str) -> Failure {
    let (why, reason) = match error {
        CursorError::NotOurs => ("is not a cursor of this server, or was changed", "invalid"),
        CursorError::OtherRequest => (
            "was given for another request. Send the operation, parameters, filter, sort and query it was given for",
            "other_request",
        ),
    };
    let message = format!(
        "The cursor {why}. Use pageInfo.endCursor as it came, or leave the cursor out to start again."
    );
    of_operation(entry, Code::ValidationInvalidValue, message)
        .with("param_name", param)
        .with("reason", reason)
}

/// The link to the next page leads where we do not go.
pub fn link(error: &LinkError, entry: &RegistryEntry) -> Failure {
    const MESSAGE: &str = "The API's link to the next page leads away from the API and was not followed. Ask for fewer \
                           items, or page another way.";
    of_operation(entry, Code::PermissionDenied, MESSAGE).caused_by(error)
}

/// What is behind an operation, in one word.
fn who_answers(entry: &RegistryEntry) -> &'static str {
    match &entry.operation.target {
        Target::Handler(handler) if handler.kind == HandlerKind::McpTool => "tool",
        Target::Handler(_) => "function",
        Target::Http(_) | Target::BuiltIn(_) => "API",
    }
}

/// A further page without a list in it.
pub fn page_without_items(entry: &RegistryEntry) -> Failure {
    let message = format!(
        "A further page of the {}'s answer has no list of items. Ask for the pages one by one.",
        who_answers(entry)
    );
    of_operation(entry, Code::SerializationParseError, message)
}

/// A further page that is the one before it once more.
pub fn repeated_page(entry: &RegistryEntry) -> Failure {
    let message = format!(
        "The {} gives the same page again and again: it does not page as its adapter file says. Ask for one page, and have \
         'pagination' corrected.",
        who_answers(entry)
    );
    of_operation(entry, Code::ProtocolInvalidMapping, message)
}

/// Controls of collections for a response that is none.
pub fn no_list(entry: &RegistryEntry, controls: Vec<String>) -> Failure {
    let names = controls.join(", ");
    let message = format!(
        "The {} gave no list, so nothing can be done with: {names}. Leave them out.",
        who_answers(entry)
    );
    of_operation(entry, Code::ValidationInvalidValue, message).with("controls", controls)
}

/// A cursor into a text, for a response that is none.
pub fn no_text(entry: &RegistryEntry) -> Failure {
    let param = Control::After.name_on(&entry.operation);
    let message = format!(
        "The answer is no long text any more, so there is nothing to go on with. Leave '{param}' out."
    );
    of_operation(entry, Code::ValidationInvalidValue, message).with("param_name", param)
}

/// A cursor into a text that is another one now.
pub fn text_has_changed(entry: &RegistryEntry, param: &str) -> Failure {
    let message =
        format!("The text has changed since its first part was read. Leave '{param}' out to start again.");
    of_operation(entry, Code::ValidationInvalidValue, message).with("param_name", param)
}

/// A collection whose end is further away than one call goes.
pub fn no_end_in_sight(entry: &RegistryEntry, seen: u64) -> Failure {
    let message = format!(
        "The end of this collection is more than {seen} items away, further than one call goes. Use 'first' with 'after', \
         or narrow it with a filter which the API applies itself."
    );
    of_operation(entry, Code::ValidationInvalidValue, message)
        .with("param_name", "last")
        .with("items_seen", seen)
}

/// The same for an object that is long by one of its texts.
pub fn text_over_budget(json: &str, budget: u64, name: &str) -> Failure {
    let advice = format!(
        "The text '{0}' comes in parts when it is the only one of 'fields': send fields: [\"{0}\"], or choose others",
        wording::echo(name)
    );
    sized(json, 0, budget, &advice)
}

/// One value that is larger than the whole budget, with the sizes of its members; so much more goes around it.
pub fn over_budget(json: &str, budget: u64, around: u64) -> Failure {
    sized(json, around, budget, "Choose fewer 'fields', or raise 'budget' where it was lowered")
}

fn sized(json: &str, around: u64, budget: u64, advice: &str) -> Failure {
    let size = measure::tokens(json) + around;
    let mut fields = Map::new();
    for (name, tokens) in peek::field_sizes(json, measure::tokens).into_iter().take(MOST_FIELDS) {
        fields.insert(wording::echo(&name), Value::from(tokens));
    }
    too_large(size, budget, advice).with("fields", fields)
}

/// The same for a call that has changed something: it must not be repeated.
pub fn done_but_over_budget(mut failure: Failure) -> Failure {
    failure.message = format!("It was carried out and must not be sent again. {}", failure.message);
    failure.with("executed", true)
}

/// Counts that are larger than the whole budget.
pub fn too_many_groups(size: u64, budget: u64) -> Failure {
    too_large(size, budget, "Group by a field with fewer values, or add a 'filter'")
}

pub(super) fn too_large(size: u64, budget: u64, advice: &str) -> Failure {
    Failure::new(
        Code::ValidationPayloadTooLarge,
        format!("Payload exceeds budget limit of {budget}: the answer has about {size} tokens. {advice}."),
    )
    .with("limit_type", "budget")
    .with("limit_value", budget)
    .with("actual_value", size)
    .with("unit", "tokens")
}
