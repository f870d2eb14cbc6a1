//! How often something happens in a minute, counted over all processes and instances.
//!
//! A window opens with the first event and closes a minute later. The row of a counter is changed in one statement, so that two
//! at once are counted as two.

use crate::error::StoreError;
use crate::moments::{earlier, later};
use crate::transaction::Transaction;
use crate::value::Value;
use jiff::Timestamp;
use std::time::Duration;

const WINDOW: Duration = Duration::from_secs(60);

/// What is counted, for a session or for the operator.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rate {
    Issued,
    Failures,
    Passphrases,
}

impl Rate {
    fn name(self) -> &'static str {
        match self {
            Rate::Issued => "issued",
            Rate::Failures => "failures",
            Rate::Passphrases => "passphrases",
        }
    }

    fn limit<T: Transaction>(self, transaction: &T) -> i64 {
        let limits = &transaction.context().limits;
        let limit = match self {
            Rate::Issued => limits.issued_per_minute,
            Rate::Failures => limits.failures_per_minute,
            Rate::Passphrases => limits.passphrases_per_minute,
        };
        i64::try_from(limit).unwrap_or(i64::MAX)
    }
}

/// What counting one event said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counted {
    /// It is within the limit.
    Within,
    /// It is over the limit until this moment. The first that is over is told apart, to be noted once.
    Over { until: Timestamp, is_first: bool },
}

/// Begins to count anew.
pub(crate) async fn reset<T: Transaction>(
    transaction: &mut T,
    rate: Rate,
    subject: &str,
) -> Result<(), StoreError> {
    let sql = "DELETE FROM rates WHERE subject = $1 AND kind = $2";
    transaction.execute(sql, &[subject.into(), rate.name().into()]).await?;
    Ok(())
}

/// Counts one event of a session.
pub(crate) async fn count<T: Transaction>(
    transaction: &mut T,
    rate: Rate,
    session: &str,
) -> Result<Counted, StoreError> {
    let now = transaction.now();
    let sql = "INSERT INTO rates (subject, kind, opened_at, hits) VALUES ($1, $2, $3, 1) \
               ON CONFLICT (subject, kind) DO UPDATE SET \
               hits = CASE WHEN rates.opened_at <= $4 THEN 1 ELSE rates.hits + 1 END, \
               opened_at = CASE WHEN rates.opened_at <= $4 THEN $3 ELSE rates.opened_at END \
               RETURNING opened_at, hits";
    let values = [Value::from(session), rate.name().into(), now.into(), earlier(now, WINDOW).into()];
    let row = transaction.query_one(sql, &values).await?;
    let row = row.ok_or_else(|| StoreError::Damaged("a counter is missing".to_owned()))?;
    let over = row.int(1)? - rate.limit(transaction);
    if over <= 0 {
        return Ok(Counted::Within);
    }
    Ok(Counted::Over { until: later(row.moment(0)?, WINDOW), is_first: over == 1 })
}

/// Until when a session is over the limit, without counting.
pub(crate) async fn over_until<T: Transaction>(
    transaction: &mut T,
    rate: Rate,
    session: &str,
) -> Result<Option<Timestamp>, StoreError> {
    let sql = "SELECT opened_at, hits FROM rates WHERE subject = $1 AND kind = $2";
    let Some(row) = transaction.query_one(sql, &[session.into(), rate.name().into()]).await? else {
        return Ok(None);
    };
    let until = later(row.moment(0)?, WINDOW);
    Ok((row.int(1)? >= rate.limit(transaction) && until > transaction.now()).then_some(until))
}

/// Forgets windows that have closed.
pub(crate) async fn purge<T: Transaction>(transaction: &mut T) -> Result<(), StoreError> {
    let before = earlier(transaction.now(), WINDOW);
    transaction.execute("DELETE FROM rates WHERE opened_at <= $1", &[before.into()]).await?;
    Ok(())
}
