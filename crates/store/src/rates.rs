//! How often something happens in a minute, counted over all processes and instances.
//!
//! Events are counted in slots of ten seconds, and the last seven slots together: so in no minute are there more than the limit,
//! wherever the minute begins. What is refused is not counted, so that a client that goes on trying is heard again as soon as others.
//! The row of a counter itself is locked first: two at once are counted as two.

use crate::error::StoreError;
use crate::transaction::Transaction;
use crate::value::{Value, moment};
use aqueduct_operations::clock::{earlier, later};
use jiff::Timestamp;
use std::time::Duration;

const SLOT: Duration = Duration::from_secs(10);
/// The slots that a minute can touch.
const SLOTS: u32 = 7;
const MINUTE: Duration = Duration::from_secs(60);

/// What is counted, for a session, a caller or the operator.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rate {
    Issued,
    Failures,
    Passphrases,
    /// Not limited: how often a list that is full is noted.
    FullLists,
}

impl Rate {
    fn name(self) -> &'static str {
        match self {
            Rate::Issued => "issued",
            Rate::Failures => "failures",
            Rate::Passphrases => "passphrases",
            Rate::FullLists => "full",
        }
    }

    fn limit<T: Transaction>(self, transaction: &T) -> i64 {
        let limits = &transaction.context().limits;
        let limit = match self {
            Rate::Issued => limits.issued_per_minute,
            Rate::Failures => limits.failures_per_minute,
            Rate::Passphrases => limits.passphrases_per_minute,
            Rate::FullLists => u64::MAX,
        };
        i64::try_from(limit).unwrap_or(i64::MAX)
    }

    /// The row of the slot with this number; old ones are used again.
    fn slot_name(self, number: i64) -> String {
        format!("{}/{}", self.name(), number.rem_euclid(i64::from(SLOTS)))
    }
}

/// What counting one event said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counted {
    /// It is within the limit.
    Within,
    /// It is over the limit until this moment. The first in a minute is told apart, to be noted once.
    Over { until: Timestamp, is_first: bool },
}

/// Begins to count anew.
pub(crate) async fn reset<T: Transaction>(
    transaction: &mut T,
    rate: Rate,
    subject: &str,
) -> Result<(), StoreError> {
    let sql = "DELETE FROM rates WHERE subject = $1 AND kind LIKE $2";
    transaction.execute(sql, &[subject.into(), format!("{}%", rate.name()).into()]).await?;
    Ok(())
}

/// Counts one event, unless it is over the limit.
pub(crate) async fn count<T: Transaction>(
    transaction: &mut T,
    rate: Rate,
    subject: &str,
) -> Result<Counted, StoreError> {
    lock(transaction, rate, subject).await?;
    if let Some(until) = over_until(transaction, rate, subject).await? {
        let is_first = is_first_in_window(transaction, rate, subject).await?;
        return Ok(Counted::Over { until, is_first });
    }
    let slot = slot_of(transaction.now());
    let sql = "INSERT INTO rates (subject, kind, opened_at, hits) VALUES ($1, $2, $3, 1) \
               ON CONFLICT (subject, kind) DO UPDATE SET \
               hits = CASE WHEN rates.opened_at = $3 THEN rates.hits + 1 ELSE 1 END, opened_at = $3";
    let values = [Value::from(subject), rate.slot_name(slot).into(), begin_of(slot)?.into()];
    transaction.execute(sql, &values).await?;
    Ok(Counted::Within)
}

/// Until when one more event would be over the limit, if it would. Nothing is counted.
pub(crate) async fn over_until<T: Transaction>(
    transaction: &mut T,
    rate: Rate,
    subject: &str,
) -> Result<Option<Timestamp>, StoreError> {
    let now = slot_of(transaction.now());
    let sql = "SELECT opened_at, hits FROM rates WHERE subject = $1 AND kind IN ($2, $3, $4, $5, $6, $7, $8) \
               AND opened_at > $9 ORDER BY opened_at";
    let mut values = vec![Value::from(subject)];
    values.extend((0..i64::from(SLOTS)).map(|number| Value::from(rate.slot_name(number))));
    values.push(begin_of(now - i64::from(SLOTS))?.into());
    let slots = transaction.query(sql, &values).await?;
    let mut over = 1 - rate.limit(transaction);
    for slot in &slots {
        over = over.saturating_add(slot.int(1)?);
    }
    // It is heard again when as many as are over have been forgotten.
    for slot in &slots {
        if over <= 0 {
            break;
        }
        over -= slot.int(1)?;
        if over <= 0 {
            return Ok(Some(later(slot.moment(0)?, SLOT * SLOTS)));
        }
    }
    // With a limit of nothing there is never a slot to wait for.
    Ok((over > 0).then(|| later(transaction.now(), MINUTE)))
}

/// True once a minute: so much is noted of what happens without end.
pub(crate) async fn is_first_in_window<T: Transaction>(
    transaction: &mut T,
    rate: Rate,
    subject: &str,
) -> Result<bool, StoreError> {
    lock(transaction, rate, subject).await?;
    let now = transaction.now();
    let sql = "UPDATE rates SET opened_at = $1 WHERE subject = $2 AND kind = $3 AND opened_at <= $4";
    let values = [now.into(), subject.into(), rate.name().into(), earlier(now, MINUTE).into()];
    Ok(transaction.execute(sql, &values).await? == 1)
}

/// Takes the row of the counter, which remembers when it was last noted that it is over its limit.
async fn lock<T: Transaction>(transaction: &mut T, rate: Rate, subject: &str) -> Result<(), StoreError> {
    let sql = "INSERT INTO rates (subject, kind, opened_at, hits) VALUES ($1, $2, 0, 0) \
               ON CONFLICT (subject, kind) DO UPDATE SET hits = 0";
    transaction.execute(sql, &[subject.into(), rate.name().into()]).await?;
    Ok(())
}

/// Forgets what is not counted any more.
pub(crate) async fn purge<T: Transaction>(transaction: &mut T) -> Result<(), StoreError> {
    let before = earlier(transaction.now(), SLOT * SLOTS);
    transaction.execute("DELETE FROM rates WHERE opened_at <= $1", &[before.into()]).await?;
    Ok(())
}

fn slot_of(moment: Timestamp) -> i64 {
    moment.as_millisecond().div_euclid(slot_milliseconds())
}

fn begin_of(slot: i64) -> Result<Timestamp, StoreError> {
    moment(slot.saturating_mul(slot_milliseconds()))
}

fn slot_milliseconds() -> i64 {
    i64::try_from(SLOT.as_millis()).unwrap_or(i64::MAX)
}
