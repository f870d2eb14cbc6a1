//! Updates of something that is not what the client has seen any more (core specification, section 9.3.2).
//! The update and what stood in its way in, a failure out: nothing was written.

use super::of_operation;
use aqueduct_operations::failure::{Code, Failure, wording};
use aqueduct_operations::operation::RegistryEntry;

/// It was changed since.
pub fn version_mismatch(entry: &RegistryEntry, seen: &str, there: &str) -> Failure {
    const MESSAGE: &str = "It was changed by someone else since it was read. Read it again and decide anew.";
    of_operation(entry, Code::ConflictVersionMismatch, MESSAGE)
        .with("if_match", wording::shortened(seen, 100))
        .with("current_etag", there)
}

/// What is there could not be read, so that nothing was written over it.
pub fn unread(mut failure: Failure, update: &RegistryEntry, read: &RegistryEntry) -> Failure {
    failure.message =
        format!("Nothing was written, because the present state could not be read. {}", failure.message);
    failure.with("operation", update.public_name.as_str()).with("needs", read.public_name.as_str())
}

/// What is there is no object, so nothing can be merged into it.
pub fn nothing_to_merge(update: &RegistryEntry, read: &RegistryEntry) -> Failure {
    let message = format!(
        "Nothing was written: '{}' gave no object to merge the changes into. Its source has to be corrected.",
        read.public_name
    );
    of_operation(update, Code::ProtocolInvalidMapping, message).with("needs", read.public_name.as_str())
}

/// It has no version to compare.
pub fn no_version(entry: &RegistryEntry) -> Failure {
    const MESSAGE: &str =
        "Parameter 'if_match' cannot be used: the API gives no version of this resource. Leave it out.";
    of_operation(entry, Code::ValidationInvalidValue, MESSAGE).with("param_name", "if_match")
}
