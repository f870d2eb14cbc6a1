//! Failures of an upstream in the log, at a level that is written unless the operator says otherwise: which operation, which
//! status, and the upstream's own words.
//!
//! A failure in, one line in the log out. Its message has been redacted and is one line; what the caller sent is taken out of it
//! as well, for an upstream may quote it, and no value of a parameter is ever logged.

use aqueduct_operations::failure::Failure;
use aqueduct_operations::gatekeeper::Permit;
use aqueduct_operations::visible::one_line;
use aqueduct_upstream::without_sent;

/// Logs that the upstream failed a call, with its status where it has one; gives the failure back.
pub fn failed(permit: &Permit<'_>, status: Option<u16>, failure: Failure) -> Failure {
    let words = one_line(&without_sent(&failure.message, permit.values()));
    tracing::warn!(
        target: "aqueduct::upstream",
        operation = permit.entry().public_name,
        source = permit.entry().source.name,
        caller = permit.caller().name(),
        session = %permit.session(),
        status,
        code = failure.code.name(),
        words,
        "a call of the upstream failed"
    );
    failure
}
