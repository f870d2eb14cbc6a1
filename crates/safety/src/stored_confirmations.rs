//! Confirmations in a store: tokens and approvals that outlive the process, hold for all of them, and are in the audit.
//!
//! A question in; a token, or an approval that waits, or the call that may run out. Whatever the store says no to, or does not
//! answer, is a no. What an adapter wants signed for (`requires_reauth`) is the operator's, no matter who confirms the rest. Sessions that
//! never asked anything cost nothing when they end.

use crate::confirmation::{GateSettings, longest_cooldown, seconds_until, worst_danger};
use crate::hooks::{HookFailure, WaitingCalls};
use aqueduct_operations::call::SessionId;
use aqueduct_operations::clock::Clock;
use aqueduct_operations::gatekeeper::{
    AskFailure, AskOutcome, CallEnd, Confirmations, ConfirmedCall, IssuedToken, NoRandomness,
    PendingApproval, PlanAskOutcome, Question, TokenRefusal, TrackedCall, masked,
};
use aqueduct_operations::handler::Boxed;
use aqueduct_operations::secrets::values::hide_named;
use aqueduct_store::approvals::{self, ApprovalRequest, Claim, ClaimTerms, PlanState};
use aqueduct_store::audit::AuditEntry;
use aqueduct_store::audit::entry::event;
use aqueduct_store::confirmations::{
    self as tokens, Coverage, Issue, IssueRequest, Redeem, Redemption, TokenKind,
};
use aqueduct_store::{CallKey, Requester, StartedCall, Store, StoreError};
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::future::ready;
use std::slice;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long an operator's answer is waited for.
const APPROVAL_WAIT: Duration = Duration::from_secs(3600);

/// Who says yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Confirmer {
    /// The person at the client, which gets a token for the call.
    #[default]
    Client,
    /// An operator, whom the client does not reach.
    Operator,
}

/// Confirmations that are kept in a store.
#[derive(Debug)]
pub struct StoredConfirmations {
    store: Store,
    settings: GateSettings,
    confirmer: Confirmer,
    clock: Arc<dyn Clock>,
    /// Sessions that have something in the store.
    sessions: Mutex<HashSet<SessionId>>,
}

impl StoredConfirmations {
    /// Confirmations in this store.
    pub fn new(
        store: Store,
        settings: GateSettings,
        confirmer: Confirmer,
        clock: Arc<dyn Clock>,
    ) -> StoredConfirmations {
        StoredConfirmations { store, settings, confirmer, clock, sessions: Mutex::default() }
    }

    /// Makes a token for these calls, which are of one session.
    async fn issue(&self, calls: &[Question<'_>]) -> Result<IssuedToken, AskFailure> {
        let request = IssueRequest {
            kind: TokenKind::Confirmation,
            asker: asker(first(calls)?),
            calls: calls.iter().map(call_key).collect(),
            rule: Some(rules(calls)),
            lifetime: self.settings.lifetime(worst_danger(calls)),
            cooldown: longest_cooldown(calls),
        };
        let issued = self.issue_as(request).await?;
        self.notify(calls, None, issued.expires_at);
        Ok(issued)
    }

    /// Makes a token by which a call goes on after a pause.
    async fn issue_to_continue(&self, question: &Question<'_>) -> Result<IssuedToken, AskFailure> {
        let request = IssueRequest {
            kind: TokenKind::QuotaContinue,
            asker: asker(question),
            calls: vec![call_key(question)],
            rule: Some(question.rule.clone()),
            lifetime: self.settings.quota_lifetime(),
            cooldown: Duration::ZERO,
        };
        self.issue_as(request).await
    }

    async fn issue_as(&self, request: IssueRequest) -> Result<IssuedToken, AskFailure> {
        match self.store.issue_token(request).await.map_err(unavailable)? {
            Issue::Issued(issued) => {
                let token = issued.token.expose_secret().to_owned();
                Ok(IssuedToken { token, expires_at: issued.expires_at })
            }
            Issue::Limited { until } => {
                Err(AskFailure::RateLimited { retry_after_seconds: seconds_until(until, self.clock.now()) })
            }
        }
    }

    /// Runs by the operator's yes, or asks for one: the operator, or the person at the client.
    async fn ask_one(&self, question: &Question<'_>) -> Result<AskOutcome, AskFailure> {
        let (asker, call) = (asker(question), call_key(question));
        let terms = ClaimTerms {
            cooldown: Duration::from_secs(question.cooldown_seconds),
            context: question.audit_context.clone(),
        };
        let calls = slice::from_ref(question);
        let by_operator = self.is_for_operator(calls);
        match self.store.claim_approval(&asker, &call, terms).await.map_err(unavailable)? {
            Claim::Claimed { call, .. } => {
                Ok(AskOutcome::Approved(ConfirmedCall::tracked(TrackedInStore(call))))
            }
            Claim::CoolingDown { until } => {
                Ok(AskOutcome::CoolingDown { retry_after_seconds: seconds_until(until, self.clock.now()) })
            }
            Claim::Waiting(approval) if by_operator => Ok(AskOutcome::Waiting(waiting(&approval))),
            Claim::Denied(approval) if by_operator => Ok(AskOutcome::Denied { reason: approval.reason }),
            _ if by_operator => self.request_approval(calls).await.map(AskOutcome::Waiting),
            // Part of a plan that an operator was asked about, and now called for itself.
            _ => self.issue(calls).await.map(AskOutcome::Token),
        }
    }

    /// True when an operator has to say yes: to everything, or to a call that no one else may.
    fn is_for_operator(&self, calls: &[Question<'_>]) -> bool {
        self.confirmer == Confirmer::Operator || calls.iter().any(|call| call.needs_operator)
    }

    /// Finds that the operator has said yes to all of these calls, or asks for it.
    async fn ask_operator_for_all(&self, calls: &[Question<'_>]) -> Result<PlanAskOutcome, AskFailure> {
        let keys = calls.iter().map(call_key).collect();
        let asker = asker(first(calls)?);
        match self.store.plan_approval(asker, keys, longest_cooldown(calls)).await.map_err(unavailable)? {
            PlanState::Approved => Ok(PlanAskOutcome::Approved),
            PlanState::CoolingDown { until } => Ok(PlanAskOutcome::CoolingDown {
                retry_after_seconds: seconds_until(until, self.clock.now()),
            }),
            PlanState::Waiting(approval) => Ok(PlanAskOutcome::Waiting(waiting(&approval))),
            PlanState::Denied(approval) => Ok(PlanAskOutcome::Denied { reason: approval.reason }),
            PlanState::Nothing => self.request_approval(calls).await.map(PlanAskOutcome::Waiting),
        }
    }

    /// Puts these calls, which are of one session, before the operator.
    async fn request_approval(&self, calls: &[Question<'_>]) -> Result<PendingApproval, AskFailure> {
        let request = ApprovalRequest {
            asker: asker(first(calls)?),
            calls: calls.iter().map(call_key).collect(),
            danger: worst_danger(calls).number(),
            rule: Some(rules(calls)),
            shown: json!({"calls": calls.iter().map(shown).collect::<Vec<Value>>()}),
            lifetime: APPROVAL_WAIT,
        };
        match self.store.request_approval(request).await.map_err(unavailable)? {
            approvals::RequestedApproval::Waiting(approval) => {
                self.notify(calls, Some(&approval.id), approval.expires_at);
                Ok(waiting(&approval))
            }
            approvals::RequestedApproval::Limited { until } => {
                Err(AskFailure::RateLimited { retry_after_seconds: seconds_until(until, self.clock.now()) })
            }
        }
    }

    /// Notifies listeners that these calls wait. No caller waits for them; that they fail is in the audit.
    fn notify(&self, calls: &[Question<'_>], approval: Option<&str>, expires_at: Timestamp) {
        let (Some(listener), Some(first)) = (&self.settings.listener, calls.first()) else { return };
        let waiting = WaitingCalls {
            approval: approval.map(str::to_owned),
            caller: first.caller.name().to_owned(),
            danger: worst_danger(calls),
            rule: rules(calls),
            expires_at,
            calls: calls.iter().map(shown).collect(),
        };
        let line = AuditEntry::new(event::HOOK_FAILED, "failure").by(&asker(first));
        let line = AuditEntry { token: approval.map(str::to_owned), ..line };
        let (notified, store) = (listener.notify(waiting), self.store.clone());
        tokio::spawn(async move {
            if let Err(HookFailure(why)) = notified.await {
                store.note_audit(line.because(why));
            }
        });
    }

    async fn redeem_token(
        &self,
        token: &str,
        question: &Question<'_>,
    ) -> Result<ConfirmedCall, TokenRefusal> {
        self.takes_tokens(token, slice::from_ref(question)).await?;
        let redeem = Redeem {
            token: SecretString::from(token.to_owned()),
            asker: asker(question),
            call: call_key(question),
            rule: Some(question.rule.clone()),
            approver: question.approver.map(str::to_owned),
            context: question.audit_context.clone(),
            grace: self.settings.grace(),
        };
        let redemption = self.store.redeem_token(redeem).await;
        match redemption.map_err(|error| TokenRefusal::Unavailable(error.to_string()))? {
            Redemption::Redeemed(call) => Ok(ConfirmedCall::tracked(TrackedInStore(call))),
            Redemption::Refused(refusal) => Err(self.refused(token, refusal, question)),
            Redemption::Limited { until } => {
                Err(TokenRefusal::RateLimited { retry_after_seconds: seconds_until(until, self.clock.now()) })
            }
        }
    }

    async fn check_token(&self, token: &str, calls: &[Question<'_>]) -> Result<(), TokenRefusal> {
        let Some(first) = calls.first() else { return Ok(()) };
        self.takes_tokens(token, calls).await?;
        let keys = calls.iter().map(call_key).collect();
        let secret = SecretString::from(token.to_owned());
        let coverage = self.store.token_covers(secret, asker(first), keys, self.settings.grace()).await;
        match coverage.map_err(|error| TokenRefusal::Unavailable(error.to_string()))? {
            Coverage::Whole => Ok(()),
            Coverage::Refused { index, refusal } => {
                Err(self.refused(token, refusal, calls.get(index).unwrap_or(first)))
            }
            Coverage::Limited { until } => {
                Err(TokenRefusal::RateLimited { retry_after_seconds: seconds_until(until, self.clock.now()) })
            }
        }
    }

    /// Where the operator confirms there are no tokens, so that one is a guess, or of another time. It counts as a wrong one.
    async fn takes_tokens(&self, token: &str, calls: &[Question<'_>]) -> Result<(), TokenRefusal> {
        let Some(first) = calls.first().filter(|_| self.is_for_operator(calls)) else { return Ok(()) };
        let rejected = self.store.reject_token(asker(first), call_key(first)).await;
        Err(match rejected.map_err(|error| TokenRefusal::Unavailable(error.to_string()))? {
            None => TokenRefusal::Invalid { token: masked(token) },
            Some(until) => {
                TokenRefusal::RateLimited { retry_after_seconds: seconds_until(until, self.clock.now()) }
            }
        })
    }

    fn refused(
        &self,
        token: &str,
        refusal: tokens::StoredTokenRefusal,
        question: &Question<'_>,
    ) -> TokenRefusal {
        let (token, operation) = (masked(token), question.scope.operation.clone());
        match refusal {
            tokens::StoredTokenRefusal::Unknown => TokenRefusal::Invalid { token },
            tokens::StoredTokenRefusal::Revoked => TokenRefusal::Revoked { token },
            tokens::StoredTokenRefusal::Expired { at } => {
                TokenRefusal::Expired { token, expired_at: at, now: self.clock.now() }
            }
            tokens::StoredTokenRefusal::AlreadyUsed { at } => {
                TokenRefusal::AlreadyUsed { token, consumed_at: at }
            }
            tokens::StoredTokenRefusal::CoolingDown { until } => {
                TokenRefusal::CoolingDown { retry_after_seconds: seconds_until(until, self.clock.now()) }
            }
            tokens::StoredTokenRefusal::OtherCall { operation: token_operation } => {
                TokenRefusal::ScopeMismatch { token, token_operation, requested_operation: operation }
            }
            tokens::StoredTokenRefusal::OperationChanged => {
                TokenRefusal::OperationChanged { token, operation }
            }
        }
    }

    fn sessions(&self) -> MutexGuard<'_, HashSet<SessionId>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Confirmations for StoredConfirmations {
    fn ask<'a>(&'a self, question: &'a Question<'a>) -> Boxed<'a, Result<AskOutcome, AskFailure>> {
        self.sessions().insert(question.scope.session.clone());
        Box::pin(self.ask_one(question))
    }

    fn gives_tokens(&self) -> bool {
        self.confirmer == Confirmer::Client
    }

    fn redeem<'a>(
        &'a self,
        token: &'a str,
        question: &'a Question<'a>,
    ) -> Boxed<'a, Result<ConfirmedCall, TokenRefusal>> {
        Box::pin(self.redeem_token(token, question))
    }

    fn ask_to_continue<'a>(
        &'a self,
        question: &'a Question<'a>,
    ) -> Boxed<'a, Result<Option<IssuedToken>, AskFailure>> {
        self.sessions().insert(question.scope.session.clone());
        Box::pin(async move {
            match self.confirmer {
                Confirmer::Client => self.issue_to_continue(question).await.map(Some),
                Confirmer::Operator => Ok(None),
            }
        })
    }

    fn ask_plan<'a>(&'a self, calls: &'a [Question<'a>]) -> Boxed<'a, Result<PlanAskOutcome, AskFailure>> {
        self.sessions().extend(calls.first().map(|call| call.scope.session.clone()));
        Box::pin(async move {
            if self.is_for_operator(calls) {
                self.ask_operator_for_all(calls).await
            } else {
                self.issue(calls).await.map(PlanAskOutcome::Token)
            }
        })
    }

    fn check_plan<'a>(
        &'a self,
        token: &'a str,
        calls: &'a [Question<'a>],
    ) -> Boxed<'a, Result<(), TokenRefusal>> {
        Box::pin(self.check_token(token, calls))
    }

    fn end_session(&self, session: &SessionId) {
        if self.sessions().remove(session) {
            self.store.end_session_soon(session.as_str());
        }
    }
}

/// A call of which the store knows that it runs.
#[derive(Debug)]
pub(crate) struct TrackedInStore(pub StartedCall);

impl TrackedCall for TrackedInStore {
    /// No caller waits until it is written: the caller has its answer.
    fn finish(self: Box<Self>, end: CallEnd) -> Boxed<'static, ()> {
        let (outcome, detail) = match end {
            CallEnd::Succeeded => ("success", None),
            CallEnd::Failed(code) => ("failure", Some(code)),
        };
        self.0.finish(outcome, detail);
        Box::pin(ready(()))
    }
}

fn asker(question: &Question<'_>) -> Requester {
    Requester {
        session: question.scope.session.as_str().to_owned(),
        caller: question.caller.name().to_owned(),
    }
}

fn call_key(question: &Question<'_>) -> CallKey {
    let scope = &question.scope;
    CallKey {
        source: scope.source.clone(),
        operation: scope.operation.clone(),
        params: scope.params.hex(),
        resolved: scope.resolved.hex(),
    }
}

fn waiting(approval: &approvals::Approval) -> PendingApproval {
    PendingApproval { id: approval.id.clone(), expires_at: approval.expires_at }
}

fn first<'q, 'a>(calls: &'q [Question<'a>]) -> Result<&'q Question<'a>, AskFailure> {
    calls.first().ok_or_else(|| AskFailure::Unavailable("there is nothing to confirm".to_owned()))
}

/// The rules that ask for a confirmation of these calls, each once.
fn rules(calls: &[Question<'_>]) -> String {
    let mut rules: Vec<&str> = Vec::new();
    for call in calls {
        if !rules.contains(&call.rule.as_str()) {
            rules.push(&call.rule);
        }
    }
    rules.join("; ")
}

/// What the operator is shown of a call. It is kept, so that what is a secret by its name alone is hidden too.
fn shown(question: &Question<'_>) -> Value {
    let mut shown = (question.shown)();
    hide_named(&mut shown);
    if let Value::Object(fields) = &mut shown {
        fields.insert("danger_level".to_owned(), question.danger.name().into());
        fields.insert("reasons".to_owned(), question.reasons.into());
        fields.insert("message".to_owned(), question.message.into());
        fields.insert("cooldown_seconds".to_owned(), question.cooldown_seconds.into());
    }
    shown
}

fn unavailable(error: StoreError) -> AskFailure {
    match error {
        StoreError::NoRandomness => AskFailure::NoRandomness(NoRandomness),
        other => AskFailure::Unavailable(other.to_string()),
    }
}

#[cfg(test)]
mod tests;
