//! Permits for tests: an operation goes in, what the gatekeeper gives for a call of it comes out.
//!
//! They come from a real gatekeeper, whose person says yes to everything: there is no other way to make one.

use aqueduct_operations::call::{CallOrigin, SessionId};
use aqueduct_operations::gatekeeper::{
    AskFailure, AskOutcome, ConfirmationInput, Confirmations, ConfirmedCall, GateRequest, Gatekeeper,
    IssuedToken, Permit, PlanAskOutcome, Question, TokenRefusal,
};
use aqueduct_operations::handler::Boxed;
use aqueduct_operations::operation::{Operation, RegistryEntry};
use aqueduct_operations::rate_limits::metering::{
    LimitRefusal, PauseHandler, PausedQuota, QuotaWarning, RequestMeter,
};
use aqueduct_operations::source::Source;
use serde_json::{Map, Value};
use std::future::ready;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

/// An operation of a source that is trusted with everything, and who calls it.
pub struct PermittedOperation {
    entry: RegistryEntry,
    origin: CallOrigin,
}

impl PermittedOperation {
    /// This operation.
    pub fn new(operation: &Operation) -> PermittedOperation {
        PermittedOperation::of_entry(RegistryEntry {
            public_name: operation.name.clone(),
            operation: Arc::new(operation.clone()),
            source: Arc::new(Source::built_in()),
        })
    }

    /// The operation of this entry, which its source is trusted with.
    pub fn of_entry(entry: RegistryEntry) -> PermittedOperation {
        PermittedOperation { entry, origin: CallOrigin::local(SessionId::new("test")) }
    }

    /// The operation: a request that is sent with a permit is made of this one.
    pub fn operation(&self) -> &Operation {
        &self.entry.operation
    }

    /// The permit for a call with these values.
    ///
    /// # Panics
    /// When the gatekeeper refuses: a mistake of the test.
    pub fn permit(&self, values: &Arc<Map<String, Value>>) -> Permit<'_> {
        self.permit_with(values, None)
    }

    /// The same, and what is sent with it asks this meter.
    ///
    /// # Panics
    /// When the gatekeeper refuses: a mistake of the test.
    pub fn permit_with(
        &self,
        values: &Arc<Map<String, Value>>,
        meter: Option<Arc<dyn RequestMeter>>,
    ) -> Permit<'_> {
        let request =
            GateRequest { meter, ..GateRequest::new(&self.entry, Arc::clone(values), &self.origin) };
        let gatekeeper = Gatekeeper::new(Arc::new(AlwaysConfirmed));
        match pin!(
            gatekeeper.admit(request, ConfirmationInput { token: Some("yes"), ..ConfirmationInput::none() })
        )
        .poll(&mut Context::from_waker(Waker::noop()))
        {
            Poll::Ready(Ok(permit)) => permit,
            refused => panic!("{refused:?}"),
        }
    }
}

/// A person who says yes to everything.
#[derive(Debug)]
struct AlwaysConfirmed;

impl Confirmations for AlwaysConfirmed {
    fn gives_tokens(&self) -> bool {
        true
    }

    fn ask<'a>(&'a self, _: &'a Question<'a>) -> Boxed<'a, Result<AskOutcome, AskFailure>> {
        Box::pin(ready(Ok(AskOutcome::Approved(ConfirmedCall::untracked()))))
    }

    fn redeem<'a>(
        &'a self,
        _: &'a str,
        _: &'a Question<'a>,
    ) -> Boxed<'a, Result<ConfirmedCall, TokenRefusal>> {
        Box::pin(ready(Ok(ConfirmedCall::untracked())))
    }

    fn ask_to_continue<'a>(
        &'a self,
        _: &'a Question<'a>,
    ) -> Boxed<'a, Result<Option<IssuedToken>, AskFailure>> {
        Box::pin(ready(Ok(None)))
    }

    fn ask_plan<'a>(&'a self, _: &'a [Question<'a>]) -> Boxed<'a, Result<PlanAskOutcome, AskFailure>> {
        Box::pin(ready(Ok(PlanAskOutcome::Approved)))
    }

    fn check_plan<'a>(&'a self, _: &'a str, _: &'a [Question<'a>]) -> Boxed<'a, Result<(), TokenRefusal>> {
        Box::pin(ready(Ok(())))
    }

    fn end_session(&self, _: &SessionId) {}
}

/// Stands where a quota may pause in a test in which none does.
#[derive(Debug)]
pub struct NoPause;

impl PauseHandler for NoPause {
    fn goes_on(&self) -> bool {
        false
    }

    fn decide<'a>(&'a self, _: &'a PausedQuota) -> Boxed<'a, Result<(), Box<LimitRefusal>>> {
        Box::pin(ready(Ok(())))
    }

    fn warn(&self, _: QuotaWarning) {}
}
