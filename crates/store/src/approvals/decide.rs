//! The operator's answer. The first one counts.
//!
//! A verdict in; whether it counts, and how the approval stands now, out. A yes is good for a bounded time.

use super::{Approval, ApprovalState, calls_of, find};
use crate::audit::chain;
use crate::audit::entry::{AuditEntry, event};
use crate::call::Requester;
use crate::error::StoreError;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::Value;
use aqueduct_operations::clock::later;
use std::time::Duration;

/// What the operator says.
#[derive(Debug, Clone)]
pub enum ApprovalDecision {
    /// The call may run, within this time.
    Approve {
        /// How long it may.
        usable_for: Duration,
    },
    /// It may not.
    Deny {
        /// What the caller is told.
        reason: Option<String>,
    },
}

/// What became of an answer.
#[derive(Debug, Clone)]
pub enum Decided {
    /// It counts.
    Done(Approval),
    /// Somebody has answered before, or it is too late.
    TooLate(Approval),
    /// There is no such question.
    Unknown,
}

struct Decide {
    id: String,
    verdict: ApprovalDecision,
    approver: String,
}

impl StoreTask for Decide {
    type Output = Decided;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Decided, StoreError> {
        let Decide { id, verdict, approver } = &*self;
        let Some(before) = find(transaction, id).await? else { return Ok(Decided::Unknown) };
        let now = transaction.now();
        let (state, expires_at, reason, event, outcome) = match verdict {
            ApprovalDecision::Approve { usable_for } => {
                (ApprovalState::Approved, later(now, *usable_for), None, event::APPROVAL_GRANTED, "approved")
            }
            ApprovalDecision::Deny { reason } => {
                (ApprovalState::Denied, before.expires_at, reason.clone(), event::APPROVAL_DENIED, "denied")
            }
        };
        let sql = "UPDATE approvals SET state = $1, expires_at = $2, decided_at = $3, approver = $4, reason = $5 \
                   WHERE id = $6 AND state = 'waiting' AND expires_at > $3";
        let values = [
            state.name().into(),
            expires_at.into(),
            now.into(),
            Value::from(approver),
            Value::from(&reason),
            Value::from(id),
        ];
        let is_done = transaction.execute(sql, &values).await? == 1;
        let Some(after) = find(transaction, id).await? else { return Ok(Decided::Unknown) };
        if !is_done {
            return Ok(Decided::TooLate(after));
        }
        let sql = "UPDATE approval_calls SET state = $1, expires_at = $2 WHERE approval = $3";
        transaction.execute(sql, &[state.name().into(), expires_at.into(), Value::from(id)]).await?;
        let asker = Requester { session: after.session.clone(), caller: after.caller.clone() };
        let calls = calls_of(transaction, id).await?;
        let lines = calls.iter().map(|call| AuditEntry {
            rule: after.rule.clone(),
            token: Some(id.clone()),
            approver: Some(approver.clone()),
            detail: reason.clone(),
            ..AuditEntry::new(event, outcome).by(&asker).about_kept(call)
        });
        let lines = lines.collect();
        transaction.notify().await?;
        chain::append(transaction, lines).await?;
        Ok(Decided::Done(after))
    }
}

impl Store {
    /// Takes the operator's answer.
    pub async fn decide_approval(
        &self,
        id: &str,
        verdict: ApprovalDecision,
        approver: &str,
    ) -> Result<Decided, StoreError> {
        self.perform(Decide { id: id.to_owned(), verdict, approver: approver.to_owned() }).await
    }
}
