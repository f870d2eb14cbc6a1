//! Plans: the calls of a batch, judged before any of them runs, and confirmed together (ruling S3).
//!
//! Requests in; of each, whether it needs a yes. Then one token for all that do, or one approval. Nothing here gives a permit: each
//! call is judged again when it runs, and uses up its own part of the yes.

use super::confirmations::{AskFailure, PlanAskOutcome, Question, TokenRefusal};
use super::{
    ConfirmationNeed, GateDecision, GateOutcome, GateRecord, GateRequest, Gatekeeper, PersonRefusal,
    PolicyRuling, RefusedRequest, RulingEffect, message, question,
};
use crate::call::Caller;
use crate::danger::DangerLevel;
use crate::operation::RegistryEntry;
use serde_json::Value;

/// A call of a plan that needs a yes.
pub struct PlannedCall<'a> {
    record: GateRecord<'a>,
    reasons: Vec<String>,
    message: Option<String>,
    shown: Box<dyn Fn() -> Value + Send + Sync>,
}

impl<'a> PlannedCall<'a> {
    /// The operation, and its source.
    pub fn entry(&self) -> &'a RegistryEntry {
        self.record.entry()
    }

    /// How dangerous it is.
    pub fn danger(&self) -> DangerLevel {
        self.record.danger()
    }

    /// Why it needs a yes.
    pub fn reasons(&self) -> &[String] {
        &self.reasons
    }

    /// What to ask the person, in the adapter's own words.
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// What an operator is shown of it, with secrets hidden.
    #[must_use]
    pub fn shown_as(self, shown: Value) -> PlannedCall<'a> {
        PlannedCall { shown: Box::new(move || shown.clone()), ..self }
    }

    /// What an operator, or the person behind the client, is shown of it.
    pub fn shown(&self) -> Value {
        (self.shown)()
    }

    fn question(&self) -> Question<'_> {
        question(&self.record, &self.reasons, self.message(), &*self.shown)
    }
}

/// Why a plan does not run now.
#[derive(Debug)]
pub enum PlanRefusal {
    /// A person must confirm it first.
    ConfirmationNeeded(ConfirmationNeed),
    /// An operator said no.
    OperatorDenied {
        /// What they said.
        reason: Option<String>,
    },
    /// The token that came with it is no good, or does not cover it.
    Token(TokenRefusal),
    /// No person could be asked.
    NotAsked(AskFailure),
    /// The person behind the client was asked, and did not agree.
    NotAgreed(PersonRefusal),
    /// It has more calls than a person can be shown, so no person was asked.
    TooLong,
}

impl PlanRefusal {
    /// What became of its calls.
    fn outcome(&self) -> GateOutcome {
        match self {
            PlanRefusal::ConfirmationNeeded(_) => GateOutcome::ConfirmationRequired,
            PlanRefusal::OperatorDenied { .. } => GateOutcome::Denied,
            PlanRefusal::Token(TokenRefusal::Unavailable(_)) | PlanRefusal::NotAsked(_) => {
                GateOutcome::Failed
            }
            PlanRefusal::Token(_) => GateOutcome::TokenRejected,
            PlanRefusal::NotAgreed(PersonRefusal::Declined) => GateOutcome::Declined,
            PlanRefusal::NotAgreed(PersonRefusal::Unanswered) => GateOutcome::Unanswered,
            PlanRefusal::TooLong => GateOutcome::Failed,
        }
    }
}

impl Gatekeeper {
    /// Judges a call of a plan before anything runs: nothing when it needs no yes, or the reason why it may not run at all.
    pub fn foresee<'a>(
        &self,
        request: GateRequest<'a>,
    ) -> Result<Option<PlannedCall<'a>>, Box<RefusedRequest<'a>>> {
        let PolicyRuling { rule, effect } = self.ruling(&request);
        let record = GateRecord::new(request, rule);
        match effect {
            RulingEffect::Allow => Ok(None),
            RulingEffect::Confirm(reasons) => {
                let message = message::confirmation_message(record.operation(), record.values());
                Ok(Some(PlannedCall { record, reasons, message, shown: Box::new(|| Value::Null) }))
            }
            RulingEffect::Refuse(refusal) => {
                let record = record.decided(refusal.outcome());
                self.write_down(&record);
                Err(Box::new(RefusedRequest { record, refusal }))
            }
        }
    }

    /// The decision on a call whose values are not known yet.
    pub fn foresee_any_values(&self, entry: &RegistryEntry, caller: &Caller) -> GateDecision {
        GateDecision::for_caller(&self.rules, entry, caller)
    }

    /// Asks for a yes to these calls, which are never none, or finds that it was given: by this token, or by an operator.
    pub async fn admit_plan(
        &self,
        calls: &[PlannedCall<'_>],
        token: Option<&str>,
    ) -> Result<(), PlanRefusal> {
        self.answer_to(calls, token).await.map_err(|refusal| self.refuse_plan(calls, refusal))
    }

    /// Refuses a plan, each call of it.
    pub fn refuse_plan(&self, calls: &[PlannedCall<'_>], refusal: PlanRefusal) -> PlanRefusal {
        for call in calls {
            self.write_down(&call.record.clone().decided(refusal.outcome()));
        }
        refusal
    }

    async fn answer_to(&self, calls: &[PlannedCall<'_>], token: Option<&str>) -> Result<(), PlanRefusal> {
        let questions: Vec<Question<'_>> = calls.iter().map(PlannedCall::question).collect();
        if let Some(token) = token {
            return self.confirmations.check_plan(token, &questions).await.map_err(PlanRefusal::Token);
        }
        let need = self.confirmations.ask_plan(&questions).await.map_err(PlanRefusal::NotAsked)?;
        let needed = |need| Err(PlanRefusal::ConfirmationNeeded(need));
        match need {
            PlanAskOutcome::Token(token) => needed(ConfirmationNeed::Token(token)),
            PlanAskOutcome::Waiting(approval) => needed(ConfirmationNeed::Operator(approval)),
            PlanAskOutcome::Denied { reason } => Err(PlanRefusal::OperatorDenied { reason }),
            PlanAskOutcome::Approved => Ok(()),
            PlanAskOutcome::CoolingDown { retry_after_seconds } => {
                Err(PlanRefusal::Token(TokenRefusal::CoolingDown { retry_after_seconds }))
            }
        }
    }
}
