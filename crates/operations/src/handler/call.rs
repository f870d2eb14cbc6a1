//! One run of a handler, with the permit that it came by.
//!
//! Permits make it (`Permit::run_handler`, `ProgramPermit::run_handler`); the handler takes the values out of it, or hands it on
//! whole to the one handler that it stands before.

use super::{Boxed, Elicitor, Envelope, HandlerError, HandlerProgress, SealedHandler};
use crate::call::{Caller, SessionId};
use crate::gatekeeper::{Permit, ProgramPermit};
use serde_json::{Map, Value};
use std::sync::Arc;

/// One run: the values, and the permit for it. There is none without a permit.
///
/// ```compile_fail,E0451
/// use aqueduct_operations::handler::HandlerCall;
/// use serde_json::{Map, Value};
///
/// fn without_permit<'a>(call: HandlerCall<'a>, values: &'a Map<String, Value>) -> HandlerCall<'a> {
///     HandlerCall { values, ..call }
/// }
/// ```
///
/// A permit runs the handler of its own operation, and makes no call for another one:
///
/// ```compile_fail,E0624
/// use aqueduct_operations::gatekeeper::Permit;
/// use aqueduct_operations::handler::HandlerCall;
/// use serde_json::{Map, Value};
///
/// fn call_of<'a>(permit: Permit<'a>, values: &'a Map<String, Value>) -> HandlerCall<'a> {
///     HandlerCall::permitted(permit, values, None, None)
/// }
/// ```
#[derive(Debug)]
pub struct HandlerCall<'a> {
    /// Value by parameter name, defaults filled in.
    pub values: &'a Map<String, Value>,
    /// Who receives its progress.
    pub listener: Option<Arc<dyn HandlerProgress>>,
    /// Whom to ask questions while it runs.
    pub asker: Option<Arc<dyn Elicitor>>,
    permit: HandlerPermit<'a>,
}

#[derive(Debug)]
pub(crate) enum HandlerPermit<'a> {
    Call(Permit<'a>),
    Program(ProgramPermit<'a, SealedHandler>),
}

impl<'a> From<Permit<'a>> for HandlerPermit<'a> {
    fn from(permit: Permit<'a>) -> HandlerPermit<'a> {
        HandlerPermit::Call(permit)
    }
}

impl<'a> From<ProgramPermit<'a, SealedHandler>> for HandlerPermit<'a> {
    fn from(permit: ProgramPermit<'a, SealedHandler>) -> HandlerPermit<'a> {
        HandlerPermit::Program(permit)
    }
}

impl<'a> HandlerCall<'a> {
    /// A call by this permit.
    pub(crate) fn permitted(
        permit: impl Into<HandlerPermit<'a>>,
        values: &'a Map<String, Value>,
        listener: Option<Arc<dyn HandlerProgress>>,
        asker: Option<Arc<dyn Elicitor>>,
    ) -> HandlerCall<'a> {
        HandlerCall { values, listener, asker, permit: permit.into() }
    }

    /// Hands the call on, with the values as that handler names them: for a handler that stands before another one, and decides
    /// whether it runs or says the same in its words.
    ///
    /// ```
    /// use aqueduct_operations::handler::{Boxed, Envelope, HandlerCall, HandlerError, SealedHandler};
    ///
    /// fn before<'a>(inner: &'a SealedHandler, call: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
    ///     let values = call.values;
    ///     call.delegate(inner, values)
    /// }
    /// ```
    pub fn delegate<'b>(
        self,
        to: &'b SealedHandler,
        values: &'b Map<String, Value>,
    ) -> Boxed<'b, Result<Envelope, HandlerError>>
    where
        'a: 'b,
    {
        to.run(HandlerCall { values, ..self })
    }

    /// The session it belongs to.
    pub fn session(&self) -> &SessionId {
        match &self.permit {
            HandlerPermit::Call(permit) => permit.record().session(),
            HandlerPermit::Program(permit) => permit.session(),
        }
    }

    /// Who sends it.
    pub fn caller(&self) -> &Caller {
        match &self.permit {
            HandlerPermit::Call(permit) => permit.record().caller(),
            HandlerPermit::Program(permit) => permit.caller(),
        }
    }
}
