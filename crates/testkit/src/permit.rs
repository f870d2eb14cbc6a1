//! Permits for tests: an operation goes in, what the gatekeeper gives for a call of it comes out.
//!
//! They come from a real gatekeeper, whose person says yes to everything: there is no other way to make one.

use aqueduct_operations::call::{Caller, Scopes, SessionId};
use aqueduct_operations::danger::DangerLevel;
use aqueduct_operations::gatekeeper::{
    Confirmations, GateRequest, Gatekeeper, IssuedToken, NoRandomness, Permit, Purpose, TokenRefusal,
    TokenScope,
};
use aqueduct_operations::handler::Boxed;
use aqueduct_operations::operation::{Operation, RegistryEntry};
use aqueduct_operations::source::Source;
use aqueduct_operations::trust::TrustLevel;
use serde_json::{Map, Value};
use std::future::ready;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

/// An operation of a source that is trusted with everything, and who calls it.
#[derive(Debug)]
pub struct PermittedOperation {
    entry: RegistryEntry,
    session: SessionId,
    caller: Caller,
    scopes: Scopes,
}

impl PermittedOperation {
    /// This operation.
    pub fn new(operation: &Operation) -> PermittedOperation {
        let source = Source {
            trust: TrustLevel::parse("official").unwrap_or_else(|| panic!("there is no such trust level")),
            ..Source::built_in()
        };
        PermittedOperation {
            entry: RegistryEntry {
                public_name: operation.name.clone(),
                operation: Arc::new(operation.clone()),
                source: Arc::new(source),
            },
            session: SessionId::new("test"),
            caller: Caller::local(),
            scopes: Scopes::unrestricted(),
        }
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
        let request = GateRequest {
            entry: &self.entry,
            values: Arc::clone(values),
            session: &self.session,
            caller: &self.caller,
            scopes: &self.scopes,
            purpose: Purpose::Call,
            reads_first: None,
        };
        let gatekeeper = Gatekeeper::new(Arc::new(AlwaysConfirmed));
        match pin!(gatekeeper.admit(request, Some("yes"))).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Ok(permit)) => permit,
            refused => panic!("{refused:?}"),
        }
    }
}

/// A person who says yes to everything.
#[derive(Debug)]
struct AlwaysConfirmed;

impl Confirmations for AlwaysConfirmed {
    fn issue<'a>(
        &'a self,
        _: &'a TokenScope,
        _: DangerLevel,
    ) -> Boxed<'a, Result<IssuedToken, NoRandomness>> {
        Box::pin(ready(Err(NoRandomness)))
    }

    fn redeem<'a>(&'a self, _: &'a str, _: &'a TokenScope) -> Boxed<'a, Result<(), TokenRefusal>> {
        Box::pin(ready(Ok(())))
    }

    fn end_session(&self, _: &SessionId) {}
}
