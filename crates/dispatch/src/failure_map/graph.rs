//! Requests for relationships that fail: a root that is not there, a foreign cursor, no room.
//!
//! Each says what to send instead.

use super::collection::too_large;
use super::of_operation;
use crate::cursor::CursorError;
use aqueduct_operations::failure::{Code, Failure, wording};
use aqueduct_operations::operation::RegistryEntry;

/// The API does not have the element to start from.
pub fn no_root(entry: &RegistryEntry, element_type: &str, element_name: &str) -> Failure {
    let (kind, name) = (wording::echo(element_type), wording::echo(element_name));
    let message = format!("Not found: the API has no '{kind}' named '{name}'");
    of_operation(entry, Code::NotFoundResource, message)
        .with("resource_type", element_type)
        .with("identifier", wording::shortened(element_name, 200))
}

/// A cursor that is none of this request's.
pub fn graph_cursor(error: CursorError, entry: &RegistryEntry) -> Failure {
    let mut failure = super::cursor(error, entry, "after");
    failure.message = match error {
        CursorError::NotOurs => "The cursor is not one of this server, or was changed.",
        CursorError::OtherRequest => {
            "The cursor was given for another request. Send the root, direction, relationship and depth it was given for."
        }
    }
    .to_owned();
    failure
        .message
        .push_str(" Use details.after of the warning as it came, or leave 'after' out to start again.");
    failure
}

/// Not even the first link has room in the response.
pub fn graph_over_budget(size: u64, budget: u64) -> Failure {
    too_large(size, budget, "Raise 'budget', or choose fewer parts with 'include'")
}
