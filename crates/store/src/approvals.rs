//! Approvals: what waits for an operator, what the operator said, and the one run that a yes is good for.
//!
//! `waiting` becomes `approved`, `denied` or `expired`; `approved` becomes `used` or `expired`. Every step is an update on
//! condition of the state before, so that of two operators one decides, and of two repeated calls one runs.

mod claim;
mod decide;
mod list;
mod plan;
mod request;
mod withdraw;

pub use aqueduct_operations::gatekeeper::ApprovalState;
pub use claim::{Claim, ClaimTerms};
pub use decide::{ApprovalDecision, Decided};
pub use list::ApprovalFilter;
pub use plan::PlanState;
pub use request::{ApprovalRequest, RequestedApproval};
pub(crate) use withdraw::{expire_overdue, withdraw_of_caller};

use crate::call::{CountedCall, KeyedCall};
use crate::error::StoreError;
use crate::secret;
use crate::transaction::Transaction;
use crate::value::{Row, Value};
use aqueduct_operations::clock::later;
use jiff::Timestamp;
use std::time::Duration;

/// A question to the operator, and its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// Its id, which is no secret.
    pub id: String,
    /// The session that asked.
    pub session: String,
    /// Who asked.
    pub caller: String,
    /// How dangerous it is, 0 to 4.
    pub danger: i64,
    /// The rule that asks for a confirmation.
    pub rule: Option<String>,
    /// What the operator is shown of it, with secrets hidden.
    pub shown: serde_json::Value,
    /// How far it is.
    pub state: ApprovalState,
    /// When it was asked for.
    pub requested_at: Timestamp,
    /// Until when it can be answered, or used.
    pub expires_at: Timestamp,
    /// When it was answered.
    pub decided_at: Option<Timestamp>,
    /// Who answered.
    pub approver: Option<String>,
    /// What they said.
    pub reason: Option<String>,
}

const COLUMNS: &str =
    "id, session, caller, danger, rule, shown, state, requested_at, expires_at, decided_at, approver, reason";

impl Approval {
    /// What a row says at this moment: one that is overdue has expired, whether that was noted or not.
    fn from_row(row: &Row, now: Timestamp) -> Result<Approval, StoreError> {
        let expires_at = row.moment(8)?;
        let state = ApprovalState::parse(&row.text(6)?)
            .ok_or_else(|| StoreError::Damaged("the state of an approval".to_owned()))?;
        let is_open = matches!(state, ApprovalState::Waiting | ApprovalState::Approved);
        Ok(Approval {
            id: row.text(0)?,
            session: row.text(1)?,
            caller: row.text(2)?,
            danger: row.int(3)?,
            rule: row.optional_text(4)?,
            shown: row.json(5)?,
            state: if is_open && expires_at <= now { ApprovalState::Expired } else { state },
            requested_at: row.moment(7)?,
            expires_at,
            decided_at: row.optional_moment(9)?,
            approver: row.optional_text(10)?,
            reason: row.optional_text(11)?,
        })
    }
}

impl Approval {
    /// When its calls may run, if they may not for so long after the answer.
    fn usable_at(&self, cooldown: Duration) -> Timestamp {
        later(self.decided_at.unwrap_or(self.requested_at), cooldown)
    }
}

/// What tells one question of a session from another.
fn fingerprint(calls: &[CountedCall]) -> String {
    // Stored fingerprints are of pairs.
    let pairs: Vec<_> = calls.iter().map(|CountedCall { call, times }| (call, times)).collect();
    secret::hash(&serde_json::json!(pairs).to_string())
}

async fn find<T: Transaction>(transaction: &mut T, id: &str) -> Result<Option<Approval>, StoreError> {
    let now = transaction.now();
    let sql = format!("SELECT {COLUMNS} FROM approvals WHERE id = $1");
    let row = transaction.query_one(&sql, &[id.into()]).await?;
    row.map(|row| Approval::from_row(&row, now)).transpose()
}

/// The calls of an approval, each once.
async fn calls_of<T: Transaction>(transaction: &mut T, id: &str) -> Result<Vec<KeyedCall>, StoreError> {
    let sql = "SELECT source, operation, params, resolved FROM approval_calls WHERE approval = $1 \
               ORDER BY source, operation, params, resolved";
    transaction.query(sql, &[Value::from(id)]).await?.iter().map(call_of).collect()
}

fn call_of(row: &Row) -> Result<KeyedCall, StoreError> {
    Ok(KeyedCall {
        source: row.text(0)?,
        operation: row.text(1)?,
        params: row.text(2)?,
        resolved: row.text(3)?,
    })
}
