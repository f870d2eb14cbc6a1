//! The gatekeeper: a request goes in, a permit or a refusal comes out.
//!
//! Nothing else makes a `Permit`, and nothing is sent without one. An operation that needs a confirmation gets one only for a token
//! that was redeemed. An allowed request is judged without waiting; confirmations may be in a store.

pub mod confirmations;
pub mod connect_permit;
pub mod decision;
pub mod fetch_permit;
mod message;
pub mod permit;
pub mod permit_record;
pub mod policy;
pub mod policy_rules;
pub mod program_permit;
pub mod request_digest;

pub use confirmations::{Confirmations, IssuedToken, NoRandomness, TokenRefusal, TokenScope, masked};
pub use connect_permit::ConnectPermit;
pub use decision::{Denial, GateDecision};
pub use fetch_permit::FetchPermit;
pub use permit::Permit;
pub use permit_record::{PermitBasis, PermitRecord};
pub use policy::{Policy, Purpose};
pub use program_permit::{ProgramOperation, ProgramPermit};
pub use request_digest::RequestDigest;

use crate::call::{Caller, Scopes, SessionId};
use crate::danger::DangerLevel;
use crate::operation::RegistryEntry;
use crate::trust::TrustLevel;
use serde_json::{Map, Value};
use std::sync::Arc;

/// Decides what may run.
#[derive(Debug)]
pub struct Gatekeeper {
    confirmations: Arc<dyn Confirmations>,
    policy: Option<Arc<dyn Policy>>,
}

/// A call that has been routed and validated, as the gatekeeper sees it.
#[derive(Clone)]
pub struct GateRequest<'a> {
    /// The operation.
    pub entry: &'a RegistryEntry,
    /// The values that will be sent.
    pub values: Arc<Map<String, Value>>,
    /// The session that asks.
    pub session: &'a SessionId,
    /// Who asks.
    pub caller: &'a Caller,
    /// What they may do.
    pub scopes: &'a Scopes,
    /// What the request is for.
    pub purpose: Purpose,
    /// The operation that is asked first, when the values are merged into what is stored.
    pub reads_first: Option<&'a RegistryEntry>,
}

/// Why a call may not run now.
#[derive(Debug, Clone)]
pub enum GateRefusal {
    /// The policy denies it.
    Denied(Denial),
    /// The caller lacks this scope.
    Scope(String),
    /// The operator's own policy denies it, with this reason.
    Policy(String),
    /// A person must confirm it first.
    ConfirmationNeeded(Box<NeededConfirmation>),
    /// The token that came with it is no good.
    Token(TokenRefusal),
    /// No token could be made.
    NoRandomness(NoRandomness),
}

/// What would be decided about a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatePreview {
    /// `allow`, `confirm` or `deny`.
    pub decision: &'static str,
    /// Which rule decides, in words.
    pub rule: String,
    /// How dangerous the operation is.
    pub danger: DangerLevel,
    /// How far its source is trusted.
    pub trust: TrustLevel,
}

/// What a person is asked before a call runs.
#[derive(Debug, Clone)]
pub struct NeededConfirmation {
    /// The token to send back.
    pub issued: IssuedToken,
    /// How dangerous the operation is.
    pub danger_level: DangerLevel,
    /// Why it needs a confirmation.
    pub reasons: Vec<String>,
    /// What to ask the person.
    pub message: Option<String>,
}

/// A judgement in favour of a request. Nothing but judging it makes one.
enum Grant {
    /// It runs without a confirmation.
    Allowed,
    /// A token was redeemed for a request of this digest.
    Confirmed(RequestDigest),
}

impl Gatekeeper {
    /// A gatekeeper with this store of confirmations.
    pub fn new(confirmations: Arc<dyn Confirmations>) -> Gatekeeper {
        Gatekeeper { confirmations, policy: None }
    }

    /// Asks this policy as well, about every request.
    #[must_use]
    pub fn with_policy(mut self, policy: Arc<dyn Policy>) -> Gatekeeper {
        self.policy = Some(policy);
        self
    }

    /// Judges one request, which came with this token.
    pub async fn admit<'a>(
        &self,
        request: GateRequest<'a>,
        token: Option<&str>,
    ) -> Result<Permit<'a>, GateRefusal> {
        match self.judge(&request, token).await {
            Ok(grant) => Ok(logged(PermitRecord::new(request, grant))),
            Err(refusal) => Err(log_refusal(&request, refusal)),
        }
    }

    /// Judges a further request of a call that may run, such as its next page. Whoever confirmed the call has confirmed
    /// its pages; everything else is asked again.
    pub fn admit_further<'a>(
        &self,
        call: &PermitRecord<'a>,
        purpose: Purpose,
    ) -> Result<Permit<'a>, GateRefusal> {
        let record = call.further(purpose);
        match self.decide(record.request()) {
            Ok(_) => Ok(logged(record)),
            Err(refusal) => Err(log_refusal(record.request(), refusal)),
        }
    }

    /// The decision on a request that is only previewed: no token is issued or redeemed.
    pub fn preview(&self, request: &GateRequest<'_>) -> GatePreview {
        let entry = request.entry;
        let decision = GateDecision::of(entry);
        GatePreview {
            decision: if self.decide(request).is_ok() { decision.name() } else { "deny" },
            rule: decision.rule(entry),
            danger: entry.operation.danger.level,
            trust: entry.source.trust,
        }
    }

    /// Why a request needs a confirmation, if it does, or why it is refused. The order is the same for every request: trust,
    /// scopes, policy. Whoever may not know that there is such an operation learns nothing of its scopes.
    fn decide(&self, request: &GateRequest<'_>) -> Result<Option<Vec<String>>, GateRefusal> {
        let reasons = match GateDecision::of(request.entry) {
            GateDecision::Denied(denial) => return Err(GateRefusal::Denied(denial)),
            GateDecision::NeedsConfirmation(reasons) => Some(reasons),
            GateDecision::Allowed => None,
        };
        scopes_of(request)?;
        match self.policy.as_ref().and_then(|policy| policy.denies(request)) {
            Some(reason) => Err(GateRefusal::Policy(reason)),
            None => Ok(reasons),
        }
    }

    async fn judge(&self, request: &GateRequest<'_>, token: Option<&str>) -> Result<Grant, GateRefusal> {
        match self.decide(request)? {
            Some(reasons) => self.confirmed(request, token, reasons).await.map(Grant::Confirmed),
            None => Ok(Grant::Allowed),
        }
    }

    /// Redeems the token of a request, or issues one for it.
    async fn confirmed(
        &self,
        request: &GateRequest<'_>,
        token: Option<&str>,
        reasons: Vec<String>,
    ) -> Result<RequestDigest, GateRefusal> {
        let GateRequest { entry, values, session, reads_first, .. } = request;
        let scope = TokenScope::new(session, entry, values, RequestDigest::of(entry, values, *reads_first));
        if let Some(token) = token {
            self.confirmations.redeem(token, &scope).await.map_err(GateRefusal::Token)?;
            return Ok(scope.resolved);
        }
        let danger = &entry.operation.danger;
        let issued = self.confirmations.issue(&scope, danger.level).await;
        Err(GateRefusal::ConfirmationNeeded(Box::new(NeededConfirmation {
            issued: issued.map_err(GateRefusal::NoRandomness)?,
            danger_level: danger.level,
            reasons,
            message: message::confirmation_message(&entry.operation, values),
        })))
    }

    /// Forgets everything that belongs to a session.
    pub fn end_session(&self, session: &SessionId) {
        self.confirmations.end_session(session);
    }
}

/// The caller needs every scope that the operation names.
fn scopes_of(request: &GateRequest<'_>) -> Result<(), GateRefusal> {
    match request.scopes.missing(&request.entry.operation.required_scopes) {
        Some(scope) => Err(GateRefusal::Scope(scope.clone())),
        None => Ok(()),
    }
}

/// Every attempt from destructive up is logged, and every refusal (danger-level document, section 7.4).
fn logged(record: PermitRecord<'_>) -> Permit<'_> {
    if record.danger() >= DangerLevel::Destructive {
        log(record.request(), record.basis().name());
    }
    Permit::new(record)
}

fn log_refusal(request: &GateRequest<'_>, refusal: GateRefusal) -> GateRefusal {
    let outcome = match &refusal {
        GateRefusal::Denied(_) | GateRefusal::Scope(_) | GateRefusal::Policy(_) => "denied",
        GateRefusal::ConfirmationNeeded(_) => "confirmation_required",
        GateRefusal::Token(_) => "token_rejected",
        GateRefusal::NoRandomness(_) => "failed",
    };
    log(request, outcome);
    refusal
}

fn log(request: &GateRequest<'_>, outcome: &str) {
    let entry = request.entry;
    tracing::info!(
        target: "aqueduct::gate",
        adapter_name = entry.source.name,
        operation = entry.public_name,
        danger_level = entry.operation.danger.level.number(),
        adapter_trust = entry.source.trust.name(),
        session = %request.session,
        outcome,
        "gatekeeper"
    );
}
