//! Failures of an upstream in the log, at a level that is written unless the operator says otherwise: which operation, which
//! status, and the upstream's own words; and requests that were not sent, for which no upstream is to blame.
//!
//! A failure in, one line in the log out. Its message has been redacted and is one line; what the caller sent is taken out of it
//! as well, for an upstream may quote it, and no value of a parameter is ever logged.

use aqueduct_operations::failure::Failure;
use aqueduct_operations::gatekeeper::GateRecord;
use aqueduct_operations::sanitize::one_line;
use aqueduct_upstream::without_sent;

/// Logs that a limit or a quota kept a request from being sent; gives the failure back.
pub fn not_sent(record: &GateRecord<'_>, failure: Failure) -> Failure {
    let words = one_line(&without_sent(&failure.message, record.values()));
    tracing::warn!(
        target: "aqueduct::unsent",
        operation = record.entry().public_name,
        source = record.entry().source.name,
        caller = record.caller().name(),
        session = %record.session(),
        code = failure.code.name(),
        words,
        "a request was not sent"
    );
    failure
}

/// Logs that the upstream failed a call, with its status where it has one; gives the failure back.
pub fn failed(record: &GateRecord<'_>, status: Option<u16>, failure: Failure) -> Failure {
    let words = one_line(&without_sent(&failure.message, record.values()));
    tracing::warn!(
        target: "aqueduct::upstream",
        operation = record.entry().public_name,
        source = record.entry().source.name,
        caller = record.caller().name(),
        session = %record.session(),
        status,
        code = failure.code.name(),
        words,
        "a call of the upstream failed"
    );
    failure
}
