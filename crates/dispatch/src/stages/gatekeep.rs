//! Asks the gatekeeper: a checked request in; out, the same with what was decided, and the permit for its first request; or the
//! reason why it may not run.
//!
//! Without a permit there is no `Permitted`, and without that no call.

use super::route::DeniedRequest;
use super::validate::CheckedRequest;
use crate::context::CallContext;
use crate::{failure_map, update};
use aqueduct_operations::call::CallOrigin;
use aqueduct_operations::failure::Failure;
use aqueduct_operations::gatekeeper::{
    GateOutcome, GatePreview, GateRecord, GateRefusal, GateRequest, Gatekeeper, Permit, Purpose,
};
use aqueduct_operations::operation::RegistryEntry;
use std::sync::Arc;
use tracing::Span;

/// A checked request that may run, and what was decided about it.
pub struct Permitted<'a> {
    checked: CheckedRequest<'a>,
    record: GateRecord<'a>,
}

/// Something that was admitted, and the permit for the first request that is sent of it.
pub struct Admitted<'p, T> {
    pub request: T,
    pub permit: Permit<'p>,
}

impl<'a> Permitted<'a> {
    /// The request.
    pub fn checked(&self) -> &CheckedRequest<'a> {
        &self.checked
    }
}

/// Asks for a permit to run the request, which is for the first that is sent; `caller` is the call that makes it on its way, where
/// one does.
pub async fn gatekeep<'a>(
    context: &CallContext<'a>,
    checked: CheckedRequest<'a>,
    purpose: Purpose,
    caller: Option<&RegistryEntry>,
) -> Result<Admitted<'a, Permitted<'a>>, Failure> {
    let request = request(&checked, context, purpose);
    let admitted = context.dispatcher.gatekeeper.admit(request, checked.token.as_deref()).await;
    if caller.is_none() {
        let outcome = admitted.as_ref().map_or_else(GateRefusal::outcome, |permit| permit.record().outcome());
        context.gate.get_or_init(|| logged(outcome));
    }
    match admitted {
        Ok(permit) => {
            let record = permit.record().clone();
            Ok(Admitted { request: Permitted { checked, record }, permit })
        }
        Err(refusal) => Err(match caller {
            None => failure_map::refused(&checked, refusal),
            Some(call) => failure_map::refused_subrequest(&checked, refusal, call),
        }),
    }
}

/// Asks for a permit to send a further request of a call that may run.
pub fn further<'a>(
    context: &CallContext<'_>,
    permitted: &Permitted<'a>,
    purpose: Purpose,
) -> Result<Permit<'a>, Failure> {
    let admitted = context.dispatcher.gatekeeper.admit_further(&permitted.record, purpose);
    admitted.map_err(|refusal| failure_map::refused(&permitted.checked, refusal))
}

/// Has the gatekeeper refuse a request whose operation is denied to everyone, with the parameters as they were sent.
pub fn deny(gatekeeper: &Gatekeeper, denied: &DeniedRequest<'_>, origin: &CallOrigin) -> GateOutcome {
    let DeniedRequest { entry, rule, denial, params } = denied;
    let request = GateRequest {
        entry,
        values: Arc::clone(params),
        session: &origin.session,
        caller: &origin.caller,
        scopes: &origin.scopes,
        purpose: Purpose::Call,
        reads_first: None,
    };
    logged(gatekeeper.deny(request, (*rule).clone(), (*denial).clone()).outcome())
}

/// Writes what was decided about a call into the log of calls, at once: the call may be cancelled.
fn logged(outcome: GateOutcome) -> GateOutcome {
    Span::current().record("gate", outcome.name());
    outcome
}

/// The decision on a request that is only previewed.
pub fn preview(context: &CallContext<'_>, checked: &CheckedRequest<'_>) -> GatePreview {
    context.dispatcher.gatekeeper.preview(&request(checked, context, Purpose::Call))
}

fn request<'a>(checked: &CheckedRequest<'a>, context: &CallContext<'a>, purpose: Purpose) -> GateRequest<'a> {
    GateRequest {
        entry: checked.entry,
        values: Arc::clone(&checked.values),
        session: &context.origin.session,
        caller: &context.origin.caller,
        scopes: &context.origin.scopes,
        purpose,
        reads_first: update::reader_of(context.catalog, checked.entry).map(|(_, entry)| entry),
    }
}
