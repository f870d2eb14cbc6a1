//! One run of a handler, with the permit that it came by.
//!
//! A permit and the values of a run in, the envelope of the handler out. The handler takes the values out of its call, or hands
//! the call on whole to the one handler that it stands before.

use super::{Boxed, Elicitor, Envelope, HandlerError, HandlerProgress, SealedHandler};
use crate::call::{Caller, SessionId};
use crate::gatekeeper::{Permit, ProgramPermit, SendPermit};
use crate::rate_limits::metering::MeteredRequests;
use crate::target::Target;
use serde_json::{Map, Value};
use std::future::ready;
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
/// A permit runs the handler of its own operation with [`run_handler`], and makes no call for another one:
///
/// ```compile_fail,E0451
/// use aqueduct_operations::handler::{HandlerCall, HandlerPermit};
/// use serde_json::{Map, Value};
///
/// fn call_of<'a>(permit: HandlerPermit<'a>, values: &'a Map<String, Value>) -> HandlerCall<'a> {
///     HandlerCall { values, listener: None, asker: None, requests: Default::default(), permit }
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
    requests: MeteredRequests,
    permit: HandlerPermit<'a>,
}

/// What a handler runs by.
#[derive(Debug)]
pub enum HandlerPermit<'a> {
    /// The permit of a call, for the handler of its operation.
    Call(Permit<'a>),
    /// The permit of the program, for a handler that it holds.
    Program(ProgramPermit<'a, SealedHandler>),
}

/// The values of one run of a handler: those of a call, and what one page of it adds.
#[derive(Clone)]
pub struct HandlerValues {
    judged: Arc<Map<String, Value>>,
    page: Option<Map<String, Value>>,
}

impl HandlerValues {
    /// The values of a call.
    pub fn of_call(values: &Arc<Map<String, Value>>) -> HandlerValues {
        HandlerValues { judged: Arc::clone(values), page: None }
    }

    /// The values of a call, and those by which a page of it is fetched: where it begins, how long it is, and what controls are
    /// turned into.
    pub fn of_page(
        values: &Arc<Map<String, Value>>,
        added: impl IntoIterator<Item = (String, Value)>,
    ) -> HandlerValues {
        let mut added = added.into_iter().peekable();
        let page = added.peek().is_some().then(|| {
            let mut page = Map::clone(values);
            page.extend(added);
            page
        });
        HandlerValues { judged: Arc::clone(values), page }
    }

    /// All of them, by name.
    pub fn get(&self) -> &Map<String, Value> {
        self.page.as_ref().unwrap_or(&self.judged)
    }
}

/// Runs a handler once: that of the permit's operation, or the one that the program's permit is for. Dropping the future cancels
/// the run. A permit of a call is refused for values that were not judged with it.
///
/// It is used up by it:
///
/// ```compile_fail,E0382
/// use aqueduct_operations::gatekeeper::Permit;
/// use aqueduct_operations::handler::{HandlerValues, run_handler};
///
/// async fn used_twice(permit: Permit<'_>, values: &HandlerValues) {
///     let _ = run_handler(permit, values, None, None).await;
///     let _ = run_handler(permit, values, None, None).await;
/// }
/// ```
///
/// Values that are no call's are none of a run:
///
/// ```compile_fail,E0308
/// use aqueduct_operations::gatekeeper::Permit;
/// use aqueduct_operations::handler::run_handler;
/// use serde_json::{Map, Value};
///
/// async fn of_any_values(permit: Permit<'_>, values: &Map<String, Value>) {
///     let _ = run_handler(permit, values, None, None).await;
/// }
/// ```
pub fn run_handler<'r>(
    permit: impl Into<HandlerPermit<'r>>,
    values: &'r HandlerValues,
    listener: Option<Arc<dyn HandlerProgress>>,
    asker: Option<Arc<dyn Elicitor>>,
) -> Boxed<'r, Result<Envelope, HandlerError>> {
    let permit = permit.into();
    let refused = |why: &str| -> Boxed<'r, _> { Box::pin(ready(Err(HandlerError::failed(why)))) };
    let handler = match &permit {
        HandlerPermit::Program(permit) => permit.handler(),
        HandlerPermit::Call(permit) => {
            let operation = permit.record().operation();
            if !permit.covers(operation, &values.judged) {
                return refused("the permit is for other values");
            }
            match &operation.target {
                Target::Handler(target) => target.handler(),
                Target::Http(_) | Target::BuiltIn(_) => return refused("the operation has no handler"),
            }
        }
    };
    let meter = match &permit {
        HandlerPermit::Call(permit) => permit.meter().cloned(),
        HandlerPermit::Program(_) => None,
    };
    let requests = MeteredRequests::new(meter);
    if !requests.are_metered() {
        return handler.run(HandlerCall { values: values.get(), listener, asker, requests, permit });
    }
    let handler = handler.clone();
    Box::pin(async move {
        requests.begin().await.map_err(HandlerError::Limited)?;
        let call = HandlerCall { values: values.get(), listener, asker, requests: requests.clone(), permit };
        let outcome = handler.run(call).await;
        let body = outcome.as_ref().ok().map(|envelope| &envelope.data);
        requests.end(body);
        outcome
    })
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

    /// The requests of this run: the first has begun, and each further one asks here.
    pub fn requests(&self) -> &MeteredRequests {
        &self.requests
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
