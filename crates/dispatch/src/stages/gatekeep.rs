//! Asks the gatekeeper: a checked request in; out, the same with a permit, or with the reason why it may not run.
//!
//! Without a permit there is no `Permitted`, and without that no call.

use super::validate::CheckedRequest;
use crate::context::CallContext;
use crate::update;
use aqueduct_operations::gatekeeper::{GateRefusal, GateRequest, Permit, Purpose};
use std::sync::Arc;

/// A checked request that may run.
pub struct Permitted<'a> {
    checked: CheckedRequest<'a>,
    permit: Permit<'a>,
}

impl<'a> Permitted<'a> {
    /// The request.
    pub fn checked(&self) -> &CheckedRequest<'a> {
        &self.checked
    }

    /// The permit for its first request.
    pub fn permit(&self) -> &Permit<'a> {
        &self.permit
    }
}

/// A checked request that may not run, or not yet.
pub struct Refused<'a> {
    /// The request.
    pub checked: CheckedRequest<'a>,
    /// Why.
    pub refusal: GateRefusal,
}

/// Asks for a permit to run the request.
pub async fn gatekeep<'a>(
    context: &CallContext<'a>,
    checked: CheckedRequest<'a>,
    purpose: Purpose,
) -> Result<Permitted<'a>, Box<Refused<'a>>> {
    let request = request(&checked, context, purpose);
    match context.gatekeeper.admit(request, checked.token.as_deref()).await {
        Ok(permit) => Ok(Permitted { checked, permit }),
        Err(refusal) => Err(Box::new(Refused { checked, refusal })),
    }
}

/// Asks for a permit to send a further request of a call that may run.
pub fn further<'a>(
    context: &CallContext<'_>,
    permitted: &Permitted<'a>,
    purpose: Purpose,
) -> Result<Permit<'a>, GateRefusal> {
    context.gatekeeper.admit_further(&permitted.permit, purpose)
}

/// The decision on a request that is only previewed.
pub fn preview(context: &CallContext<'_>, checked: &CheckedRequest<'_>) -> &'static str {
    context.gatekeeper.preview(&request(checked, context, Purpose::Call))
}

fn request<'a>(checked: &CheckedRequest<'a>, context: &CallContext<'a>, purpose: Purpose) -> GateRequest<'a> {
    GateRequest {
        entry: checked.entry,
        values: Arc::clone(&checked.values),
        session: context.session,
        caller: context.caller,
        scopes: context.scopes,
        purpose,
        reads_first: update::reader_of(context.catalog, checked.entry).map(|(_, entry, _)| entry),
    }
}
