//! What agents are told with their next report (core specification, section 8.7.3).
//!
//! A notice stays until what it is about is settled, and comes with each report until then; news are told once.

use super::new_id;
use crate::error::StoreError;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::Row;
use jiff::Timestamp;

/// One notice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentNotice {
    /// Its kind, as the specification spells it.
    pub kind: String,
    /// What happened.
    pub message: String,
    /// What was about to be done.
    pub operation: Option<String>,
    /// Why it was not.
    pub reason: Option<String>,
    /// The permission that is missing.
    pub level: Option<String>,
    /// The challenge that settles it.
    pub challenge: Option<String>,
    /// When.
    pub made_at: Timestamp,
}

/// What a notice is made of.
#[derive(Debug, Clone, Copy)]
pub(super) struct NewNotice<'n> {
    pub agent: &'n str,
    /// The agent that is blocked, or the run that is paused. Nothing for a call that waits for a confirmation.
    pub about: Option<&'n str>,
    pub kind: &'n str,
    pub message: &'n str,
    pub operation: Option<&'n str>,
    pub reason: Option<&'n str>,
    pub level: Option<&'n str>,
    pub challenge: Option<&'n str>,
}

/// An agent hears of so many things at once; the oldest make room.
const MOST: i64 = 50;

pub(super) async fn add<T: Transaction>(
    transaction: &mut T,
    notice: NewNotice<'_>,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO agent_notices (id, agent, about, kind, message, operation, reason, level, challenge, made_at) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let NewNotice { agent, about, kind, message, operation, reason, level, challenge } = notice;
    let (id, now) = (new_id()?, transaction.now());
    let values = [
        id.into(),
        agent.into(),
        about.into(),
        kind.into(),
        message.into(),
        operation.into(),
        reason.into(),
        level.into(),
        challenge.into(),
        now.into(),
    ];
    transaction.execute(sql, &values).await?;
    let sql = "DELETE FROM agent_notices WHERE agent = $1 AND kind <> 'danger_zone' AND id NOT IN \
               (SELECT id FROM agent_notices WHERE agent = $1 ORDER BY made_at DESC LIMIT $2)";
    transaction.execute(sql, &[agent.into(), MOST.into()]).await?;
    Ok(())
}

/// What an agent is told. News are told once.
pub(super) async fn of<T: Transaction>(
    transaction: &mut T,
    agent: &str,
) -> Result<Vec<AgentNotice>, StoreError> {
    let sql = "SELECT kind, message, operation, reason, level, challenge, made_at FROM agent_notices \
               WHERE agent = $1 ORDER BY made_at, kind, id";
    let rows = transaction.query(sql, &[agent.into()]).await?;
    let notices = rows.iter().map(notice_of).collect::<Result<Vec<_>, _>>()?;
    let sql = "DELETE FROM agent_notices WHERE agent = $1 AND kind IN ('status', 'error')";
    transaction.execute(sql, &[agent.into()]).await?;
    Ok(notices)
}

fn notice_of(row: &Row) -> Result<AgentNotice, StoreError> {
    Ok(AgentNotice {
        kind: row.text(0)?,
        message: row.text(1)?,
        operation: row.optional_text(2)?,
        reason: row.optional_text(3)?,
        level: row.optional_text(4)?,
        challenge: row.optional_text(5)?,
        made_at: row.moment(6)?,
    })
}

/// Takes back what an agent was told of the pause of a run.
pub(super) async fn clear_pause<T: Transaction>(transaction: &mut T, run: &str) -> Result<(), StoreError> {
    let sql =
        "DELETE FROM agent_notices WHERE about = $1 AND kind IN ('autonomy_pause', 'permission_pending')";
    transaction.execute(sql, &[run.into()]).await?;
    Ok(())
}

struct MarkNotified {
    agent: String,
}

impl StoreTask for MarkNotified {
    type Output = Vec<AgentNotice>;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Vec<AgentNotice>, StoreError> {
        of(transaction, &self.agent).await
    }
}

struct Pending {
    agent: String,
    operation: String,
    is_settled: bool,
}

impl StoreTask for Pending {
    type Output = ();

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<(), StoreError> {
        let Pending { agent, operation, is_settled } = &*self;
        let sql = "DELETE FROM agent_notices WHERE agent = $1 AND kind = 'permission_pending' AND operation = $2 \
                   AND about IS NULL";
        transaction.execute(sql, &[agent.into(), operation.into()]).await?;
        if *is_settled {
            return Ok(());
        }
        let message = format!("{operation} waits for a person's confirmation");
        let notice = NewNotice {
            agent,
            about: None,
            kind: "permission_pending",
            message: &message,
            operation: Some(operation),
            reason: Some("The operation needs a confirmation"),
            level: Some("CONFIRM_SINGLE_USE"),
            challenge: None,
        };
        add(transaction, notice).await
    }
}

impl Store {
    /// What an agent is told now.
    pub async fn agent_notices(&self, agent: &str) -> Result<Vec<AgentNotice>, StoreError> {
        self.perform(MarkNotified { agent: agent.to_owned() }).await
    }

    /// Notes that an operation of an agent waits for a confirmation, or no longer does. No caller waits for it.
    pub fn note_agent_permission(&self, agent: &str, operation: &str, is_settled: bool) {
        self.perform_detached(Pending {
            agent: agent.to_owned(),
            operation: operation.to_owned(),
            is_settled,
        });
    }
}
