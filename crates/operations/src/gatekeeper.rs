//! The gatekeeper: a request goes in, a permit or a refusal comes out.
//!
//! Nothing else makes a `Permit`, and nothing is sent without one. An operation that needs a confirmation gets one only for a token
//! that was redeemed. An allowed request is judged without waiting; confirmations may be in a store.

pub mod confirmations;
pub mod connect_permit;
pub mod decision;
pub mod fetch_permit;
pub mod gate_record;
mod message;
pub mod permit;
pub mod policy;
pub mod policy_rules;
pub mod program_permit;
pub mod request_digest;
pub mod rule;

pub use confirmations::{Confirmations, IssuedToken, NoRandomness, TokenRefusal, TokenScope, masked};
pub use connect_permit::ConnectPermit;
pub use decision::{Denial, GateDecision, GateEffect};
pub use fetch_permit::FetchPermit;
pub use gate_record::{GateOutcome, GateRecord};
pub use permit::Permit;
pub use policy::{Policy, PolicyDenial, Purpose};
pub use policy_rules::{ParamCondition, Permission, PolicyRule, PolicyRules};
pub use program_permit::{ProgramOperation, ProgramPermit};
pub use request_digest::RequestDigest;
pub use rule::GateRule;

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
    rules: Arc<PolicyRules>,
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
    /// The operator's own policy denies it.
    Policy(PolicyDenial),
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
    /// Which rule decides.
    pub rule: GateRule,
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

/// What trust, scopes and policy say about a request, before any token is looked at.
struct Ruling {
    rule: GateRule,
    effect: RulingEffect,
}

enum RulingEffect {
    Allow,
    Confirm(Vec<String>),
    Refuse(GateRefusal),
}

/// A judgement in favour of a request. Nothing but judging it makes one.
enum Grant {
    /// It runs without a confirmation.
    Allowed,
    /// A token was redeemed for it.
    Confirmed,
}

impl Gatekeeper {
    /// A gatekeeper with this store of confirmations.
    pub fn new(confirmations: Arc<dyn Confirmations>) -> Gatekeeper {
        Gatekeeper { confirmations, rules: Arc::default(), policy: None }
    }

    /// Judges by these rules of the operator.
    #[must_use]
    pub fn with_rules(mut self, rules: Arc<PolicyRules>) -> Gatekeeper {
        self.rules = rules;
        self
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
        let Ruling { rule, effect } = self.ruling(&request);
        let record = GateRecord::new(request, rule);
        let judged = match effect {
            RulingEffect::Allow => Ok(Grant::Allowed),
            RulingEffect::Confirm(reasons) => self.confirmed(&record, token, reasons).await,
            RulingEffect::Refuse(refusal) => Err(refusal),
        };
        settled(record, judged)
    }

    /// Judges a further request of a call that may run, such as its next page. Whoever confirmed the call has confirmed
    /// its pages; everything else is asked again.
    pub fn admit_further<'a>(
        &self,
        call: &GateRecord<'a>,
        purpose: Purpose,
    ) -> Result<Permit<'a>, GateRefusal> {
        let Ruling { rule, effect } = self.ruling(&GateRequest { purpose, ..call.request().clone() });
        let judged = match effect {
            RulingEffect::Allow => Ok(Grant::Allowed),
            RulingEffect::Confirm(_) if call.outcome() == GateOutcome::Confirmed => Ok(Grant::Confirmed),
            // Nobody was asked about the call, so nobody has confirmed this.
            RulingEffect::Confirm(_) => {
                let reason = "it needs a confirmation, and its call was not confirmed";
                Err(GateRefusal::Policy(PolicyDenial::new(rule.to_string(), reason)))
            }
            RulingEffect::Refuse(refusal) => Err(refusal),
        };
        settled(call.further(purpose, rule), judged)
    }

    /// Refuses a request by the decision on its operation, before its parameters are looked at: nobody may call it.
    pub fn deny(&self, request: GateRequest<'_>, rule: GateRule, denial: Denial) -> GateRefusal {
        let refusal = GateRefusal::Denied(denial);
        log(&GateRecord::new(request, rule).decided(refusal.outcome()));
        refusal
    }

    /// The decision on a request that is only previewed: no token is issued or redeemed.
    pub fn preview(&self, request: &GateRequest<'_>) -> GatePreview {
        let Ruling { rule, effect } = self.ruling(request);
        let decision = match effect {
            RulingEffect::Allow => "allow",
            RulingEffect::Confirm(_) => "confirm",
            RulingEffect::Refuse(_) => "deny",
        };
        let entry = request.entry;
        GatePreview { decision, rule, danger: entry.operation.danger.level, trust: entry.source.trust }
    }

    /// What becomes of a request before anyone is asked. The order is the same for every request: trust, scopes, policy. Whoever
    /// may not know that there is such an operation learns nothing of its scopes.
    fn ruling(&self, request: &GateRequest<'_>) -> Ruling {
        let refuse = |rule, refusal| Ruling { rule, effect: RulingEffect::Refuse(refusal) };
        let decision = GateDecision::of_call(&self.rules, request.entry, request.caller, &request.values);
        let GateDecision { effect, rule } = decision;
        let effect = match effect {
            GateEffect::Deny(denial) => return refuse(rule, GateRefusal::Denied(denial)),
            GateEffect::Confirm(reasons) => RulingEffect::Confirm(reasons),
            GateEffect::Allow => RulingEffect::Allow,
        };
        if let Some(scope) = request.scopes.missing(&request.entry.operation.required_scopes) {
            return refuse(GateRule::Scope(scope.clone()), GateRefusal::Scope(scope.clone()));
        }
        match self.policy.as_ref().and_then(|policy| policy.denies(request)) {
            Some(denial) => refuse(GateRule::Policy(denial.rule.clone()), GateRefusal::Policy(denial)),
            None => Ruling { rule, effect },
        }
    }

    /// Redeems the token of a request, or issues one for it.
    async fn confirmed(
        &self,
        record: &GateRecord<'_>,
        token: Option<&str>,
        reasons: Vec<String>,
    ) -> Result<Grant, GateRefusal> {
        let scope = record.token_scope();
        if let Some(token) = token {
            let redeemed = self.confirmations.redeem(token, &scope).await;
            return redeemed.map(|()| Grant::Confirmed).map_err(GateRefusal::Token);
        }
        let issued = self.confirmations.issue(&scope, record.danger()).await;
        Err(GateRefusal::ConfirmationNeeded(Box::new(NeededConfirmation {
            issued: issued.map_err(GateRefusal::NoRandomness)?,
            danger_level: record.danger(),
            reasons,
            message: message::confirmation_message(record.operation(), record.values()),
        })))
    }

    /// Forgets everything that belongs to a session.
    pub fn end_session(&self, session: &SessionId) {
        self.confirmations.end_session(session);
    }
}

impl GateRefusal {
    /// What became of the request.
    pub fn outcome(&self) -> GateOutcome {
        match self {
            GateRefusal::Denied(_) | GateRefusal::Scope(_) | GateRefusal::Policy(_) => GateOutcome::Denied,
            GateRefusal::ConfirmationNeeded(_) => GateOutcome::ConfirmationRequired,
            GateRefusal::Token(_) => GateOutcome::TokenRejected,
            GateRefusal::NoRandomness(_) => GateOutcome::Failed,
        }
    }
}

/// Writes down what was decided, and gives the permit where it was in favour.
fn settled<'a>(
    record: GateRecord<'a>,
    judged: Result<Grant, GateRefusal>,
) -> Result<Permit<'a>, GateRefusal> {
    let record = record.decided(match &judged {
        Ok(Grant::Allowed) => GateOutcome::Allowed,
        Ok(Grant::Confirmed) => GateOutcome::Confirmed,
        Err(refusal) => refusal.outcome(),
    });
    log(&record);
    judged.map(|_| Permit::new(record))
}

/// Logs every refusal, and every attempt from destructive up (danger-level document, section 7.4).
fn log(record: &GateRecord<'_>) {
    let may_run = matches!(record.outcome(), GateOutcome::Allowed | GateOutcome::Confirmed);
    if may_run && record.danger() < DangerLevel::Destructive {
        return;
    }
    tracing::info!(
        target: "aqueduct::gate",
        adapter_name = record.entry().source.name,
        operation = record.entry().public_name,
        danger_level = record.danger().number(),
        adapter_trust = record.trust().name(),
        caller = record.caller().name(),
        session = %record.session(),
        purpose = record.purpose().name(),
        rule = record.rule().to_string(),
        outcome = record.outcome().name(),
        "gatekeeper"
    );
}
