//! Asks the gatekeeper: a checked request in; out, the same with what was decided, and the permit for its first request; or the
//! reason why it may not run.
//!
//! Without a permit there is no `Permitted`, and without that no call. `person` asks the one behind the client, where that is set.

mod person;

use super::call::PreparedCall;
use super::meter;
use super::route::DeniedRequest;
use super::validate::CheckedRequest;
use crate::context::CallContext;
use crate::observe::CallRecord;
use crate::{failure_map, update};
use aqueduct_operations::call::CallOrigin;
use aqueduct_operations::failure::Failure;
use aqueduct_operations::gatekeeper::PushedParam;
use aqueduct_operations::gatekeeper::{
    ConfirmationInput, ConfirmedCall, GatePreview, GateRecord, GateRequest, Gatekeeper, Permit, PlannedCall,
    Purpose, RefusedRequest,
};
use aqueduct_operations::operation::RegistryEntry;
pub use person::ask_about_plan;
use serde_json::{Value, json};
use std::sync::Arc;

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

impl<'a> Admitted<'a, Permitted<'a>> {
    fn new(checked: CheckedRequest<'a>, permit: Permit<'a>) -> Admitted<'a, Permitted<'a>> {
        Admitted { request: Permitted { checked, record: permit.record().clone() }, permit }
    }
}

impl<'a> Permitted<'a> {
    /// The request.
    pub fn checked(&self) -> &CheckedRequest<'a> {
        &self.checked
    }

    /// The parameters that controls are turned into, as they were judged.
    pub fn pushed(&self) -> &[PushedParam] {
        self.record.pushed()
    }
}

/// Asks for a permit to run a call, which is for the first request that is sent of it. What is decided goes into the record of
/// the call.
pub async fn gatekeep<'a>(
    context: &CallContext<'a>,
    checked: CheckedRequest<'a>,
    prepared: &PreparedCall<'a>,
    call_record: &CallRecord<'a>,
) -> Result<Admitted<'a, Permitted<'a>>, Failure> {
    let admitted = admit(context, &checked, prepared, Purpose::Call).await;
    call_record.decided(admitted.as_ref().map_or_else(|refused| &refused.record, Permit::record));
    match admitted {
        Ok(mut permit) => {
            call_record.confirmed(permit.take_confirmed());
            Ok(Admitted::new(checked, permit))
        }
        Err(refused) => Err(failure_map::refused(&checked, refused.refusal)),
    }
}

/// The same for what a call of `caller` needs on its way.
pub async fn gatekeep_subrequest<'a>(
    context: &CallContext<'a>,
    checked: CheckedRequest<'a>,
    purpose: Purpose,
    caller: &RegistryEntry,
) -> Result<Admitted<'a, Permitted<'a>>, Failure> {
    let request = GateRequest { purpose, ..request(&checked, context) };
    match context.dispatcher.gatekeeper.admit(request, ConfirmationInput::none()).await {
        Ok(permit) => Ok(Admitted::new(checked, permit)),
        Err(refused) => Err(failure_map::refused_subrequest(&checked, refused.refusal, caller)),
    }
}

/// The same for a step that a call of `caller` asks for by itself, which a person may have to confirm. Gives what it was confirmed by
/// too, which is told of its end.
pub async fn gatekeep_step<'a>(
    context: &CallContext<'a>,
    checked: CheckedRequest<'a>,
    prepared: &PreparedCall<'a>,
    caller: &RegistryEntry,
) -> Result<(Admitted<'a, Permitted<'a>>, Option<ConfirmedCall>), Failure> {
    let admitted = admit(context, &checked, prepared, Purpose::Step).await;
    match admitted {
        Ok(mut permit) => {
            let confirmed = permit.take_confirmed();
            Ok((Admitted::new(checked, permit), confirmed))
        }
        Err(refused) => Err(failure_map::refused_subrequest(&checked, refused.refusal, caller)),
    }
}

/// Asks for a permit, and the person behind the client where a confirmation is needed and that is set.
async fn admit<'a>(
    context: &CallContext<'a>,
    checked: &CheckedRequest<'a>,
    prepared: &PreparedCall<'a>,
    purpose: Purpose,
) -> Result<Permit<'a>, Box<RefusedRequest<'a>>> {
    let shown = || shown(context, checked, prepared);
    let given = ConfirmationInput {
        token: checked.token.as_deref(),
        approver: checked.approver,
        asks_person: person::is_asked(context),
        shown: &shown,
    };
    let request = GateRequest { purpose, ..request(checked, context) };
    match context.dispatcher.gatekeeper.admit(request.clone(), given).await {
        Err(refused) => Box::pin(person::ask(context, request, *refused, &shown)).await,
        admitted => admitted,
    }
}

/// Judges a call of a plan before anything runs: nothing when it needs no yes, or the reason why it may not run at all.
pub fn foresee<'a>(
    context: &CallContext<'a>,
    checked: &CheckedRequest<'a>,
    prepared: &PreparedCall<'a>,
) -> Result<Option<PlannedCall<'a>>, Failure> {
    match context.dispatcher.gatekeeper.foresee(request(checked, context)) {
        Ok(planned) => Ok(planned.map(|planned| planned.shown_as(shown(context, checked, prepared)))),
        Err(refused) => Err(failure_map::refused(checked, refused.refusal)),
    }
}

/// What the person who confirms is shown of a call: the operation, its values, and what would be sent; secrets are hidden,
/// and nothing is cut.
fn shown(context: &CallContext<'_>, checked: &CheckedRequest<'_>, prepared: &PreparedCall<'_>) -> Value {
    let request = match prepared {
        PreparedCall::Http(_, prepared) => context.dispatcher.upstream.preview(prepared),
        PreparedCall::Handler(target) => target.preview(&failure_map::hiding_secrets(checked)),
        PreparedCall::BuiltIn(_) => Value::Null,
    };
    json!({
        "operation": checked.entry.public_name,
        "source": checked.entry.source.name,
        "params": failure_map::whole_params(checked),
        "request": request,
    })
}

/// Asks for a permit to send a further request of a call that may run.
pub fn further<'a>(
    context: &CallContext<'_>,
    permitted: &Permitted<'a>,
    purpose: Purpose,
) -> Result<Permit<'a>, Failure> {
    let admitted = context.dispatcher.gatekeeper.admit_further(&permitted.record, purpose);
    admitted.map_err(|refused| failure_map::refused(&permitted.checked, refused.refusal))
}

/// Has the gatekeeper refuse a request whose operation is denied to everyone, with the parameters as they were sent.
pub fn deny<'a>(
    gatekeeper: &Gatekeeper,
    denied: &DeniedRequest<'a>,
    origin: &'a CallOrigin,
) -> GateRecord<'a> {
    let DeniedRequest { entry, rule, params, .. } = denied;
    gatekeeper.deny(GateRequest::new(entry, Arc::clone(params), origin), (*rule).clone())
}

/// The decision on a request that is only previewed.
pub fn preview(context: &CallContext<'_>, checked: &CheckedRequest<'_>) -> GatePreview {
    context.dispatcher.gatekeeper.preview(&request(checked, context))
}

fn request<'a>(checked: &CheckedRequest<'a>, context: &CallContext<'a>) -> GateRequest<'a> {
    GateRequest {
        pushed: Arc::clone(&checked.pushed),
        controls: checked.controls.all().map(|(control, value)| (control.name(), value.clone())).collect(),
        agent: checked.agent.as_deref().map(Arc::from),
        reads_first: update::reader_of(context.catalog, checked.entry).map(|(_, entry)| entry),
        meter: meter::meter(context, checked),
        ..GateRequest::new(checked.entry, Arc::clone(&checked.values), context.origin)
    }
}
