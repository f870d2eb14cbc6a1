//! Permits: the proof that a request may be sent, and the record of what was decided about it.
//!
//! A `Permit` is for one request of a call. Its fields are private and only the gatekeeper makes it; whatever sends demands one and
//! takes operation and values from it. `ProgramPermit` and `FetchPermit` are for what no client requested: the calls that a
//! program makes itself, and what is fetched to serve calls at all. Neither can be turned into a `Permit`.

use super::decision::GateDecision;
use super::policy::Purpose;
use super::request_digest::RequestDigest;
use super::{GateRequest, Grant};
use crate::call::{Caller, SessionId};
use crate::danger::DangerLevel;
use crate::handler::{Boxed, Elicitor, Envelope, HandlerCall, HandlerError, HandlerProgress};
use crate::named_enum::named_enum;
use crate::operation::{Operation, RegistryEntry};
use crate::target::Target;
use crate::trust::TrustLevel;
use serde_json::{Map, Value};
use std::future::ready;
use std::sync::{Arc, OnceLock};
use std::{fmt, ptr};

/// The permit to send one request, with what was decided about it.
///
/// Nothing but the gatekeeper makes one:
///
/// ```compile_fail,E0451
/// use aqueduct_operations::gatekeeper::{GateRequest, Permit, PermitBasis};
///
/// fn forged<'a>(request: GateRequest<'a>) -> Permit<'a> {
///     Permit { request, basis: PermitBasis::Allowed, digest: Default::default() }
/// }
/// ```
///
/// Nor is one turned into a permit for another request, or used twice by a copy:
///
/// ```compile_fail,E0451
/// use aqueduct_operations::gatekeeper::{GateRequest, Permit};
///
/// fn for_another<'a>(permit: Permit<'a>, request: GateRequest<'a>) -> Permit<'a> {
///     Permit { request, ..permit }
/// }
/// ```
///
/// ```compile_fail,E0308
/// use aqueduct_operations::gatekeeper::Permit;
///
/// fn copied<'a>(permit: &Permit<'a>) -> Permit<'a> {
///     permit.clone()
/// }
/// ```
///
/// It is what [`Gatekeeper::admit`](super::Gatekeeper::admit) gives:
///
/// ```
/// use aqueduct_operations::gatekeeper::{GateRefusal, GateRequest, Gatekeeper, Permit};
///
/// async fn judged<'a>(gatekeeper: &Gatekeeper, request: GateRequest<'a>) -> Result<Permit<'a>, GateRefusal> {
///     gatekeeper.admit(request, None).await
/// }
/// ```
#[must_use = "a permit is for sending one request"]
pub struct Permit<'a> {
    request: GateRequest<'a>,
    basis: PermitBasis,
    digest: OnceLock<RequestDigest>,
}

named_enum! {
    /// Why a permit was given.
    pub enum PermitBasis {
        /// The operation runs without being asked about.
        Allowed = "allowed",
        /// A person confirmed this call.
        Confirmed = "confirmed",
    }
}

impl<'a> Permit<'a> {
    /// For a request that was judged so.
    pub(super) fn new(request: GateRequest<'a>, grant: Grant) -> Permit<'a> {
        let (basis, digest) = match grant {
            Grant::Allowed => (PermitBasis::Allowed, OnceLock::new()),
            Grant::Confirmed(digest) => (PermitBasis::Confirmed, OnceLock::from(digest)),
        };
        Permit { request, basis, digest }
    }

    /// For a further request of the same call: who confirmed the call has confirmed its pages.
    pub(super) fn further(&self, purpose: Purpose) -> Permit<'a> {
        let request = GateRequest { purpose, ..self.request.clone() };
        Permit { request, basis: self.basis, digest: self.digest.clone() }
    }

    /// The request that it is for.
    pub(super) fn request(&self) -> &GateRequest<'a> {
        &self.request
    }

    /// The operation under its public name, and its source.
    pub fn entry(&self) -> &'a RegistryEntry {
        self.request.entry
    }

    /// The operation.
    pub fn operation(&self) -> &'a Operation {
        &self.request.entry.operation
    }

    /// The values that were judged: by public parameter name, defaults filled in.
    pub fn values(&self) -> &Map<String, Value> {
        &self.request.values
    }

    /// True when it is for this operation with these very values, not for others that look alike.
    pub fn covers(&self, operation: &Operation, values: &Arc<Map<String, Value>>) -> bool {
        ptr::eq(self.operation(), operation) && Arc::ptr_eq(&self.request.values, values)
    }

    /// Runs the handler of the operation, with the values that were judged or with those of one page of it. Dropping the
    /// future cancels the run.
    pub fn run_handler<'r>(
        &'r self,
        values: &'r Map<String, Value>,
        listener: Option<Arc<dyn HandlerProgress>>,
        asker: Option<Arc<dyn Elicitor>>,
    ) -> Boxed<'r, Result<Envelope, HandlerError>> {
        match &self.operation().target {
            Target::Handler(target) => {
                let mut call = HandlerCall::permitted(self, values);
                call.listener = listener;
                call.asker = asker;
                target.handler.run(call)
            }
            Target::Http(_) | Target::BuiltIn(_) => {
                Box::pin(ready(Err(HandlerError::failed("the operation has no handler"))))
            }
        }
    }

    /// The session that asked.
    pub fn session(&self) -> &'a SessionId {
        self.request.session
    }

    /// Who asked.
    pub fn caller(&self) -> &'a Caller {
        self.request.caller
    }

    /// What the request is for.
    pub fn purpose(&self) -> Purpose {
        self.request.purpose
    }

    /// Why it was given.
    pub fn basis(&self) -> PermitBasis {
        self.basis
    }

    /// Which rule decided, in words.
    pub fn rule(&self) -> String {
        GateDecision::of(self.request.entry).rule(self.request.entry)
    }

    /// How dangerous the operation is.
    pub fn danger(&self) -> DangerLevel {
        self.request.entry.operation.danger.level
    }

    /// How far its source is trusted.
    pub fn trust(&self) -> TrustLevel {
        self.request.entry.source.trust
    }

    /// The digest of the request as it was resolved; worked out when it is first requested, unless a token was bound to it.
    pub fn digest(&self) -> &RequestDigest {
        self.digest.get_or_init(|| {
            RequestDigest::of(self.request.entry, &self.request.values, self.request.reads_first)
        })
    }
}

// Values may be sensitive: they are not printed.
impl fmt::Debug for Permit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Permit")
            .field("operation", &self.request.entry.public_name)
            .field("purpose", &self.request.purpose)
            .field("basis", &self.basis)
            .finish_non_exhaustive()
    }
}

/// The permit for a call that the program itself makes, with operations that it has read from a document or taken from a server.
/// It is taken by what programs call, and by nothing that serves clients.
#[derive(Debug, Clone)]
pub struct ProgramPermit {
    session: SessionId,
    caller: Caller,
}

impl ProgramPermit {
    /// For a call that the program makes of its own accord.
    pub fn own_call(session: SessionId) -> ProgramPermit {
        ProgramPermit { session, caller: Caller::local() }
    }

    /// For what a handler of the program sends to answer a call that it was run for.
    pub fn within(call: &HandlerCall<'_>) -> ProgramPermit {
        ProgramPermit { session: call.session().clone(), caller: call.caller().clone() }
    }

    /// The session that the call counts to.
    pub fn session(&self) -> &SessionId {
        &self.session
    }

    /// Who makes it.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }
}

/// The permit to fetch what is no call of an operation. It is taken by guarded fetches alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FetchPermit(FetchKind);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FetchKind {
    Document,
    Probe,
}

impl FetchPermit {
    /// For a document that the operator, or another document, names as a source.
    pub fn document() -> FetchPermit {
        FetchPermit(FetchKind::Document)
    }

    /// For asking whether a site answers.
    pub fn probe() -> FetchPermit {
        FetchPermit(FetchKind::Probe)
    }

    /// The name for logs.
    pub fn name(self) -> &'static str {
        match self.0 {
            FetchKind::Document => "document",
            FetchKind::Probe => "probe",
        }
    }
}
