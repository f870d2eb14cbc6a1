//! Whether a token covers all calls of a plan, before the first of them runs. Nothing is used up.
//!
//! A token and calls in; yes, or why not, out. What each call depends on is still its own redemption: between the two a token may
//! be used, expire or be taken back.

use super::redeem::{StoredTokenRefusal, not_seen_until, refuse, why_not};
use crate::audit::entry::{AuditEntry, event};
use crate::call::{CallKey, CountedCall, Requester, counted};
use crate::error::StoreError;
use crate::secret;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::Value;
use aqueduct_operations::clock::earlier;
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use std::time::Duration;

/// What a token is good for, of the calls of a plan.
#[derive(Debug)]
pub enum Coverage {
    /// All of them.
    Whole,
    /// Not this one.
    Refused {
        /// Its place among the calls that were asked about.
        index: usize,
        /// Why.
        refusal: StoredTokenRefusal,
    },
    /// Too many tokens of this session were refused.
    Limited {
        /// When it may try again.
        until: Timestamp,
    },
}

struct Cover {
    token: SecretString,
    asker: Requester,
    calls: Vec<CallKey>,
    grace: Duration,
}

impl StoreTask for Cover {
    type Output = Coverage;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Coverage, StoreError> {
        let Cover { token, asker, calls, grace } = &*self;
        if let Some(until) = not_seen_until(transaction, asker, None).await? {
            return Ok(Coverage::Limited { until });
        }
        let key = transaction.context().key()?.clone();
        let hash = secret::hash(token.expose_secret());
        let now = transaction.now();
        let oldest = earlier(now, *grace);
        for CountedCall { call, times } in counted(calls, &key) {
            let sql = "SELECT allowed - used FROM confirmations \
                       WHERE source = $1 AND operation = $2 AND params = $3 AND resolved = $4 AND token = $5 \
                       AND session = $6 AND used < allowed AND revoked_at IS NULL AND usable_at <= $7 \
                       AND expires_at > $8";
            let mut values = call.values().to_vec();
            values.extend([Value::from(&hash), Value::from(&asker.session), now.into(), oldest.into()]);
            let left = match transaction.query_one(sql, &values).await? {
                Some(row) => row.int(0)?,
                None => 0,
            };
            if left >= times {
                continue;
            }
            let refusal = match left {
                0 => why_not(transaction, &hash, &asker.session, &call, oldest).await?,
                // It was given for this call, but not as often.
                _ => StoredTokenRefusal::OtherCall { operation: call.operation.clone() },
            };
            let line = AuditEntry {
                token: Some(secret::id_of_hash(&hash)),
                ..AuditEntry::new(event::TOKEN_REJECTED, "failure").by(asker).about_kept(&call)
            };
            let until = refuse(transaction, &asker.session, line, refusal.name()).await?;
            let index = calls.iter().rposition(|each| each.keyed(&key) == call).unwrap_or_default();
            return Ok(match until {
                Some(until) => Coverage::Limited { until },
                None => Coverage::Refused { index, refusal },
            });
        }
        Ok(Coverage::Whole)
    }
}

impl Store {
    /// Says whether a token covers these calls, each as often as it is in them.
    pub async fn token_covers(
        &self,
        token: SecretString,
        asker: Requester,
        calls: Vec<CallKey>,
        grace: Duration,
    ) -> Result<Coverage, StoreError> {
        self.perform(Cover { token, asker, calls, grace }).await
    }
}
