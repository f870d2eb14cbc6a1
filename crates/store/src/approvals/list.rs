//! What waits, and what was decided.
//!
//! A filter in, approvals out. The caller that waits for an answer is woken by the store's changes, and reads again.

use super::{Approval, COLUMNS};
use crate::error::StoreError;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::Value;
use jiff::Timestamp;

/// Which approvals are meant; all of them, if nothing is said.
#[derive(Debug, Clone, Default)]
pub struct ApprovalFilter {
    /// Those that wait for an answer, oldest first; all come newest first.
    pub only_waiting: bool,
    /// Those of this caller.
    pub caller: Option<String>,
    /// Those whose id begins so.
    pub id_prefix: Option<String>,
}

/// `$1` is whether only those that wait are meant, `$2` is now, `$3` the caller and `$4` the begin of the id, or nothing.
const FILTER: &str = "(CAST($1 AS BIGINT) = 0 OR (state = 'waiting' AND expires_at > CAST($2 AS BIGINT))) \
                      AND (CAST($3 AS TEXT) = '' OR caller = CAST($3 AS TEXT)) \
                      AND substr(id, 1, length(CAST($4 AS TEXT))) = CAST($4 AS TEXT)";

impl ApprovalFilter {
    fn values(&self, now: Timestamp) -> Vec<Value> {
        let text = |text: &Option<String>| Value::from(text.clone().unwrap_or_default());
        vec![i64::from(self.only_waiting).into(), now.into(), text(&self.caller), text(&self.id_prefix)]
    }
}

struct ListApprovals {
    filter: ApprovalFilter,
    most: i64,
}

impl StoreTask for ListApprovals {
    type Output = Vec<Approval>;
    const READS_ONLY: bool = true;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Vec<Approval>, StoreError> {
        let now = transaction.now();
        let order = if self.filter.only_waiting { "requested_at, id" } else { "requested_at DESC, id" };
        let sql = format!("SELECT {COLUMNS} FROM approvals WHERE {FILTER} ORDER BY {order} LIMIT $5");
        let mut values = self.filter.values(now);
        values.push(self.most.into());
        let rows = transaction.query(&sql, &values).await?;
        rows.iter().map(|row| Approval::from_row(row, now)).collect()
    }
}

impl Store {
    /// What waits for an answer, oldest first.
    pub async fn waiting_approvals(&self, most: u32) -> Result<Vec<Approval>, StoreError> {
        self.find_approvals(ApprovalFilter { only_waiting: true, ..ApprovalFilter::default() }, most).await
    }

    /// The approvals that are meant, so many at most.
    pub async fn find_approvals(
        &self,
        filter: ApprovalFilter,
        most: u32,
    ) -> Result<Vec<Approval>, StoreError> {
        self.perform(ListApprovals { filter, most: i64::from(most) }).await
    }
}
