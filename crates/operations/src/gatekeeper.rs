//! The gatekeeper: a request goes in, a permit or a refusal comes out.
//!
//! Nothing else makes a `Permit`, and nothing is sent without one. An operation that needs a confirmation gets one only for a token
//! that was redeemed, or the operator's yes. An allowed request is judged without waiting; confirmations and the audit may be in a
//! store. What is neither safe nor reversible, what a rule lifts a confirmation of, and every refusal, is in the audit: by the store
//! where it confirms, else from here.

pub mod agent_watch;
pub mod audit_log;
pub mod confirmations;
pub mod connect_permit;
pub mod decision;
pub mod examine_permit;
pub mod fetch_permit;
pub mod gate_record;
mod message;
pub mod permit;
pub mod plan;
pub mod policy;
pub mod policy_rules;
pub mod program_permit;
pub mod refusal;
pub mod request;
pub mod request_digest;
pub mod rule;
pub mod send_permit;

pub use agent_watch::{AgentRefusal, AgentWatch, CoveredBy, SelfConfirmation, WatchedCall};
pub use audit_log::{AuditLog, NotWritten};
pub use confirmations::{
    ApprovalState, AskFailure, AskOutcome, CONFIRMATION_TOKEN, CallEnd, Confirmations, ConfirmedCall,
    IssuedToken, NoRandomness, PERSON, PendingApproval, PlanAskOutcome, QUOTA_TOKEN, Question, TokenRefusal,
    TokenScope, TrackedCall, masked,
};
pub use connect_permit::ConnectPermit;
pub use decision::{Denial, GateDecision, GateEffect};
pub use examine_permit::ExaminePermit;
pub use fetch_permit::FetchPermit;
pub use gate_record::{GateOutcome, GateRecord};
pub use permit::Permit;
pub use plan::{PlanRefusal, PlannedCall};
pub use policy::{Policy, PolicyDenial, Purpose};
pub use policy_rules::{ParamCondition, Permission, PolicyRule, PolicyRules, RuleParam};
pub use program_permit::{ProgramOperation, ProgramPermit};
pub use refusal::{ConfirmationNeed, GateRefusal, NeededConfirmation, PersonRefusal, RefusedRequest};
pub use request::{ConfirmationInput, GateRequest, PushedParam};
pub use request_digest::RequestDigest;
pub use rule::GateRule;
pub use send_permit::SendPermit;

use crate::call::SessionId;
use crate::danger::DangerLevel;
use crate::operation::RegistryEntry;
use crate::trust::TrustLevel;
use serde_json::Value;
use std::sync::Arc;

/// Decides what may run.
#[derive(Debug)]
pub struct Gatekeeper {
    confirmations: Arc<dyn Confirmations>,
    rules: Arc<PolicyRules>,
    policy: Option<Arc<dyn Policy>>,
    audit: Option<Arc<dyn AuditLog>>,
    agents: Option<Arc<dyn AgentWatch>>,
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

/// What trust, scopes and policy say about a request, before any token is looked at.
struct PolicyRuling {
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
    /// The same, where the audit has its begin and waits for its end.
    AllowedAndTracked(ConfirmedCall),
    /// It was confirmed.
    Confirmed(ConfirmedCall),
    /// It belongs to something that was.
    WithConfirmed,
}

impl Gatekeeper {
    /// A gatekeeper with this store of confirmations.
    pub fn new(confirmations: Arc<dyn Confirmations>) -> Gatekeeper {
        Gatekeeper { confirmations, rules: Arc::default(), policy: None, audit: None, agents: None }
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

    /// Writes into this audit what is decided without a confirmation.
    #[must_use]
    pub fn with_audit(mut self, audit: Arc<dyn AuditLog>) -> Gatekeeper {
        self.audit = Some(audit);
        self
    }

    /// Has the calls of agents watched.
    #[must_use]
    pub fn with_agents(mut self, agents: Arc<dyn AgentWatch>) -> Gatekeeper {
        self.agents = Some(agents);
        self
    }

    /// Judges one request.
    pub async fn admit<'a>(
        &self,
        request: GateRequest<'a>,
        given: ConfirmationInput<'_>,
    ) -> Result<Permit<'a>, Box<RefusedRequest<'a>>> {
        let PolicyRuling { rule, effect } = self.ruling(&request);
        let record = GateRecord::new(request, rule);
        let covered = match &effect {
            RulingEffect::Refuse(_) => None,
            RulingEffect::Allow | RulingEffect::Confirm(_) => {
                let needs_yes = matches!(effect, RulingEffect::Confirm(_));
                match self.watched(&record, given, needs_yes).await {
                    Ok(covered) => covered,
                    Err(refusal) => return Err(self.refuse(record, GateRefusal::Agent(refusal))),
                }
            }
        };
        let outcome = match effect {
            RulingEffect::Allow => Ok(Grant::Allowed),
            RulingEffect::Confirm(_) if record.purpose() == Purpose::Operator => Ok(Grant::WithConfirmed),
            // No one has asked for what a call needs on its way, so no person is asked to confirm it.
            RulingEffect::Confirm(_) if !record.purpose().is_asked_for() => Err(GateRefusal::Unconfirmed),
            RulingEffect::Confirm(reasons) => self.confirmed(&record, given, reasons).await,
            RulingEffect::Refuse(refusal) => Err(refusal),
        };
        // A rule allows nothing by itself: it lifts a confirmation.
        let is_lifted = matches!(record.rule(), GateRule::Policy(_));
        let outcome = match (outcome, &self.audit) {
            (Ok(Grant::Allowed), Some(audit)) if is_lifted || record.danger() >= DangerLevel::Destructive => {
                let written = audit.write(&record.clone().decided(GateOutcome::Allowed)).await;
                written.map(Grant::AllowedAndTracked).map_err(GateRefusal::NotAudited)
            }
            (outcome, _) => outcome,
        };
        let outcome = match covered {
            Some(covered) => self.used(&record, &covered, outcome).await,
            None => outcome,
        };
        self.settled(record, outcome)
    }

    /// The report of an agent that covers a call, if an agent makes it.
    async fn watched(
        &self,
        record: &GateRecord<'_>,
        given: ConfirmationInput<'_>,
        needs_yes: bool,
    ) -> Result<Option<CoveredBy>, AgentRefusal> {
        let request = record.request();
        // What a call needs on its way was covered with it.
        let Some(agents) = self.agents.as_ref().filter(|_| request.purpose == Purpose::Call) else {
            return Ok(None);
        };
        let call = WatchedCall {
            entry: request.entry,
            session: &request.origin.session,
            caller: &request.origin.caller,
            values: &request.values,
            agent: request.agent.as_deref(),
            self_confirmation: self.self_confirmation(record, given, needs_yes),
        };
        agents.check(call).await
    }

    /// Whether a call is confirmed, or would be, by whoever makes it.
    fn self_confirmation(
        &self,
        record: &GateRecord<'_>,
        given: ConfirmationInput<'_>,
        needs_yes: bool,
    ) -> SelfConfirmation {
        let by_somebody_else = given.asks_person || record.operation().danger.requires_reauth;
        match (given.token, given.approver) {
            (_, Some(_)) => SelfConfirmation::No,
            (Some(_), None) => SelfConfirmation::Is,
            (None, None) if needs_yes && !by_somebody_else && self.confirmations.gives_tokens() => {
                SelfConfirmation::WouldBe
            }
            (None, None) => SelfConfirmation::No,
        }
    }

    /// Uses up the report that covers a call which may run, and notes that one has to wait.
    async fn used(
        &self,
        record: &GateRecord<'_>,
        covered: &CoveredBy,
        outcome: Result<Grant, GateRefusal>,
    ) -> Result<Grant, GateRefusal> {
        let Some(agents) = &self.agents else { return outcome };
        let operation = &record.entry().public_name;
        match outcome {
            Ok(grant) => {
                agents.admitted(covered, operation).await.map(|()| grant).map_err(GateRefusal::Agent)
            }
            Err(refusal) => {
                if matches!(refusal, GateRefusal::ConfirmationNeeded(_)) {
                    agents.waits(covered, operation);
                }
                Err(refusal)
            }
        }
    }

    /// Judges a further request of a call that may run, such as its next page. Anyone who confirmed the call has confirmed
    /// its pages; everything else is asked again.
    pub fn admit_further<'a>(
        &self,
        call: &GateRecord<'a>,
        purpose: Purpose,
    ) -> Result<Permit<'a>, Box<RefusedRequest<'a>>> {
        let PolicyRuling { rule, effect } = self.ruling(&GateRequest { purpose, ..call.request().clone() });
        let outcome = match effect {
            RulingEffect::Allow => Ok(Grant::Allowed),
            RulingEffect::Confirm(_) if call.outcome() == GateOutcome::Confirmed => Ok(Grant::WithConfirmed),
            // No person was asked about the call, so no one has confirmed this.
            RulingEffect::Confirm(_) => {
                let reason = "it needs a confirmation, and its call was not confirmed";
                Err(GateRefusal::Policy(PolicyDenial::new(rule.to_string(), reason)))
            }
            RulingEffect::Refuse(refusal) => Err(refusal),
        };
        self.settled(call.further(purpose, rule), outcome)
    }

    /// Refuses a request that waited for a confirmation, which has not come.
    pub fn refuse<'a>(&self, waiting: GateRecord<'a>, refusal: GateRefusal) -> Box<RefusedRequest<'a>> {
        let record = waiting.decided(refusal.outcome());
        self.write_down(&record);
        Box::new(RefusedRequest { record, refusal })
    }

    /// Refuses a request by the decision on its operation, before its parameters are looked at: no one may call it.
    pub fn deny<'a>(&self, request: GateRequest<'a>, rule: GateRule) -> GateRecord<'a> {
        let record = GateRecord::new(request, rule);
        self.write_down(&record);
        record
    }

    /// True when a rule may decide otherwise for some values or callers than it does for everybody.
    pub fn depends_on_call(&self, entry: &RegistryEntry) -> bool {
        self.rules.depends_on_call(entry)
    }

    /// The decision on a request that is only previewed: no token is issued or redeemed.
    pub fn preview(&self, request: &GateRequest<'_>) -> GatePreview {
        let PolicyRuling { rule, effect } = self.ruling(request);
        let decision = match effect {
            RulingEffect::Allow => "allow",
            RulingEffect::Confirm(_) => "confirm",
            RulingEffect::Refuse(_) => "deny",
        };
        let entry = request.entry;
        GatePreview { decision, rule, danger: entry.operation.danger.level, trust: entry.trust().level }
    }

    /// What becomes of a request before anyone is asked. The order is the same for every request: trust, scopes, policy. Anyone who
    /// may not know that there is such an operation learns nothing of its scopes.
    fn ruling(&self, request: &GateRequest<'_>) -> PolicyRuling {
        let refuse = |rule, refusal| PolicyRuling { rule, effect: RulingEffect::Refuse(refusal) };
        let (values, pushed) = (&request.values, &request.pushed);
        let decision =
            GateDecision::of_call(&self.rules, request.entry, &request.origin.caller, values, pushed);
        let GateDecision { effect, rule } = decision;
        let effect = match effect {
            GateEffect::Deny(denial) => return refuse(rule, GateRefusal::Denied(denial)),
            GateEffect::Confirm(reasons) => RulingEffect::Confirm(reasons),
            GateEffect::Allow => RulingEffect::Allow,
        };
        if let Some(scope) = request.origin.scopes.missing(&request.entry.operation.required_scopes) {
            return refuse(GateRule::Scope(scope.clone()), GateRefusal::Scope(scope.clone()));
        }
        match self.policy.as_ref().and_then(|policy| policy.denies(request)) {
            Some(denial) => refuse(GateRule::Policy(denial.rule.clone()), GateRefusal::Policy(denial)),
            None => PolicyRuling { rule, effect },
        }
    }

    /// Redeems the token of a request, or asks for a yes to it.
    async fn confirmed(
        &self,
        record: &GateRecord<'_>,
        given: ConfirmationInput<'_>,
        reasons: Vec<String>,
    ) -> Result<Grant, GateRefusal> {
        let message = message::confirmation_message(record.operation(), record.values());
        let question = Question {
            approver: given.approver,
            ..question(record, &reasons, message.as_deref(), given.shown)
        };
        if let Some(token) = given.token {
            // A yes to go on after a pause is none to a dangerous call.
            if token.starts_with(QUOTA_TOKEN) {
                return Err(GateRefusal::Token(TokenRefusal::Invalid { token: masked(token) }));
            }
            let redeemed = self.confirmations.redeem(token, &question).await;
            return redeemed.map(Grant::Confirmed).map_err(GateRefusal::Token);
        }
        let need = match self.confirmations.ask(&question).await.map_err(GateRefusal::NotAsked)? {
            AskOutcome::Token(issued) => ConfirmationNeed::Token(issued),
            AskOutcome::Waiting(approval) => ConfirmationNeed::Operator(approval),
            AskOutcome::Approved(call) => return Ok(Grant::Confirmed(call)),
            AskOutcome::CoolingDown { retry_after_seconds } => {
                return Err(GateRefusal::Token(TokenRefusal::CoolingDown { retry_after_seconds }));
            }
            AskOutcome::Denied { reason } => return Err(GateRefusal::OperatorDenied { reason }),
        };
        let danger_level = record.danger();
        let needed = NeededConfirmation { need, danger_level, reasons, message };
        Err(GateRefusal::ConfirmationNeeded(Box::new(needed)))
    }

    /// Writes down what was decided, and gives the permit where it was in favour.
    fn settled<'a>(
        &self,
        record: GateRecord<'a>,
        outcome: Result<Grant, GateRefusal>,
    ) -> Result<Permit<'a>, Box<RefusedRequest<'a>>> {
        let grant = match outcome {
            Ok(grant) => grant,
            Err(refusal) => return Err(self.refuse(record, refusal)),
        };
        let record = record.decided(match &grant {
            Grant::Allowed | Grant::AllowedAndTracked(_) => GateOutcome::Allowed,
            Grant::Confirmed(_) | Grant::WithConfirmed => GateOutcome::Confirmed,
        });
        self.write_down(&record);
        Ok(match grant {
            Grant::Confirmed(call) | Grant::AllowedAndTracked(call) => Permit::tracked(record, call),
            Grant::Allowed | Grant::WithConfirmed => Permit::new(record),
        })
    }

    /// Logs what was decided. A denial is in the audit too; what a confirmation decides, and what runs without one, is there
    /// already.
    fn write_down(&self, record: &GateRecord<'_>) {
        log(record);
        if let Some(audit) = self.audit.as_ref().filter(|_| record.outcome().is_denial()) {
            audit.note(record);
        }
    }

    /// The store of confirmations, for calls that come to a paused quota.
    pub fn confirmations(&self) -> &Arc<dyn Confirmations> {
        &self.confirmations
    }

    /// Forgets everything that belongs to a session.
    pub fn end_session(&self, session: &SessionId) {
        self.confirmations.end_session(session);
        if let Some(agents) = &self.agents {
            agents.end_session(session);
        }
    }
}

/// What somebody has to say yes to before this request runs.
fn question<'q>(
    record: &'q GateRecord<'_>,
    reasons: &'q [String],
    message: Option<&'q str>,
    shown: &'q (dyn Fn() -> Value + Sync),
) -> Question<'q> {
    Question {
        scope: record.token_scope(),
        caller: record.caller(),
        rule: record.rule().to_string(),
        danger: record.danger(),
        cooldown_seconds: record.operation().danger.cooldown_seconds,
        needs_operator: record.operation().danger.requires_reauth,
        audit_context: record.audit_context(),
        reasons,
        message,
        approver: None,
        shown,
    }
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
