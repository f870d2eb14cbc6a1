//! Asks the gatekeeper: a checked request in; out, the same with a permit, or with the reason why it may not run.
//!
//! Without a permit there is no `Permitted`, and without that no call.

use super::validate::CheckedRequest;
use crate::context::CallContext;
use crate::update;
use aqueduct_safety::gatekeeper::{GateRefusal, GateRequest, Permit, Purpose};

/// A checked request that may run.
pub struct Permitted<'a> {
    checked: CheckedRequest<'a>,
    permit: Permit,
}

impl<'a> Permitted<'a> {
    /// The request.
    pub fn checked(&self) -> &CheckedRequest<'a> {
        &self.checked
    }
}

/// A checked request that may not run, or not yet.
pub struct Refused<'a> {
    /// The request.
    pub checked: CheckedRequest<'a>,
    /// Why.
    pub refusal: GateRefusal,
}

/// Asks for leave to run the request.
pub fn gatekeep<'a>(
    context: &CallContext<'_>,
    checked: CheckedRequest<'a>,
    purpose: Purpose,
) -> Result<Permitted<'a>, Box<Refused<'a>>> {
    match context.gatekeeper.admit(application(&checked, context, purpose)) {
        Ok(permit) => Ok(Permitted { checked, permit }),
        Err(refusal) => Err(Box::new(Refused { checked, refusal })),
    }
}

/// Asks for leave to send a further request of a call that may run.
pub fn further(
    context: &CallContext<'_>,
    permitted: &Permitted<'_>,
    purpose: Purpose,
) -> Result<(), GateRefusal> {
    let application = application(&permitted.checked, context, purpose);
    context.gatekeeper.admit_further(&permitted.permit, application).map(|_permit| ())
}

/// What would be decided about a request.
pub fn would_say(context: &CallContext<'_>, checked: &CheckedRequest<'_>) -> &'static str {
    context.gatekeeper.would_say(&application(checked, context, Purpose::Call))
}

fn application<'a>(
    checked: &'a CheckedRequest<'_>,
    context: &CallContext<'a>,
    purpose: Purpose,
) -> GateRequest<'a> {
    GateRequest {
        entry: checked.entry,
        standing: checked.standing,
        values: &checked.values,
        session: context.session,
        scopes: context.scopes,
        token: checked.token.as_deref(),
        purpose,
        reads_first: update::reader_of(context.catalog, checked.entry).map(|(_, entry, _)| entry),
    }
}
