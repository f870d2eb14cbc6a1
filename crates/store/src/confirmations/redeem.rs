//! Using a token up for the call that it was made for, or saying why not.
//!
//! The update comes first and alone decides. Only when it changes nothing are the rows read, to find the reason; whatever they
//! say then, the answer is no.

use crate::audit::chain;
use crate::audit::entry::{AuditEntry, event};
use crate::call::{CallKey, KeyedCall, Requester};
use crate::error::StoreError;
use crate::rates::{self, Counted, Rate};
use crate::secret;
use crate::started_calls::{self, CallInProgress, StartedCall};
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::{Row, Value};
use aqueduct_operations::clock::earlier;
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use std::time::Duration;

/// A call that comes with a token.
#[derive(Debug, Clone)]
pub struct Redeem {
    /// The token.
    pub token: SecretString,
    /// Who asks.
    pub asker: Requester,
    /// The call.
    pub call: CallKey,
    /// The rule that asks for a confirmation.
    pub rule: Option<String>,
    /// Who said yes, where that is known.
    pub approver: Option<String>,
    /// What the audit says of the call besides, if it runs.
    pub context: Option<String>,
    /// Grace added to the expiry for clocks that disagree.
    pub grace: Duration,
}

/// What became of a token.
#[derive(Debug)]
pub enum Redemption {
    /// It is used up, and the call runs.
    Redeemed(StartedCall),
    /// It is no good.
    Refused(StoredTokenRefusal),
    /// Too many tokens of this session were refused.
    Limited {
        /// When it may try again.
        until: Timestamp,
    },
}

/// Why a token is no good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredTokenRefusal {
    /// Unknown, malformed or of another session.
    Unknown,
    /// Taken back.
    Revoked,
    /// Too old.
    Expired {
        /// Since when.
        at: Timestamp,
    },
    /// Used before.
    AlreadyUsed {
        /// When.
        at: Timestamp,
    },
    /// Not to be used yet.
    CoolingDown {
        /// Until when.
        until: Timestamp,
    },
    /// Given for another call.
    OtherCall {
        /// The operation that it was given for.
        operation: String,
    },
    /// Given for this call, when the operation would have sent something else, or elsewhere.
    OperationChanged,
}

impl StoredTokenRefusal {
    /// The word for it in the audit.
    pub fn name(&self) -> &'static str {
        match self {
            StoredTokenRefusal::Unknown => "unknown",
            StoredTokenRefusal::Revoked => "revoked",
            StoredTokenRefusal::Expired { .. } => "expired",
            StoredTokenRefusal::AlreadyUsed { .. } => "already used",
            StoredTokenRefusal::CoolingDown { .. } => "cooling down",
            StoredTokenRefusal::OtherCall { .. } => "given for another call",
            StoredTokenRefusal::OperationChanged => "the operation has changed",
        }
    }
}

/// As `Redemption`, before the call is tracked.
pub(crate) enum RedeemOutcome {
    Redeemed(Box<CallInProgress>),
    Refused(StoredTokenRefusal),
    Limited(Timestamp),
}

impl StoreTask for Redeem {
    type Output = RedeemOutcome;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<RedeemOutcome, StoreError> {
        let Redeem { token, asker, call, rule, approver, context, grace } = &*self;
        let call = &call.keyed(transaction.context().key()?);
        if let Some(until) = not_seen_until(transaction, asker, Some(call)).await? {
            return Ok(RedeemOutcome::Limited(until));
        }
        let hash = secret::hash(token.expose_secret());
        let now = transaction.now();
        let oldest = earlier(now, *grace);
        let line = |event: &str, outcome: &str| AuditEntry {
            rule: rule.clone(),
            approver: approver.clone(),
            token: Some(secret::id_of_hash(&hash)),
            ..AuditEntry::new(event, outcome).by(asker).about_kept(call)
        };
        let sql = "UPDATE confirmations SET used = used + 1, used_at = $1 \
                   WHERE source = $2 AND operation = $3 AND params = $4 AND resolved = $5 AND token = $6 \
                   AND session = $7 AND used < allowed AND revoked_at IS NULL AND usable_at <= $1 \
                   AND expires_at > $8";
        let [source, operation, params, resolved] = call.values();
        let values = [
            now.into(),
            source,
            operation,
            params,
            resolved,
            Value::from(&hash),
            Value::from(&asker.session),
            oldest.into(),
        ];
        if transaction.execute(sql, &values).await? == 1 {
            let line = AuditEntry { detail: context.clone(), ..line(event::TOKEN_VALIDATED, "success") };
            let in_progress = started_calls::begin(transaction, asker, call, line).await?;
            return Ok(RedeemOutcome::Redeemed(Box::new(in_progress)));
        }
        let refusal = why_not(transaction, &hash, &asker.session, call, oldest).await?;
        let line = line(event::TOKEN_REJECTED, "failure");
        let until = refuse(transaction, &asker.session, line, refusal.name()).await?;
        Ok(until.map_or(RedeemOutcome::Refused(refusal), RedeemOutcome::Limited))
    }
}

/// Until when no token of a session is looked at, because too many were refused; noted once a minute.
pub(super) async fn not_seen_until<T: Transaction>(
    transaction: &mut T,
    asker: &Requester,
    call: Option<&KeyedCall>,
) -> Result<Option<Timestamp>, StoreError> {
    let Some(until) = rates::over_until(transaction, Rate::Failures, &asker.session).await? else {
        return Ok(None);
    };
    if rates::is_first_in_window(transaction, Rate::Failures, &asker.session).await? {
        let line = AuditEntry::new(event::TOKEN_REJECTED, "limited").by(asker);
        let line = call.map_or(line.clone(), |call| line.about_kept(call));
        let line = line.because("too many tokens of the session were refused; none is looked at for a while");
        chain::append(transaction, vec![line]).await?;
    }
    Ok(Some(until))
}

/// Counts a token that is refused, and notes it in the audit; the moment until which the session is not heard, if it was refused too
/// often.
pub(super) async fn refuse<T: Transaction>(
    transaction: &mut T,
    session: &str,
    line: AuditEntry,
    why: &str,
) -> Result<Option<Timestamp>, StoreError> {
    let (until, is_noted) = match rates::count(transaction, Rate::Failures, session).await? {
        Counted::Within => (None, true),
        Counted::Over { until, is_first } => (Some(until), is_first),
    };
    if is_noted {
        chain::append(transaction, vec![line.because(why)]).await?;
    }
    Ok(until)
}

/// Why the update changed nothing. Checked in this order: it exists and belongs to the session, the call, what it is resolved
/// to, revocation, expiry, use, cooldown.
pub(super) async fn why_not<T: Transaction>(
    transaction: &mut T,
    hash: &str,
    session: &str,
    call: &KeyedCall,
    oldest: Timestamp,
) -> Result<StoredTokenRefusal, StoreError> {
    let sql = "SELECT source, operation, params, resolved, token, session, expires_at, used_at, revoked_at, \
               usable_at, used, allowed FROM confirmations WHERE token = $1 ORDER BY source, operation";
    let rows = transaction.query(sql, &[hash.into()]).await?;
    let mut other = None;
    let mut changed = false;
    for row in &rows {
        if !secret::same(&row.text(4)?, hash) || !secret::same(&row.text(5)?, session) {
            return Ok(StoredTokenRefusal::Unknown);
        }
        let given_for = KeyedCall {
            source: row.text(0)?,
            operation: row.text(1)?,
            params: row.text(2)?,
            resolved: row.text(3)?,
        };
        if given_for == *call {
            return state_of(row, oldest);
        }
        changed |= given_for.is_same_call(call);
        other.get_or_insert(given_for.operation);
    }
    Ok(match other {
        _ if changed => StoredTokenRefusal::OperationChanged,
        Some(operation) => StoredTokenRefusal::OtherCall { operation },
        None => StoredTokenRefusal::Unknown,
    })
}

/// Why a token for this very call is no good.
fn state_of(row: &Row, oldest: Timestamp) -> Result<StoredTokenRefusal, StoreError> {
    let expires_at = row.moment(6)?;
    Ok(if row.optional_int(8)?.is_some() {
        StoredTokenRefusal::Revoked
    } else if expires_at <= oldest {
        StoredTokenRefusal::Expired { at: expires_at }
    } else if row.int(10)? >= row.int(11)? {
        StoredTokenRefusal::AlreadyUsed { at: row.optional_moment(7)?.unwrap_or(expires_at) }
    } else {
        StoredTokenRefusal::CoolingDown { until: row.moment(9)? }
    })
}

impl Store {
    /// Uses a token up, or says why not.
    pub async fn redeem_token(&self, redeem: Redeem) -> Result<Redemption, StoreError> {
        let redeemed = self.perform_start(redeem, |outcome, store| match outcome {
            RedeemOutcome::Redeemed(in_progress) => {
                Redemption::Redeemed(StartedCall::new(*in_progress, store))
            }
            RedeemOutcome::Refused(refusal) => Redemption::Refused(refusal),
            RedeemOutcome::Limited(until) => Redemption::Limited { until },
        });
        let mut redeemed = redeemed.await?;
        if let Redemption::Redeemed(call) = &mut redeemed {
            call.taken_over();
        }
        Ok(redeemed)
    }
}
