//! The permit for what a program calls itself, with handlers that it holds and operations that it has read.
//!
//! It is made for one of these, and what it is used for comes out of it: it sends nothing that a registry serves to clients, and
//! cannot be turned into a `Permit`.

use crate::call::{Caller, SessionId};
use crate::handler::{HandlerCall, SealedHandler};
use crate::operation::Operation;
use crate::registry::LoadedSource;
use crate::source::Source;

/// An operation that the program itself has read, from a source that it gave to no registry.
#[derive(Debug)]
pub struct ProgramOperation(Operation);

impl ProgramOperation {
    /// The operations of a source, which is used up by it.
    pub fn of_source(loaded: LoadedSource) -> (Source, Vec<ProgramOperation>) {
        (loaded.source, loaded.operations.into_iter().map(ProgramOperation).collect())
    }

    /// The operation.
    pub fn operation(&self) -> &Operation {
        &self.0
    }
}

/// The permit for one call that the program itself makes of `T`.
///
/// There is none for an operation that a registry serves, nor for its handler, which cannot be taken out of it:
///
/// ```compile_fail,E0308
/// use aqueduct_operations::call::SessionId;
/// use aqueduct_operations::gatekeeper::{ProgramOperation, ProgramPermit};
/// use aqueduct_operations::operation::RegistryEntry;
///
/// fn of_served(entry: &RegistryEntry, session: SessionId) -> ProgramPermit<'_, ProgramOperation> {
///     ProgramPermit::own_call(&entry.operation, session)
/// }
/// ```
///
/// ```compile_fail,E0616
/// use aqueduct_operations::call::SessionId;
/// use aqueduct_operations::gatekeeper::ProgramPermit;
/// use aqueduct_operations::handler::SealedHandler;
/// use aqueduct_operations::target::HandlerTarget;
///
/// fn of_served(target: &HandlerTarget, session: SessionId) -> ProgramPermit<'_, SealedHandler> {
///     ProgramPermit::of_handler(&target.handler, session)
/// }
/// ```
#[must_use = "a permit is for one call"]
#[derive(Debug)]
pub struct ProgramPermit<'a, T> {
    target: &'a T,
    session: SessionId,
    caller: Caller,
}

impl<T> ProgramPermit<'_, T> {
    /// The session that the call counts to.
    pub fn session(&self) -> &SessionId {
        &self.session
    }

    /// Who makes it.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }
}

impl<'a> ProgramPermit<'a, ProgramOperation> {
    /// For a call that the program makes of its own accord.
    pub fn own_call(
        operation: &'a ProgramOperation,
        session: SessionId,
    ) -> ProgramPermit<'a, ProgramOperation> {
        ProgramPermit { target: operation, session, caller: Caller::local() }
    }

    /// For what a handler of the program sends to answer a call that it was run for.
    pub fn within(
        operation: &'a ProgramOperation,
        call: &HandlerCall<'_>,
    ) -> ProgramPermit<'a, ProgramOperation> {
        ProgramPermit { target: operation, session: call.session().clone(), caller: call.caller().clone() }
    }

    /// The operation that is called.
    pub fn operation(&self) -> &'a Operation {
        self.target.operation()
    }
}

impl<'a> ProgramPermit<'a, SealedHandler> {
    /// For a run of a handler that the program holds itself.
    pub fn of_handler(handler: &'a SealedHandler, session: SessionId) -> ProgramPermit<'a, SealedHandler> {
        ProgramPermit { target: handler, session, caller: Caller::local() }
    }

    pub(crate) fn handler(&self) -> &'a SealedHandler {
        self.target
    }
}
