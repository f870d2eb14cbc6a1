//! The gatekeeper: a call goes in, a permit or a refusal comes out.
//!
//! A `Permit` has private fields and is made only here, so a call that skipped the gatekeeper does not compile.

pub mod message;
pub mod permit;
pub mod standing;

pub use permit::Permit;
pub use standing::{Denial, Standing};

use crate::confirmation::{Issued, NoRandomness, Scope, TokenRefusal, Tokens};
use aqueduct_operations::call::SessionId;
use aqueduct_operations::clock::Clock;
use aqueduct_operations::danger::DangerLevel;
use aqueduct_operations::operation::Entry;
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
    tokens: Tokens,
}

/// A call that has been routed and validated, as the gatekeeper sees it.
#[derive(Clone, Copy)]
pub struct Application<'a> {
    /// The operation.
    pub entry: &'a Entry,
    /// What the policy says of it.
    pub standing: &'a Standing,
    /// The values that will be sent.
    pub values: &'a Map<String, Value>,
    /// Who asks.
    pub session: &'a SessionId,
    /// The token that came with the call.
    pub token: Option<&'a str>,
}

/// Why a call may not run now.
#[derive(Debug, Clone)]
pub enum Refusal {
    /// The policy denies it.
    Denied(Denial),
    /// A person must say yes first.
    ConfirmationNeeded {
        /// The token to send back.
        issued: Issued,
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
        Gatekeeper { tokens: Tokens::new(settings, clock) }
    }

    /// Judges one call.
    pub fn admit(&self, application: Application<'_>) -> Result<Permit, Refusal> {
        let outcome = self.judge(application);
        log(application, &outcome);
        outcome
    }

    fn judge(&self, application: Application<'_>) -> Result<Permit, Refusal> {
        let Application { entry, standing, values, session, token } = application;
        let reasons = match standing {
            Standing::Allowed => return Ok(Permit::new()),
            Standing::Denied(denial) => return Err(Refusal::Denied(denial.clone())),
            Standing::NeedsConfirmation(reasons) => reasons,
        };
        let scope = Scope::new(session, &entry.source.name, &entry.operation.name, values);
        match token {
            Some(token) => self.tokens.redeem(token, &scope).map(|()| Permit::new()).map_err(Refusal::Token),
            None => {
                let danger = &entry.operation.danger;
                let issued = self.tokens.issue(&scope, danger.level).map_err(Refusal::NoRandomness)?;
                Err(Refusal::ConfirmationNeeded {
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

/// Every attempt from destructive up is logged, whatever its outcome (danger-level document, section 7.4).
fn log(application: Application<'_>, outcome: &Result<Permit, Refusal>) {
    let Application { entry, session, .. } = application;
    let danger = entry.operation.danger.level;
    if danger < DangerLevel::Destructive && outcome.is_ok() {
        return;
    }
    let outcome = match outcome {
        Ok(_) if matches!(application.standing, Standing::Allowed) => "allowed",
        Ok(_) => "confirmed",
        Err(Refusal::Denied(_)) => "denied",
        Err(Refusal::ConfirmationNeeded { .. }) => "confirmation_required",
        Err(Refusal::Token(_)) => "token_rejected",
        Err(Refusal::NoRandomness(_)) => "failed",
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
