//! Every stage's error becomes a `Failure` here: one function a stage, one exhaustive match each.
//!
//! Messages say what was expected, what was found and what to send next; none may look like leaked internals
//! (ruling W1). Each stage has a file of its own.

mod batch;
mod collection;
mod gate;
mod graph;
mod handler;
mod limits;
mod plan;
mod rejection;
mod request;
mod upstream;
mod version;
mod work;

pub use batch::{
    batch_budget, batch_too_long, dangling, empty_batch, nested_batch, no_batch, no_item, no_plan,
};
pub use collection::{
    cursor, done_but_over_budget, invalid_options, link, no_end_in_sight, no_list, no_text, over_budget,
    page_without_items, repeated_page, text_has_changed, text_over_budget, too_many_groups,
};
pub use gate::{denied, hiding_secrets, refused, refused_subrequest, what_would_run, whole_params};
pub use graph::{graph_cursor, graph_over_budget, no_root};
pub use handler::{handler, reported_failure};
pub use limits::limits_unknown;
pub use plan::{plan_refused, unknown_values, unrunnable_plan};
pub use rejection::{tolerated, validate};
pub use request::{envelope, introspect, route};
pub use upstream::{unbuildable, upstream};
pub use version::{no_version, nothing_to_merge, unread, version_mismatch};
pub use work::{ending, too_much_work};

use aqueduct_operations::call::SessionId;
use aqueduct_operations::failure::{Code, Failure, wording};
use aqueduct_operations::operation::RegistryEntry;
use serde_json::Value;

/// What a failure is the answer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailedRequest {
    /// `introspect`.
    Introspection,
    /// A batch that is no plan.
    Batch,
    /// Anything else.
    Other,
}

/// Adds the session to a failure's details. Failures of `introspect`, and those of what is no batch, have code and message only
/// (ruling W2; batch document).
pub fn finish(mut failure: Failure, request: FailedRequest, session: &SessionId) -> Failure {
    let is_no_batch = request == FailedRequest::Batch && failure.code == Code::BatchValidationError;
    if request == FailedRequest::Introspection || is_no_batch {
        failure.details.clear();
        return failure;
    }
    failure.with("session_id", session.as_str())
}

/// A failure of a call of this operation.
fn of_operation(entry: &RegistryEntry, code: Code, message: impl Into<String>) -> Failure {
    Failure::new(code, message).with("operation", entry.public_name.as_str())
}

/// Adds a fact where there is one.
fn with_some(failure: Failure, key: &str, value: Option<impl Into<Value>>) -> Failure {
    match value {
        Some(value) => failure.with(key, value),
        None => failure,
    }
}

/// A bug: something panicked on the way. The call fails, the server goes on.
pub fn panicked() -> Failure {
    wording::internal("the call panicked")
}
