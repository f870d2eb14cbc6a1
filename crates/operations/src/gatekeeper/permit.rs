//! Permits: the proof that a request may be sent.
//!
//! A `Permit` is for one request of a call. Its fields are private and only the gatekeeper makes it; whatever sends takes one and
//! uses it up. What was decided stays in its record. What no client requested has permits of other types, none of which can be
//! turned into this one.

use super::gate_record::GateRecord;
use crate::handler::{Boxed, Elicitor, Envelope, HandlerCall, HandlerError, HandlerProgress};
use crate::operation::Operation;
use crate::target::Target;
use serde_json::{Map, Value};
use std::future::ready;
use std::sync::Arc;

/// The permit to send one request. Whoever sends it takes the permit by value, so that there is one sending for one permit:
/// retries and redirects are part of it, and every further request of the call needs a permit of its own.
///
/// Nothing but the gatekeeper makes one, and neither it nor its record can be put together:
///
/// ```compile_fail,E0451
/// use aqueduct_operations::gatekeeper::{GateRecord, Permit};
///
/// fn forged<'a>(record: GateRecord<'a>) -> Permit<'a> {
///     Permit { record }
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
/// Nor is one copied, or used again:
///
/// ```compile_fail,E0308
/// use aqueduct_operations::gatekeeper::Permit;
///
/// fn copied<'a>(permit: &Permit<'a>) -> Permit<'a> {
///     permit.clone()
/// }
/// ```
///
/// ```compile_fail,E0382
/// use aqueduct_operations::gatekeeper::Permit;
/// use serde_json::{Map, Value};
///
/// async fn used_twice(permit: Permit<'_>, values: &Map<String, Value>) {
///     let _ = permit.run_handler(values, None, None).await;
///     let _ = permit.run_handler(values, None, None).await;
/// }
/// ```
///
/// It is what [`Gatekeeper::admit`](super::Gatekeeper::admit) gives, and what was decided outlives it:
///
/// ```
/// use aqueduct_operations::gatekeeper::{GateRecord, GateRefusal, GateRequest, Gatekeeper};
///
/// async fn judged<'a>(gatekeeper: &Gatekeeper, request: GateRequest<'a>) -> Result<GateRecord<'a>, GateRefusal> {
///     let permit = gatekeeper.admit(request, None).await?;
///     let record = permit.record().clone();
///     let _ = permit.run_handler(record.values(), None, None).await;
///     Ok(record)
/// }
/// ```
#[must_use = "a permit is for sending one request"]
#[derive(Debug)]
pub struct Permit<'a> {
    record: GateRecord<'a>,
}

impl<'a> Permit<'a> {
    /// For a request that was judged so.
    pub(super) fn new(record: GateRecord<'a>) -> Permit<'a> {
        Permit { record }
    }

    /// What was decided.
    pub fn record(&self) -> &GateRecord<'a> {
        &self.record
    }

    /// True when it is for this operation with these very values, not for others that look alike.
    pub fn covers(&self, operation: &Operation, values: &Arc<Map<String, Value>>) -> bool {
        self.record.is_of(operation, values)
    }

    /// Runs the handler of the operation, with the values that were judged or with those of one page of it. Dropping the
    /// future cancels the run.
    pub fn run_handler<'r>(
        self,
        values: &'r Map<String, Value>,
        listener: Option<Arc<dyn HandlerProgress>>,
        asker: Option<Arc<dyn Elicitor>>,
    ) -> Boxed<'r, Result<Envelope, HandlerError>>
    where
        'a: 'r,
    {
        match &self.record.operation().target {
            Target::Handler(target) => target.run(HandlerCall::permitted(self, values, listener, asker)),
            Target::Http(_) | Target::BuiltIn(_) => {
                Box::pin(ready(Err(HandlerError::failed("the operation has no handler"))))
            }
        }
    }
}
