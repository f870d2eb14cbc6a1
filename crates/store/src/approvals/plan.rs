//! What the operator has said about a plan: all of its calls together, before the first of them runs.
//!
//! Who asks and the calls in; how far the question is out. Nothing is used up: each call claims its own part of the yes.

use super::{Approval, ApprovalState, COLUMNS, claim, fingerprint};
use crate::call::{CallKey, CountedCall, Requester, counted};
use crate::error::StoreError;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::Value;
use jiff::Timestamp;
use std::time::Duration;

/// How far the question about a plan is.
#[derive(Debug)]
pub enum PlanState {
    /// The operator said yes, and each call can still be claimed as often as it is in the plan.
    Approved,
    /// The operator said yes, and its calls may not run yet.
    CoolingDown {
        /// When they may.
        until: Timestamp,
    },
    /// No one has answered.
    Waiting(Box<Approval>),
    /// The operator said no.
    Denied(Box<Approval>),
    /// No person was asked, or the answer is used up.
    Nothing,
}

struct FindPlan {
    asker: Requester,
    calls: Vec<CallKey>,
    cooldown: Duration,
}

impl StoreTask for FindPlan {
    type Output = PlanState;
    const READS_ONLY: bool = true;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<PlanState, StoreError> {
        let FindPlan { asker, calls, cooldown } = &*self;
        let now = transaction.now();
        let calls = counted(calls, transaction.context().key()?);
        let Some(first) = calls.first() else { return Ok(PlanState::Nothing) };
        for candidate in claim::candidates(transaction, asker, &first.call).await? {
            if candidate.state == ApprovalState::Approved && covers(transaction, &candidate, &calls).await? {
                let until = candidate.usable_at(*cooldown);
                return Ok(if until > now { PlanState::CoolingDown { until } } else { PlanState::Approved });
            }
        }
        let sql = format!(
            "SELECT {COLUMNS} FROM approvals WHERE session = $1 AND fingerprint = $2 AND expires_at > $3 \
             AND state IN ('waiting', 'denied') ORDER BY requested_at DESC, id LIMIT 1"
        );
        let values = [Value::from(&asker.session), fingerprint(&calls).into(), now.into()];
        let Some(row) = transaction.query_one(&sql, &values).await? else { return Ok(PlanState::Nothing) };
        let approval = Box::new(Approval::from_row(&row, now)?);
        Ok(match approval.state {
            ApprovalState::Denied => PlanState::Denied(approval),
            _ => PlanState::Waiting(approval),
        })
    }
}

/// True when an approval has all of these calls left.
async fn covers<T: Transaction>(
    transaction: &mut T,
    approval: &Approval,
    calls: &[CountedCall],
) -> Result<bool, StoreError> {
    for CountedCall { call, times } in calls {
        let sql = "SELECT 1 FROM approval_calls WHERE source = $1 AND operation = $2 AND params = $3 AND resolved = $4 \
                   AND approval = $5 AND allowed - used >= $6";
        let mut values = call.values().to_vec();
        values.extend([Value::from(&approval.id), (*times).into()]);
        if transaction.query_one(sql, &values).await?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

impl Store {
    /// How far the question about these calls is, which may not run for so long after the answer.
    pub async fn plan_approval(
        &self,
        asker: Requester,
        calls: Vec<CallKey>,
        cooldown: Duration,
    ) -> Result<PlanState, StoreError> {
        self.perform(FindPlan { asker, calls, cooldown }).await
    }
}
