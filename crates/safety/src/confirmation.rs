//! Confirmation tokens: issued for exactly one call, redeemed once, gone with their session.
//!
//! Kept in memory by the hash of the token, so that nothing here can print one (confirmation-token document). A token is for the
//! operation as it was when it was given: see `RequestDigest`.

use aqueduct_operations::call::SessionId;
use aqueduct_operations::clock::Clock;
use aqueduct_operations::danger::DangerLevel;
use aqueduct_operations::digest::Digest;
use aqueduct_operations::gatekeeper::{
    Confirmations, IssuedToken, NoRandomness, TokenRefusal, TokenScope, masked,
};
use aqueduct_operations::handler::Boxed;
use jiff::{SignedDuration, Timestamp};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Tokens kept for one source; whoever has the most of them makes room for new ones.
const MOST_PER_SOURCE: usize = 1000;

/// How long a dead token is remembered, to distinguish "expired" from "unknown".
const MEMORY: SignedDuration = SignedDuration::from_hours(1);

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

/// The tokens that are out.
pub struct ConfirmationTokens {
    settings: GateSettings,
    clock: Arc<dyn Clock>,
    records: Mutex<HashMap<Digest, TokenRecord>>,
}

#[derive(Debug)]
struct TokenRecord {
    scope: TokenScope,
    expires_at: Timestamp,
    consumed_at: Option<Timestamp>,
}

impl ConfirmationTokens {
    /// No token is out yet.
    pub fn new(settings: GateSettings, clock: Arc<dyn Clock>) -> ConfirmationTokens {
        ConfirmationTokens { settings, clock, records: Mutex::new(HashMap::new()) }
    }

    /// Makes a token for one call.
    fn issue_now(&self, scope: &TokenScope, danger: DangerLevel) -> Result<IssuedToken, NoRandomness> {
        let now = self.clock.now();
        let default_ttl = if danger == DangerLevel::Forbidden { 120 } else { 300 };
        let ttl = self.settings.ttl_seconds.unwrap_or(default_ttl);
        let expires_at = now + SignedDuration::from_secs(ttl.min(900).cast_signed());
        let token = new_token()?;
        let mut records = self.records();
        records.retain(|_, record| record.expires_at + MEMORY > now);
        make_room(&mut records, scope, now);
        records.insert(
            Digest::of_text(&token),
            TokenRecord { scope: scope.clone(), expires_at, consumed_at: None },
        );
        Ok(IssuedToken { token, expires_at })
    }

    /// Uses a token up, or says why not. Checked in this order: exists (and belongs to the session), source and
    /// operation and parameters, what the operation is resolved to, expiry, use.
    fn redeem_now(&self, token: &str, scope: &TokenScope) -> Result<(), TokenRefusal> {
        let now = self.clock.now();
        let grace = SignedDuration::from_secs(self.settings.clock_skew_seconds.min(300).cast_signed());
        let masked = masked(token);
        let mut records = self.records();
        let record = records
            .get_mut(&Digest::of_text(token))
            .filter(|record| record.scope.session == scope.session)
            .ok_or_else(|| TokenRefusal::Invalid { token: masked.clone() })?;
        if !record.scope.is_for_the_same_call(scope) {
            return Err(TokenRefusal::ScopeMismatch {
                token: masked,
                token_operation: record.scope.operation.clone(),
                requested_operation: scope.operation.clone(),
            });
        }
        if record.scope.resolved != scope.resolved {
            return Err(TokenRefusal::OperationChanged { token: masked, operation: scope.operation.clone() });
        }
        if now >= record.expires_at + grace {
            return Err(TokenRefusal::Expired { token: masked, expired_at: record.expires_at, now });
        }
        if let Some(consumed_at) = record.consumed_at {
            return Err(TokenRefusal::AlreadyUsed { token: masked, consumed_at });
        }
        record.consumed_at = Some(now);
        Ok(())
    }

    /// A poisoned lock means a panic between two map operations; the map itself is whole.
    fn records(&self) -> MutexGuard<'_, HashMap<Digest, TokenRecord>> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Confirmations for ConfirmationTokens {
    fn issue<'a>(
        &'a self,
        scope: &'a TokenScope,
        danger: DangerLevel,
    ) -> Boxed<'a, Result<IssuedToken, NoRandomness>> {
        Box::pin(std::future::ready(self.issue_now(scope, danger)))
    }

    fn redeem<'a>(&'a self, token: &'a str, scope: &'a TokenScope) -> Boxed<'a, Result<(), TokenRefusal>> {
        Box::pin(std::future::ready(self.redeem_now(token, scope)))
    }

    fn end_session(&self, session: &SessionId) {
        self.records().retain(|_, record| record.scope.session != *session);
    }
}

impl fmt::Debug for ConfirmationTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConfirmationTokens").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// Makes room for one more token of this source: those that are of no use any more go first, then the oldest of the session that
/// has the most of them. So nobody loses theirs to somebody who asks for many.
fn make_room(records: &mut HashMap<Digest, TokenRecord>, scope: &TokenScope, now: Timestamp) {
    let of_source = || records.iter().filter(|(_, record)| record.scope.source == scope.source);
    if of_source().count() < MOST_PER_SOURCE {
        return;
    }
    let mut held: HashMap<&SessionId, usize> = HashMap::new();
    for (_, record) in of_source() {
        *held.entry(&record.scope.session).or_default() += 1;
    }
    let count = |record: &TokenRecord| held.get(&record.scope.session).copied().unwrap_or_default();
    let is_live = |record: &TokenRecord| record.consumed_at.is_none() && record.expires_at > now;
    let first = of_source().min_by_key(|(_, record)| {
        let is_anothers = record.scope.session != scope.session;
        (is_live(record), usize::MAX - count(record), is_anothers, record.expires_at)
    });
    if let Some(first) = first.map(|(key, _)| key.clone()) {
        records.remove(&first);
    }
}

/// 256 bits from the operating system.
fn new_token() -> Result<String, NoRandomness> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).map_err(|_| NoRandomness)?;
    let mut token = String::with_capacity(69);
    token.push_str("conf_");
    for byte in bytes {
        token.push_str(&format!("{byte:02x}"));
    }
    Ok(token)
}

#[cfg(test)]
mod tests;
