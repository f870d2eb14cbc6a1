//! The gatekeeper: a call goes in, a permit or a refusal comes out.
//!
//! A `Permit` has private fields and is made only here, so a call that skipped the gatekeeper does not compile.

pub mod decision;
pub mod message;
pub mod permit;
pub mod policy;

pub use decision::{Denial, GateDecision};
pub use permit::Permit;
pub use policy::{Policy, Purpose};

use crate::confirmation::{
    ConfirmationTokens, IssuedToken, NoRandomness, ResolvedRequest, TokenRefusal, TokenScope,
};
use aqueduct_operations::call::{Scopes, SessionId};
use aqueduct_operations::clock::Clock;
use aqueduct_operations::danger::DangerLevel;
use aqueduct_operations::operation::RegistryEntry;
use serde_json::{Map, Value};
use std::sync::Arc;

/// How confirmations work.
#[derive(Debug, Clone)]
pub struct GateSettings {
    /// How long a token lives; absent is the default of its danger level.
    pub ttl_seconds: Option<u64>,
    /// Grace added to the expiry for clocks that disagree.
    pub clock_skew_seconds: u64,
}

impl Default for GateSettings {
    fn default() -> GateSettings {
        GateSettings { ttl_seconds: None, clock_skew_seconds: 30 }
    }
}

/// Decides what may run.
#[derive(Debug)]
pub struct Gatekeeper {
    tokens: ConfirmationTokens,
    policy: Option<Arc<dyn Policy>>,
}

/// A call that has been routed and validated, as the gatekeeper sees it.
#[derive(Clone, Copy)]
pub struct GateRequest<'a> {
    /// The operation.
    pub entry: &'a RegistryEntry,
    /// What the policy says of it.
    pub standing: &'a GateDecision,
    /// The values that will be sent.
    pub values: &'a Map<String, Value>,
    /// Who asks.
    pub session: &'a SessionId,
    /// What they may do.
    pub scopes: &'a Scopes,
    /// The token that came with the call.
    pub token: Option<&'a str>,
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
    /// A person must say yes first.
    ConfirmationNeeded {
        /// The token to send back.
        issued: IssuedToken,
        /// How dangerous the operation is.
        danger_level: DangerLevel,
        /// Why it needs a yes.
        reasons: Vec<String>,
        /// What to ask the person.
        message: Option<String>,
    },
    /// The token that came with it is no good.
    Token(TokenRefusal),
    /// No token could be made.
    NoRandomness(NoRandomness),
}

impl Gatekeeper {
    /// A gatekeeper with no token out yet.
    pub fn new(settings: GateSettings, clock: Arc<dyn Clock>) -> Gatekeeper {
        Gatekeeper { tokens: ConfirmationTokens::new(settings, clock), policy: None }
    }

    /// Asks this policy as well, about every request.
    #[must_use]
    pub fn with_policy(mut self, policy: Arc<dyn Policy>) -> Gatekeeper {
        self.policy = Some(policy);
        self
    }

    /// Judges one call.
    pub fn admit(&self, application: GateRequest<'_>) -> Result<Permit, GateRefusal> {
        let outcome = self.judge(application);
        log(application, &outcome);
        outcome
    }

    /// Judges a further request of a call that may run, such as its next page. Whoever confirmed the call has confirmed
    /// its pages; everything else is asked again.
    pub fn admit_further(&self, _call: &Permit, application: GateRequest<'_>) -> Result<Permit, GateRefusal> {
        let outcome = match application.standing {
            GateDecision::Denied(denial) => Err(GateRefusal::Denied(denial.clone())),
            GateDecision::Allowed | GateDecision::NeedsConfirmation(_) => {
                scopes_of(&application).and_then(|()| self.policy_on(&application)).map(|()| Permit::new())
            }
        };
        log(application, &outcome);
        outcome
    }

    /// What would be decided about a call, without deciding it: nothing is issued or redeemed.
    pub fn would_say(&self, application: &GateRequest<'_>) -> &'static str {
        match scopes_of(application).and_then(|()| self.policy_on(application)) {
            Ok(()) => application.standing.decision(),
            Err(_) => "deny",
        }
    }

    fn policy_on(&self, application: &GateRequest<'_>) -> Result<(), GateRefusal> {
        match self.policy.as_ref().and_then(|policy| policy.denies(application)) {
            Some(reason) => Err(GateRefusal::Policy(reason)),
            None => Ok(()),
        }
    }

    fn judge(&self, application: GateRequest<'_>) -> Result<Permit, GateRefusal> {
        let GateRequest { entry, standing, values, session, token, reads_first, .. } = application;
        self.policy_on(&application)?;
        // Trust first, then scopes: whoever may not know that there is such an operation learns nothing of its scopes.
        let reasons = match standing {
            GateDecision::Denied(denial) => return Err(GateRefusal::Denied(denial.clone())),
            GateDecision::Allowed => return scopes_of(&application).map(|()| Permit::new()),
            GateDecision::NeedsConfirmation(reasons) => reasons,
        };
        scopes_of(&application)?;
        let scope = TokenScope::new(session, entry, values, ResolvedRequest::of(entry, values, reads_first));
        match token {
            Some(token) => {
                self.tokens.redeem(token, &scope).map(|()| Permit::new()).map_err(GateRefusal::Token)
            }
            None => {
                let danger = &entry.operation.danger;
                let issued = self.tokens.issue(&scope, danger.level).map_err(GateRefusal::NoRandomness)?;
                Err(GateRefusal::ConfirmationNeeded {
                    issued,
                    danger_level: danger.level,
                    reasons: reasons.clone(),
                    message: message::confirmation_message(&entry.operation, values),
                })
            }
        }
    }

    /// Forgets everything that belongs to a session.
    pub fn end_session(&self, session: &SessionId) {
        self.tokens.forget_session(session);
    }
}

/// The caller needs every scope that the operation names.
fn scopes_of(application: &GateRequest<'_>) -> Result<(), GateRefusal> {
    match application.scopes.missing(&application.entry.operation.required_scopes) {
        Some(scope) => Err(GateRefusal::Scope(scope.clone())),
        None => Ok(()),
    }
}

/// Every attempt from destructive up is logged, whatever its outcome (danger-level document, section 7.4).
fn log(application: GateRequest<'_>, outcome: &Result<Permit, GateRefusal>) {
    let GateRequest { entry, session, .. } = application;
    let danger = entry.operation.danger.level;
    if danger < DangerLevel::Destructive && outcome.is_ok() {
        return;
    }
    let outcome = match outcome {
        Ok(_) if matches!(application.standing, GateDecision::Allowed) => "allowed",
        Ok(_) => "confirmed",
        Err(GateRefusal::Denied(_) | GateRefusal::Scope(_) | GateRefusal::Policy(_)) => "denied",
        Err(GateRefusal::ConfirmationNeeded { .. }) => "confirmation_required",
        Err(GateRefusal::Token(_)) => "token_rejected",
        Err(GateRefusal::NoRandomness(_)) => "failed",
    };
    tracing::info!(
        target: "aqueduct::gate",
        adapter_name = entry.source.name,
        operation = entry.public_name,
        danger_level = danger.number(),
        adapter_trust = entry.source.trust.name(),
        %session,
        outcome,
        "gatekeeper"
    );
}

#[cfg(test)]
mod tests;
