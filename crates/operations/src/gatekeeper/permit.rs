//! Permits: the proof that a request may be sent.
//!
//! A `Permit` is for one request of a call. Its fields are private and only the gatekeeper makes it; whatever sends takes one and
//! uses it up. What was decided stays in its record. What no client requested has permits of other types, none of which can be
//! turned into this one.

use super::confirmations::ConfirmedCall;
use super::gate_record::GateRecord;
use crate::operation::Operation;
use serde_json::{Map, Value};
use std::sync::Arc;

/// The permit to send one request. The sender takes the permit by value, so that there is one sending for one permit:
/// retries and redirects are part of it, and every further request of the call needs a permit of its own.
///
/// Nothing but the gatekeeper makes one, and neither it nor its record can be put together:
///
/// ```compile_fail,E0451
/// use aqueduct_operations::gatekeeper::{GateRecord, Permit};
///
/// fn forged<'a>(record: GateRecord<'a>) -> Permit<'a> {
///     Permit { record, confirmed: None }
/// }
/// ```
///
/// ```compile_fail,E0451
/// use aqueduct_operations::gatekeeper::{GateOutcome, GateRecord};
///
/// fn forged<'a>(record: GateRecord<'a>) -> GateRecord<'a> {
///     GateRecord { outcome: GateOutcome::Confirmed, ..record }
/// }
/// ```
///
/// Nor is one copied. Nor is it used again, which is shown where it is taken ([`run_handler`](crate::handler::run_handler)):
///
/// ```compile_fail,E0308
/// use aqueduct_operations::gatekeeper::Permit;
///
/// fn copied<'a>(permit: &Permit<'a>) -> Permit<'a> {
///     permit.clone()
/// }
/// ```
///
/// It is what [`Gatekeeper::admit`](super::Gatekeeper::admit) gives, and what was decided outlives it:
///
/// ```
/// use aqueduct_operations::gatekeeper::{ConfirmationInput, GateRecord, GateRequest, Gatekeeper};
/// use aqueduct_operations::handler::{HandlerValues, run_handler};
///
/// async fn judged<'a>(gatekeeper: &Gatekeeper, request: GateRequest<'a>) -> GateRecord<'a> {
///     let values = HandlerValues::of_call(&request.values);
///     match gatekeeper.admit(request, ConfirmationInput::none()).await {
///         Ok(permit) => {
///             let record = permit.record().clone();
///             let _ = run_handler(permit, &values, None, None).await;
///             record
///         }
///         Err(refused) => refused.record,
///     }
/// }
/// ```
#[must_use = "a permit is for sending one request"]
#[derive(Debug)]
pub struct Permit<'a> {
    record: GateRecord<'a>,
    confirmed: Option<ConfirmedCall>,
}

impl<'a> Permit<'a> {
    /// For a request that was judged so.
    pub(super) fn new(record: GateRecord<'a>) -> Permit<'a> {
        Permit { record, confirmed: None }
    }

    /// For the first request of a call whose end is reported.
    pub(super) fn tracked(record: GateRecord<'a>, call: ConfirmedCall) -> Permit<'a> {
        Permit { record, confirmed: Some(call) }
    }

    /// The call that this permit begins, where its end is reported, for the code that reports its end; what is left here ends with the permit.
    pub fn take_confirmed(&mut self) -> Option<ConfirmedCall> {
        self.confirmed.take()
    }

    /// What was decided.
    pub fn record(&self) -> &GateRecord<'a> {
        &self.record
    }

    /// True when it is for this operation with these very values, not for others that look alike.
    pub fn covers(&self, operation: &Operation, values: &Arc<Map<String, Value>>) -> bool {
        self.record.is_of(operation, values)
    }
}
