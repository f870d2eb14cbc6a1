//! What waits, and what was decided; and waiting for an answer.
//!
//! Whoever waits is woken by the store's changes, made here or on another machine, and reads again.

use super::{Approval, ApprovalState, COLUMNS};
use crate::error::StoreError;
use crate::store::Store;
use crate::transaction::{Operation, Transaction};
use std::time::Duration;

struct List {
    only_waiting: bool,
    most: i64,
}

impl Operation for List {
    type Output = Vec<Approval>;
    const READS_ONLY: bool = true;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Vec<Approval>, StoreError> {
        let now = transaction.now();
        let rows = if self.only_waiting {
            let sql = format!(
                "SELECT {COLUMNS} FROM approvals WHERE state = 'waiting' AND expires_at > $1 \
                 ORDER BY requested_at, id LIMIT $2"
            );
            transaction.query(&sql, &[now.into(), self.most.into()]).await?
        } else {
            let sql = format!("SELECT {COLUMNS} FROM approvals ORDER BY requested_at DESC, id LIMIT $1");
            transaction.query(&sql, &[self.most.into()]).await?
        };
        rows.iter().map(|row| Approval::from_row(row, now)).collect()
    }
}

impl Store {
    /// What waits for an answer, oldest first.
    pub async fn waiting_approvals(&self, most: u32) -> Result<Vec<Approval>, StoreError> {
        self.perform(List { only_waiting: true, most: i64::from(most) }).await
    }

    /// All approvals, newest first.
    pub async fn approvals(&self, most: u32) -> Result<Vec<Approval>, StoreError> {
        self.perform(List { only_waiting: false, most: i64::from(most) }).await
    }

    /// Waits until an approval is answered or has expired, at most for so long; how far it is then.
    pub async fn wait_for_decision(
        &self,
        id: &str,
        at_most: Duration,
    ) -> Result<Option<Approval>, StoreError> {
        let mut changes = self.changes();
        let deadline = tokio::time::Instant::now() + at_most;
        loop {
            // Marked as seen before it is read: a change in between wakes the next wait.
            changes.mark_unchanged();
            let approval = self.approval(id).await?;
            let is_waiting = approval.as_ref().is_some_and(|found| found.state == ApprovalState::Waiting);
            if !is_waiting {
                return Ok(approval);
            }
            match tokio::time::timeout_at(deadline, changes.changed()).await {
                Ok(Ok(())) => {}
                // Too late, or the store is closed.
                Ok(Err(_)) | Err(_) => return self.approval(id).await,
            }
        }
    }
}
