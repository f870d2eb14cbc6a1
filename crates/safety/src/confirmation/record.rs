//! What a token is good for: calls, each once, until it expires.
//!
//! A record and the call that comes with its token in; which of its calls that is, or why none, out.

use super::seconds_until;
use aqueduct_operations::call::{Caller, SessionId};
use aqueduct_operations::clock::later;
use aqueduct_operations::digest::Digest;
use aqueduct_operations::gatekeeper::{TokenRefusal, TokenScope};
use jiff::Timestamp;
use std::collections::HashMap;
use std::time::Duration;

/// Tokens kept for one source.
pub(super) const MOST_PER_SOURCE: usize = 1000;

/// A token that is out.
#[derive(Debug)]
pub(super) struct TokenRecord {
    pub(super) caller: Caller,
    /// Never none, and of one session. The same call stands here as often as it is in the plan.
    pub(super) calls: Vec<CoveredCall>,
    pub(super) usable_at: Timestamp,
    pub(super) expires_at: Timestamp,
}

/// A call that it is good for, once.
#[derive(Debug)]
pub(super) struct CoveredCall {
    pub(super) scope: TokenScope,
    pub(super) consumed_at: Option<Timestamp>,
}

/// A token, masked, that is used now.
pub(super) struct TokenUse {
    pub(super) token: String,
    pub(super) now: Timestamp,
    pub(super) grace: Duration,
}

impl TokenRecord {
    pub(super) fn is_of(&self, session: &SessionId) -> bool {
        self.calls.iter().any(|call| call.scope.session == *session)
    }

    /// True while it can still run something.
    fn is_live(&self, now: Timestamp) -> bool {
        self.expires_at > now && self.calls.iter().any(|call| call.consumed_at.is_none())
    }

    /// How many of its calls are of this source.
    fn count_of(&self, source: &str) -> usize {
        self.calls.iter().filter(|call| call.scope.source == source).count()
    }

    /// The place of a call that this scope can still be used for, or why there is none. Those at `taken` are spoken for. Checked in this
    /// order: source and operation and parameters, what the operation is resolved to, expiry, use, cooldown.
    pub(super) fn find(
        &self,
        scope: &TokenScope,
        taken: &[usize],
        TokenUse { token, now, grace }: &TokenUse,
    ) -> Result<usize, TokenRefusal> {
        let (token, now) = (token.clone(), *now);
        if !self.calls.iter().any(|call| call.scope.is_for_the_same_call(scope)) {
            let token_operation = self.calls.first().map(|call| call.scope.operation.clone());
            return Err(TokenRefusal::ScopeMismatch {
                token,
                token_operation: token_operation.unwrap_or_default(),
                requested_operation: scope.operation.clone(),
            });
        }
        let mut exact = self.calls.iter().enumerate().filter(|(_, call)| call.scope == *scope).peekable();
        if exact.peek().is_none() {
            return Err(TokenRefusal::OperationChanged { token, operation: scope.operation.clone() });
        }
        if now >= later(self.expires_at, *grace) {
            return Err(TokenRefusal::Expired { token, expired_at: self.expires_at, now });
        }
        let mut consumed = None;
        let mut free = None;
        for (at, call) in exact {
            match call.consumed_at {
                Some(moment) => consumed = consumed.max(Some(moment)),
                None if taken.contains(&at) => {}
                None => free = free.or(Some(at)),
            }
        }
        match (free, consumed) {
            (Some(_), _) if now < self.usable_at => {
                Err(TokenRefusal::CoolingDown { retry_after_seconds: seconds_until(self.usable_at, now) })
            }
            (Some(at), _) => Ok(at),
            (None, Some(consumed_at)) => Err(TokenRefusal::AlreadyUsed { token, consumed_at }),
            // It was given for this call, but not as often.
            (None, None) => Err(TokenRefusal::ScopeMismatch {
                token,
                token_operation: scope.operation.clone(),
                requested_operation: scope.operation.clone(),
            }),
        }
    }
}

/// There is no room for another token of a source before this moment.
pub(super) struct CapacityReached {
    pub(super) until: Timestamp,
}

/// Makes room for one more token of a source, at no one else's cost, as the store does. A source has a bounded number of live tokens,
/// half of them for one caller: beyond it, the oldest of the session that asks makes room, or it waits. Those that are of no use any
/// more are only remembered, and forgotten first.
pub(super) fn make_room(
    records: &mut HashMap<Digest, TokenRecord>,
    caller: &Caller,
    scope: &TokenScope,
    now: Timestamp,
) -> Result<(), CapacityReached> {
    let source = &scope.source;
    let is_live = |record: &&TokenRecord| record.is_live(now);
    let count = |records: &mut dyn Iterator<Item = &TokenRecord>| -> usize {
        records.map(|record| record.count_of(source)).sum()
    };
    let live = count(&mut records.values().filter(is_live));
    let live_of_caller =
        count(&mut records.values().filter(is_live).filter(|record| record.caller == *caller));
    if live >= MOST_PER_SOURCE || live_of_caller >= MOST_PER_SOURCE / 2 {
        let own = |record: &TokenRecord| record.is_live(now) && record.is_of(&scope.session);
        if !forget_oldest(records, source, own) {
            let of_source = records.values().filter(is_live).filter(|record| record.count_of(source) > 0);
            let until = of_source.map(|record| record.expires_at).min().unwrap_or(now);
            return Err(CapacityReached { until });
        }
    }
    if count(&mut records.values()) >= MOST_PER_SOURCE {
        forget_oldest(records, source, |record| !record.is_live(now));
    }
    Ok(())
}

/// Forgets the oldest record of a source that is meant; false if there is none.
fn forget_oldest(
    records: &mut HashMap<Digest, TokenRecord>,
    source: &str,
    is_candidate: impl Fn(&TokenRecord) -> bool,
) -> bool {
    let candidates = records.iter().filter(|(_, record)| record.count_of(source) > 0 && is_candidate(record));
    let oldest = candidates.min_by_key(|(_, record)| record.expires_at).map(|(key, _)| key.clone());
    oldest.is_some_and(|key| records.remove(&key).is_some())
}
