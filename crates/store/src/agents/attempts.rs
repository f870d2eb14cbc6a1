//! Failed verifications: ten in a minute for each agent, then none for a while, which doubles each time.
//!
//! The counters are in the store, so that a restart begins no new minute.

use super::{event, line, note};
use crate::error::StoreError;
use crate::transaction::Transaction;
use crate::value::Value;
use aqueduct_operations::clock::later;
use jiff::Timestamp;
use std::time::Duration;

const WINDOW: Duration = Duration::from_secs(60);
const MOST_FAILURES: i64 = 10;
/// The longest lockout is a minute, doubled so often: about eight hours.
const MOST_DOUBLINGS: i64 = 9;
/// After so long without one, lockouts begin at a minute again.
const FORGETTING: Duration = Duration::from_secs(24 * 3600);

struct AttemptCounter {
    failures: i64,
    opened_at: Timestamp,
    lockouts: i64,
    locked_until: Timestamp,
}

async fn counter<T: Transaction>(
    transaction: &mut T,
    subject: &str,
) -> Result<Option<AttemptCounter>, StoreError> {
    let sql = "SELECT failures, opened_at, lockouts, locked_until FROM agent_attempts WHERE subject = $1";
    let row = transaction.query_one(sql, &[subject.into()]).await?;
    row.map(|row| {
        Ok(AttemptCounter {
            failures: row.int(0)?,
            opened_at: row.moment(1)?,
            lockouts: row.int(2)?,
            locked_until: row.moment(3)?,
        })
    })
    .transpose()
}

/// Until when no attempt is taken.
pub(super) async fn locked_until<T: Transaction>(
    transaction: &mut T,
    subject: &str,
) -> Result<Option<Timestamp>, StoreError> {
    let now = transaction.now();
    let counter = counter(transaction, subject).await?;
    Ok(counter.map(|counter| counter.locked_until).filter(|until| *until > now))
}

/// Counts a failure.
pub(super) async fn failed<T: Transaction>(transaction: &mut T, subject: &str) -> Result<(), StoreError> {
    let now = transaction.now();
    let before = counter(transaction, subject).await?;
    let fresh = AttemptCounter { failures: 0, opened_at: now, lockouts: 0, locked_until: now };
    let mut counter = before.unwrap_or(fresh);
    if later(counter.opened_at, WINDOW) <= now {
        counter.failures = 0;
        counter.opened_at = now;
    }
    if later(counter.locked_until, FORGETTING) <= now {
        counter.lockouts = 0;
    }
    counter.failures += 1;
    if counter.failures >= MOST_FAILURES {
        let doublings = u32::try_from(counter.lockouts.min(MOST_DOUBLINGS)).unwrap_or_default();
        counter.locked_until = later(now, WINDOW * 2_u32.pow(doublings));
        counter.lockouts += 1;
        counter.failures = 0;
        note(transaction, line(event::CHALLENGE_LOCKED, "failure", subject, "too many codes were wrong"))
            .await?;
    }
    let sql = "INSERT INTO agent_attempts (subject, failures, opened_at, lockouts, locked_until) \
               VALUES ($1, $2, $3, $4, $5) ON CONFLICT (subject) DO UPDATE SET \
               failures = $2, opened_at = $3, lockouts = $4, locked_until = $5";
    let values: [Value; 5] = [
        subject.into(),
        counter.failures.into(),
        counter.opened_at.into(),
        counter.lockouts.into(),
        counter.locked_until.into(),
    ];
    transaction.execute(sql, &values).await?;
    Ok(())
}
