//! A handler as everyone but its author holds it: it can be previewed and told from others, and runs by a permit alone.
//!
//! Code in; nothing that would run it out. `run_handler` runs the handler of the operation that was judged, or one that the program
//! holds itself; `HandlerCall::delegate` one that another handler stands before.

use super::{Boxed, Envelope, Handler, HandlerCall, HandlerError};
use crate::digest::Digest;
use serde_json::{Map, Value};
use std::sync::Arc;

/// A handler that no one calls past a permit.
///
/// A call that came to one handler is not for another:
///
/// ```compile_fail,E0624
/// use aqueduct_operations::handler::{Envelope, HandlerCall, HandlerError, SealedHandler};
///
/// async fn passed_on(call: HandlerCall<'_>, other: &SealedHandler) -> Result<Envelope, HandlerError> {
///     other.run(call).await
/// }
/// ```
///
/// Nor is the code behind it to be had, or that of an operation:
///
/// ```compile_fail,E0616
/// use aqueduct_operations::handler::{Handler, SealedHandler};
/// use std::sync::Arc;
///
/// fn opened(handler: SealedHandler) -> Arc<dyn Handler> {
///     handler.0
/// }
/// ```
///
/// ```compile_fail,E0616
/// use aqueduct_operations::handler::SealedHandler;
/// use aqueduct_operations::target::HandlerTarget;
///
/// fn of_operation(target: &HandlerTarget) -> &SealedHandler {
///     &target.handler
/// }
/// ```
#[derive(Debug, Clone)]
pub struct SealedHandler(Arc<dyn Handler>);

impl SealedHandler {
    /// Seals this code.
    pub fn new(handler: impl Handler + 'static) -> SealedHandler {
        SealedHandler(Arc::new(handler))
    }

    /// The request as a preview shows it, without credentials.
    pub fn preview(&self, values: &Map<String, Value>) -> Value {
        self.0.preview(values)
    }

    /// Who runs it, as [`Handler::identity`] says it.
    pub fn identity(&self) -> Option<Digest> {
        self.0.identity()
    }

    pub(crate) fn run<'a>(&'a self, call: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        self.0.run(call)
    }
}

impl<H: Handler + 'static> From<Arc<H>> for SealedHandler {
    fn from(handler: Arc<H>) -> SealedHandler {
        SealedHandler(handler)
    }
}

impl From<Arc<dyn Handler>> for SealedHandler {
    fn from(handler: Arc<dyn Handler>) -> SealedHandler {
        SealedHandler(handler)
    }
}
