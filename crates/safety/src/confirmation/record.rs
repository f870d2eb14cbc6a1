//! What a token is good for: calls, each once, until it expires.
//!
//! A record and the call that comes with its token in; which of its calls that is, or why none, out.

use super::{later, seconds_until};
use aqueduct_operations::call::SessionId;
use aqueduct_operations::digest::Digest;
use aqueduct_operations::gatekeeper::{TokenRefusal, TokenScope};
use jiff::Timestamp;
use std::collections::HashMap;
use std::time::Duration;

/// Tokens kept for one source; whoever has the most of them makes room for new ones.
pub(super) const MOST_PER_SOURCE: usize = 1000;

/// A token that is out.
#[derive(Debug)]
pub(super) struct TokenRecord {
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

/// Makes room for one more token of this source: those that are of no use any more go first, then the oldest of the session that
/// has the most of them. So nobody loses theirs to somebody who asks for many.
pub(super) fn make_room(records: &mut HashMap<Digest, TokenRecord>, scope: &TokenScope, now: Timestamp) {
    let of_source = || records.iter().filter(|(_, record)| record.count_of(&scope.source) > 0);
    if of_source().map(|(_, record)| record.count_of(&scope.source)).sum::<usize>() < MOST_PER_SOURCE {
        return;
    }
    let mut held: HashMap<&SessionId, usize> = HashMap::new();
    for call in of_source().flat_map(|(_, record)| &record.calls) {
        *held.entry(&call.scope.session).or_default() += usize::from(call.scope.source == scope.source);
    }
    let count = |record: &TokenRecord| {
        let session = record.calls.first().map(|call| &call.scope.session);
        session.and_then(|session| held.get(session)).copied().unwrap_or_default()
    };
    let is_live = |record: &TokenRecord| {
        record.expires_at > now && record.calls.iter().any(|call| call.consumed_at.is_none())
    };
    let first = of_source().min_by_key(|(_, record)| {
        let is_anothers = !record.is_of(&scope.session);
        (is_live(record), usize::MAX - count(record), is_anothers, record.expires_at)
    });
    if let Some(first) = first.map(|(key, _)| key.clone()) {
        records.remove(&first);
    }
}
