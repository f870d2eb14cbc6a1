//! Confirmation tokens: issued for exactly one call, or the calls of one plan, redeemed once for each, gone with their session.
//!
//! Kept in memory by the hash of the token, so that nothing here can print one (confirmation-token document). A token is for the
//! operation as it was when it was given: see `RequestDigest`.

mod minute_counter;
mod record;

#[cfg(feature = "store")]
use crate::hooks::WaitingListener;
use aqueduct_operations::call::{Caller, SessionId};
use aqueduct_operations::clock::{Clock, later};
use aqueduct_operations::danger::DangerLevel;
use aqueduct_operations::digest::{Digest, hex};
use aqueduct_operations::gatekeeper::{
    AskFailure, AskOutcome, CONFIRMATION_TOKEN, Confirmations, ConfirmedCall, IssuedToken, NoRandomness,
    PlanAskOutcome, QUOTA_TOKEN, Question, TokenRefusal, TokenScope, masked,
};
use aqueduct_operations::handler::Boxed;
use jiff::{SignedDuration, Timestamp};
use minute_counter::MinuteCounter;
use record::{CapacityReached, CoveredCall, TokenRecord, TokenUse, make_room};
use std::collections::HashMap;
use std::fmt;
use std::future::ready;
use std::slice;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a dead token is remembered, to distinguish "expired" from "unknown".
const MEMORY: SignedDuration = SignedDuration::from_hours(1);

/// How confirmations work.
#[derive(Debug, Clone)]
pub struct GateSettings {
    /// How long a token lives; absent is the default of its danger level.
    pub ttl_seconds: Option<u64>,
    /// Grace added to the expiry for clocks that disagree.
    pub clock_skew_seconds: u64,
    /// Tokens that a session gets in a minute. A store has settings of its own for this.
    pub issued_per_minute: u64,
    /// Wrong tokens of a session in a minute, after which none of it is taken. A store has settings of its own for this.
    pub failures_per_minute: u64,
    /// Told of what waits for a yes, where there is a store.
    #[cfg(feature = "store")]
    pub listener: Option<Arc<dyn WaitingListener>>,
}

impl Default for GateSettings {
    fn default() -> GateSettings {
        GateSettings {
            ttl_seconds: None,
            clock_skew_seconds: 30,
            issued_per_minute: 120,
            failures_per_minute: 10,
            #[cfg(feature = "store")]
            listener: None,
        }
    }
}

impl GateSettings {
    /// How long a token for a call of this danger lives, and how long such a call may be repeated after an operator's yes
    /// (confirmation-token document, section 5.1).
    pub fn lifetime(&self, danger: DangerLevel) -> Duration {
        let (usual, longest) = if danger == DangerLevel::Forbidden { (120, 300) } else { (300, 900) };
        Duration::from_secs(self.ttl_seconds.unwrap_or(usual).min(longest))
    }

    /// How long a token for a paused quota lives (confirmation-token document, section 5.1).
    pub(crate) fn quota_lifetime(&self) -> Duration {
        Duration::from_secs(self.ttl_seconds.unwrap_or(300).min(600))
    }

    /// What is added to the life of a token for clocks that disagree.
    pub(crate) fn grace(&self) -> Duration {
        Duration::from_secs(self.clock_skew_seconds.min(300))
    }
}

/// What a token begins with, how long it lives, and how long it cannot be used yet.
struct TokenTerms {
    prefix: &'static str,
    lifetime: Duration,
    cooldown: Duration,
}

impl TokenTerms {
    /// Those of a token that confirms calls.
    fn confirming(lifetime: Duration, cooldown: Duration) -> TokenTerms {
        TokenTerms { prefix: CONFIRMATION_TOKEN, lifetime, cooldown }
    }
}

/// The tokens that are out.
pub struct ConfirmationTokens {
    settings: GateSettings,
    clock: Arc<dyn Clock>,
    records: Mutex<HashMap<Digest, TokenRecord>>,
    issued: MinuteCounter,
    failures: MinuteCounter,
}

impl ConfirmationTokens {
    /// No token is out yet.
    pub fn new(settings: GateSettings, clock: Arc<dyn Clock>) -> ConfirmationTokens {
        let (issued, failures) = (settings.issued_per_minute, settings.failures_per_minute);
        let (issued, failures) = (MinuteCounter::new(issued), MinuteCounter::new(failures));
        ConfirmationTokens { settings, clock, records: Mutex::default(), issued, failures }
    }

    /// Makes a token for one call.
    fn issue_now(
        &self,
        caller: &Caller,
        scope: &TokenScope,
        danger: DangerLevel,
        cooldown: Duration,
    ) -> Result<IssuedToken, AskFailure> {
        let terms = TokenTerms::confirming(self.settings.lifetime(danger), cooldown);
        self.issue_for(caller, vec![scope.clone()], terms)
    }

    /// Makes a token for these calls of one session.
    fn issue_for(
        &self,
        caller: &Caller,
        calls: Vec<TokenScope>,
        TokenTerms { prefix, lifetime, cooldown }: TokenTerms,
    ) -> Result<IssuedToken, AskFailure> {
        let now = self.clock.now();
        let limited = |until| AskFailure::RateLimited { retry_after_seconds: seconds_until(until, now) };
        if let Some(until) = calls.first().and_then(|first| self.issued.count(&first.session, now)) {
            return Err(limited(until));
        }
        let usable_at = later(now, cooldown);
        let expires_at = later(usable_at, lifetime);
        let token = new_token(prefix).map_err(AskFailure::NoRandomness)?;
        let mut records = self.records();
        records.retain(|_, record| record.expires_at + MEMORY > now);
        for scope in &calls {
            make_room(&mut records, caller, scope, now)
                .map_err(|CapacityReached { until }| limited(until))?;
        }
        let calls = calls.into_iter().map(|scope| CoveredCall { scope, consumed_at: None }).collect();
        let record = TokenRecord { caller: caller.clone(), calls, usable_at, expires_at };
        records.insert(Digest::of_text(&token), record);
        Ok(IssuedToken { token, expires_at })
    }

    /// Uses a token up, or says why not. After too many wrong ones, a right one is refused too.
    fn redeem_counted(&self, token: &str, scope: &TokenScope) -> Result<(), TokenRefusal> {
        self.counted(&scope.session, || self.redeem_now(token, scope))
    }

    /// What becomes of a token, if not too many of the session were refused.
    fn counted(
        &self,
        session: &SessionId,
        redeem: impl FnOnce() -> Result<(), TokenRefusal>,
    ) -> Result<(), TokenRefusal> {
        let now = self.clock.now();
        let limited = |until| TokenRefusal::RateLimited { retry_after_seconds: seconds_until(until, now) };
        if let Some(until) = self.failures.over_until(session, now) {
            return Err(limited(until));
        }
        let redeemed = redeem();
        match redeemed.is_err().then(|| self.failures.count(session, now)).flatten() {
            Some(until) => Err(limited(until)),
            None => redeemed,
        }
    }

    /// Uses a token up for one call, or says why not.
    fn redeem_now(&self, token: &str, scope: &TokenScope) -> Result<(), TokenRefusal> {
        let mut records = self.records();
        let record = self.record_of(&mut records, token, scope)?;
        let at = record.find(scope, &[], &self.use_now(token))?;
        record.calls[at].consumed_at = Some(self.clock.now());
        Ok(())
    }

    /// Says whether a token has something for each of these calls.
    fn check_now(&self, token: &str, calls: &[Question<'_>]) -> Result<(), TokenRefusal> {
        let mut records = self.records();
        let mut taken = Vec::new();
        for call in calls {
            let record = self.record_of(&mut records, token, &call.scope)?;
            taken.push(record.find(&call.scope, &taken, &self.use_now(token))?);
        }
        Ok(())
    }

    /// The record of a token, if there is one and it belongs to the session.
    fn record_of<'r>(
        &self,
        records: &'r mut HashMap<Digest, TokenRecord>,
        token: &str,
        scope: &TokenScope,
    ) -> Result<&'r mut TokenRecord, TokenRefusal> {
        let record = records.get_mut(&Digest::of_text(token));
        let record = record.filter(|record| record.is_of(&scope.session));
        record.ok_or_else(|| TokenRefusal::Invalid { token: masked(token) })
    }

    fn use_now(&self, token: &str) -> TokenUse {
        TokenUse { token: masked(token), now: self.clock.now(), grace: self.settings.grace() }
    }

    /// A poisoned lock means a panic between two map operations; the map itself is whole.
    fn records(&self) -> MutexGuard<'_, HashMap<Digest, TokenRecord>> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Confirmations for ConfirmationTokens {
    fn ask<'a>(&'a self, question: &'a Question<'a>) -> Boxed<'a, Result<AskOutcome, AskFailure>> {
        let cooldown = Duration::from_secs(question.cooldown_seconds);
        let issued = nobody_signs_in(slice::from_ref(question))
            .and_then(|()| self.issue_now(question.caller, &question.scope, question.danger, cooldown));
        Box::pin(ready(issued.map(AskOutcome::Token)))
    }

    fn gives_tokens(&self) -> bool {
        true
    }

    fn redeem<'a>(
        &'a self,
        token: &'a str,
        question: &'a Question<'a>,
    ) -> Boxed<'a, Result<ConfirmedCall, TokenRefusal>> {
        Box::pin(ready(self.redeem_counted(token, &question.scope).map(|()| ConfirmedCall::untracked())))
    }

    fn ask_to_continue<'a>(
        &'a self,
        question: &'a Question<'a>,
    ) -> Boxed<'a, Result<Option<IssuedToken>, AskFailure>> {
        let lifetime = self.settings.quota_lifetime();
        let terms = TokenTerms { prefix: QUOTA_TOKEN, lifetime, cooldown: Duration::ZERO };
        let issued = self.issue_for(question.caller, vec![question.scope.clone()], terms);
        Box::pin(ready(issued.map(Some)))
    }

    fn ask_plan<'a>(&'a self, calls: &'a [Question<'a>]) -> Boxed<'a, Result<PlanAskOutcome, AskFailure>> {
        let scopes = calls.iter().map(|call| call.scope.clone()).collect();
        let caller = calls.first().map_or_else(Caller::local, |first| first.caller.clone());
        let lifetime = self.settings.lifetime(worst_danger(calls));
        let terms = TokenTerms::confirming(lifetime, longest_cooldown(calls));
        let issued = nobody_signs_in(calls).and_then(|()| self.issue_for(&caller, scopes, terms));
        Box::pin(ready(issued.map(PlanAskOutcome::Token)))
    }

    fn check_plan<'a>(
        &'a self,
        token: &'a str,
        calls: &'a [Question<'a>],
    ) -> Boxed<'a, Result<(), TokenRefusal>> {
        let Some(first) = calls.first() else { return Box::pin(ready(Ok(()))) };
        Box::pin(ready(self.counted(&first.scope.session, || self.check_now(token, calls))))
    }

    fn end_session(&self, session: &SessionId) {
        self.records().retain(|_, record| !record.is_of(session));
        self.issued.forget(session);
        self.failures.forget(session);
    }
}

impl fmt::Debug for ConfirmationTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConfirmationTokens").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// Tokens in memory are for the person at the client: what only an operator can confirm gets none.
fn nobody_signs_in(calls: &[Question<'_>]) -> Result<(), AskFailure> {
    if calls.iter().any(|call| call.needs_operator) { Err(AskFailure::NoOperator) } else { Ok(()) }
}

/// How dangerous the worst of these calls is.
pub(crate) fn worst_danger(calls: &[Question<'_>]) -> DangerLevel {
    calls.iter().map(|call| call.danger).max().unwrap_or(DangerLevel::Safe)
}

/// How long a token for all of these calls cannot be used yet.
pub(crate) fn longest_cooldown(calls: &[Question<'_>]) -> Duration {
    Duration::from_secs(calls.iter().map(|call| call.cooldown_seconds).max().unwrap_or_default())
}

/// Whole seconds until a moment, and at least one.
pub(crate) fn seconds_until(moment: Timestamp, now: Timestamp) -> u64 {
    let seconds = moment.duration_since(now).as_millis().div_euclid(1000) + 1;
    u64::try_from(seconds).unwrap_or(1).max(1)
}

/// 256 bits from the operating system.
fn new_token(prefix: &str) -> Result<String, NoRandomness> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).map_err(|_| NoRandomness)?;
    Ok(format!("{prefix}{}", hex(&bytes)))
}

#[cfg(test)]
mod tests;
