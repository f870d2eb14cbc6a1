//! Runs whose process was lost: they end, and their pauses for a code are forgotten.
//!
//! A process is lost when nothing was heard of its instance for a while.

use super::runs::{RunEnd, close};
use super::{event, line, note};
use crate::error::StoreError;
use crate::instances::{self, SILENCE};
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::Value;
use aqueduct_operations::clock::earlier;

/// The condition that an instance runs: it is this one, or one that was heard of.
pub(super) fn is_alive_condition(column: &str, instance: &str, heard_since: &str) -> String {
    format!(
        "({column} = {instance} OR {column} IN (SELECT id FROM instances WHERE seen_at >= {heard_since}))"
    )
}

/// Ends runs, of one agent or of all, whose process is not heard of any more.
pub(super) async fn end_lost<T: Transaction>(
    transaction: &mut T,
    agent: Option<&str>,
    instance: &str,
) -> Result<(), StoreError> {
    let sql = format!(
        "SELECT id, agent FROM agent_runs WHERE state = 'running' AND (instance IS NULL OR NOT {}) {}",
        is_alive_condition("instance", "$1", "$2"),
        agent.map_or("", |_| "AND agent = $3")
    );
    let mut values = vec![instance.into(), earlier(transaction.now(), SILENCE).into()];
    values.extend(agent.map(Value::from));
    for row in transaction.query(&sql, &values).await? {
        let agent = row.text(1)?;
        close(transaction, &row.text(0)?, &agent, RunEnd::Aborted).await?;
        note(
            transaction,
            line(event::ENDED, RunEnd::Aborted.name(), &agent, "its process is not heard of any more"),
        )
        .await?;
    }
    Ok(())
}

/// Takes back what an agent was told of pauses for a code that have ended with their process.
pub(super) async fn forget_lost_pauses<T: Transaction>(
    transaction: &mut T,
    agent: &str,
    instance: &str,
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM agent_notices WHERE agent = $1 AND kind = 'autonomy_pause' AND challenge IN \
         (SELECT c.id FROM agent_challenges c WHERE c.agent = $1 AND c.kind = 'verify' AND NOT {})",
        is_alive_condition("c.instance", "$2", "$3")
    );
    let heard_since = earlier(transaction.now(), SILENCE);
    transaction.execute(&sql, &[agent.into(), instance.into(), heard_since.into()]).await.map(drop)
}

struct EndLost {
    instance: String,
}

impl StoreTask for EndLost {
    type Output = ();

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<(), StoreError> {
        instances::touch_instance(transaction, &self.instance).await?;
        end_lost(transaction, None, &self.instance).await
    }
}

impl Store {
    /// Says that this process runs, and ends the runs of those that are not heard of any more.
    pub async fn keep_agents(&self, instance: &str) -> Result<(), StoreError> {
        self.perform(EndLost { instance: instance.to_owned() }).await
    }
}
