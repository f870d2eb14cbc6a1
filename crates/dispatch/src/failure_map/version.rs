//! Updates of something that is not what the client has seen any more (core specification, section 9.3.2).

use aqueduct_operations::failure::{Code, Failure};
use aqueduct_operations::operation::Entry;

/// It was changed since.
pub fn version_mismatch(entry: &Entry, seen: &str, there: &str) -> Failure {
    Failure::new(
        Code::ConflictVersionMismatch,
        "It was changed by someone else since it was read. Read it again and decide anew.",
    )
    .with("operation", entry.public_name.as_str())
    .with("if_match", seen)
    .with("current_etag", there)
}

/// It has no version to compare.
pub fn no_version(entry: &Entry) -> Failure {
    Failure::new(
        Code::ValidationInvalidValue,
        "Parameter 'if_match' cannot be used: the API gives no version of this resource. Leave it out.",
    )
    .with("operation", entry.public_name.as_str())
    .with("param_name", "if_match")
}
