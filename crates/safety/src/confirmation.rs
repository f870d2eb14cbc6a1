//! Confirmation tokens: issued for exactly one call, redeemed once, gone with their session.
//!
//! Kept in memory by the hash of the token, so that nothing here can print one (confirmation-token document). A token is for the
//! operation as it was when it was given: see `resolved`.

mod params_hash;
mod resolved_request;

use crate::gatekeeper::GateSettings;
use aqueduct_operations::call::SessionId;
use aqueduct_operations::clock::Clock;
use aqueduct_operations::danger::DangerLevel;
use aqueduct_operations::operation::RegistryEntry;
use jiff::{SignedDuration, Timestamp};
use params_hash::{Digest32, hash_of_params, hash_of_text};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use resolved_request::ResolvedRequest;

/// Tokens kept for one source; whoever has the most of them makes room for new ones.
const MOST_PER_SOURCE: usize = 1000;

/// How long a dead token is remembered, to tell "expired" from "unknown".
const MEMORY: SignedDuration = SignedDuration::from_hours(1);

/// What a token is good for: one call of one operation by one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenScope {
    session: SessionId,
    source: String,
    operation: String,
    params: Digest32,
    resolved: ResolvedRequest,
}

impl TokenScope {
    /// The scope of one call of this operation with these values, as it is resolved now.
    pub fn new(
        session: &SessionId,
        entry: &RegistryEntry,
        params: &Map<String, Value>,
        resolved: ResolvedRequest,
    ) -> TokenScope {
        TokenScope {
            session: session.clone(),
            source: entry.source.name.clone(),
            operation: entry.operation.name.clone(),
            params: hash_of_params(params),
            resolved,
        }
    }

    /// The same call, whatever the operation is resolved to.
    fn is_for_the_same_call(&self, other: &TokenScope) -> bool {
        (&self.session, &self.source, &self.operation, &self.params)
            == (&other.session, &other.source, &other.operation, &other.params)
    }
}

/// A token that has just been made. The only place where it exists in clear.
#[derive(Clone)]
pub struct IssuedToken {
    /// The token, `conf_` and 64 hexadecimal digits.
    pub token: String,
    /// When it stops working.
    pub expires_at: Timestamp,
}

impl fmt::Debug for IssuedToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Issued").field("token", &masked(&self.token)).finish_non_exhaustive()
    }
}

/// The operating system gave no randomness, so no safe token can be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the operating system gave no randomness")]
pub struct NoRandomness;

/// Why a token is no good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenRefusal {
    /// Unknown, malformed or of another session.
    Invalid {
        /// The token, masked.
        token: String,
    },
    /// Too old.
    Expired {
        /// The token, masked.
        token: String,
        /// When it expired.
        expired_at: Timestamp,
        /// What time it is.
        now: Timestamp,
    },
    /// Used before.
    AlreadyUsed {
        /// The token, masked.
        token: String,
        /// When.
        consumed_at: Timestamp,
    },
    /// Given for another call.
    ScopeMismatch {
        /// The token, masked.
        token: String,
        /// The operation it was given for.
        token_operation: String,
        /// The operation it was sent with.
        requested_operation: String,
    },
    /// Given for this call, when the operation would have sent something else, or elsewhere.
    OperationChanged {
        /// The token, masked.
        token: String,
        /// The operation.
        operation: String,
    },
}

/// The tokens that are out.
pub(crate) struct ConfirmationTokens {
    settings: GateSettings,
    clock: Arc<dyn Clock>,
    records: Mutex<HashMap<Digest32, TokenRecord>>,
}

#[derive(Debug)]
struct TokenRecord {
    scope: TokenScope,
    expires_at: Timestamp,
    consumed_at: Option<Timestamp>,
}

impl ConfirmationTokens {
    pub(crate) fn new(settings: GateSettings, clock: Arc<dyn Clock>) -> ConfirmationTokens {
        ConfirmationTokens { settings, clock, records: Mutex::new(HashMap::new()) }
    }

    /// Makes a token for one call.
    pub(crate) fn issue(&self, scope: &TokenScope, danger: DangerLevel) -> Result<IssuedToken, NoRandomness> {
        let now = self.clock.now();
        let default_ttl = if danger == DangerLevel::Forbidden { 120 } else { 300 };
        let ttl = self.settings.ttl_seconds.unwrap_or(default_ttl);
        let expires_at = now + SignedDuration::from_secs(ttl.min(900).cast_signed());
        let token = new_token()?;
        let mut records = self.records();
        records.retain(|_, record| record.expires_at + MEMORY > now);
        make_room(&mut records, scope, now);
        records.insert(
            hash_of_text(&token),
            TokenRecord { scope: scope.clone(), expires_at, consumed_at: None },
        );
        Ok(IssuedToken { token, expires_at })
    }

    /// Uses a token up, or says why not. Checked in this order: exists (and belongs to the session), source and
    /// operation and parameters, what the operation is resolved to, expiry, use.
    pub(crate) fn redeem(&self, token: &str, scope: &TokenScope) -> Result<(), TokenRefusal> {
        let now = self.clock.now();
        let grace = SignedDuration::from_secs(self.settings.clock_skew_seconds.min(300).cast_signed());
        let masked = masked(token);
        let mut records = self.records();
        let record = records
            .get_mut(&hash_of_text(token))
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

    pub(crate) fn forget_session(&self, session: &SessionId) {
        self.records().retain(|_, record| record.scope.session != *session);
    }

    /// A poisoned lock means a panic between two map operations; the map itself is whole.
    fn records(&self) -> MutexGuard<'_, HashMap<Digest32, TokenRecord>> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for ConfirmationTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokens").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// Makes room for one more token of this source: those that are of no use any more go first, then the oldest of the session that
/// has the most of them. So nobody loses theirs to somebody who asks for many.
fn make_room(records: &mut HashMap<Digest32, TokenRecord>, scope: &TokenScope, now: Timestamp) {
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

/// The first characters of a token: enough to tell two apart, not to use one.
pub fn masked(token: &str) -> String {
    let random_part = token.strip_prefix("conf_").unwrap_or(token);
    if random_part.chars().count() < 16 {
        return "[REDACTED]".to_owned();
    }
    let shown: String = random_part.chars().take(4).collect();
    let prefix = &token[..token.len() - random_part.len()];
    format!("{prefix}{shown}...")
}

#[cfg(test)]
mod tests;
