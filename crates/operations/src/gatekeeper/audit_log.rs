//! The contract for the audit: what was decided about a request, kept where no one can change it unseen.
//!
//! The gatekeeper writes what no confirmation stands for: refusals, and calls of which a rule lifts the confirmation.

use super::confirmations::ConfirmedCall;
use super::gate_record::GateRecord;
use crate::handler::Boxed;
use std::fmt::Debug;

/// Keeps decisions.
pub trait AuditLog: Debug + Send + Sync {
    /// Writes, before it runs, that a call runs without a confirmation. Its caller reports how it ended.
    fn write<'a>(&'a self, record: &'a GateRecord<'_>) -> Boxed<'a, Result<ConfirmedCall, NotWritten>>;

    /// Takes a refusal, which stays one whether it is written or not.
    fn note(&self, record: &GateRecord<'_>);
}

/// Why a decision could not be written, in words that name no path or host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotWritten(pub String);
