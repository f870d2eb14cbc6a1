//! Running a call by the operator's yes: the same call of the same session, repeated, runs once.
//!
//! Who asks and the call in; the call, started, or how far the question is, out.

use super::{Approval, ApprovalState, COLUMNS, find};
use crate::audit::chain;
use crate::audit::entry::{AuditEntry, event};
use crate::call::{Asker, CallKey};
use crate::error::StoreError;
use crate::started::{self, StartedCall};
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::Value;

/// What the operator has said about a call.
#[derive(Debug)]
pub enum Claim {
    /// Yes, and it runs now.
    Claimed {
        /// The call.
        call: StartedCall,
        /// The answer.
        approval: Box<Approval>,
    },
    /// Nothing yet.
    Waiting(Box<Approval>),
    /// No.
    Denied(Box<Approval>),
    /// Nobody was asked, or the answer is used up.
    Nothing,
}

enum Outcome {
    Claimed(String, Box<Approval>),
    Waiting(Box<Approval>),
    Denied(Box<Approval>),
    Nothing,
}

struct ClaimNow {
    asker: Asker,
    call: CallKey,
}

impl StoreTask for ClaimNow {
    type Output = Outcome;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Outcome, StoreError> {
        let ClaimNow { asker, call } = &*self;
        let (mut waiting, mut denied) = (None, None);
        for candidate in candidates(transaction, asker, call).await? {
            match candidate.state {
                ApprovalState::Approved if take(transaction, &candidate, call).await? => {
                    close_if_used(transaction, &candidate.id).await?;
                    let id = started::start(transaction, asker, call).await?;
                    let line = AuditEntry {
                        rule: candidate.rule.clone(),
                        token: Some(candidate.id.clone()),
                        approver: candidate.approver.clone(),
                        ..AuditEntry::new(event::APPROVAL_USED, "success").by(asker).about(call)
                    };
                    transaction.notify().await?;
                    chain::append(transaction, vec![line]).await?;
                    return Ok(Outcome::Claimed(id, Box::new(candidate)));
                }
                ApprovalState::Waiting => waiting = waiting.or(Some(candidate)),
                ApprovalState::Denied => denied = denied.or(Some(candidate)),
                _ => {}
            }
        }
        Ok(match (waiting, denied) {
            (Some(waiting), _) => Outcome::Waiting(Box::new(waiting)),
            (None, Some(denied)) => Outcome::Denied(Box::new(denied)),
            (None, None) => Outcome::Nothing,
        })
    }
}

/// The approvals of the session that cover the call and are not past their time, newest first.
pub(super) async fn candidates<T: Transaction>(
    transaction: &mut T,
    asker: &Asker,
    call: &CallKey,
) -> Result<Vec<Approval>, StoreError> {
    let now = transaction.now();
    let columns = COLUMNS.split(", ").map(|column| format!("a.{column}")).collect::<Vec<_>>().join(", ");
    let sql = format!(
        "SELECT {columns} FROM approval_calls c JOIN approvals a ON a.id = c.approval \
         WHERE c.source = $1 AND c.operation = $2 AND c.params = $3 AND c.resolved = $4 AND c.session = $5 \
         AND c.used < c.allowed AND c.expires_at > $6 ORDER BY a.requested_at DESC, a.id"
    );
    let mut values = call.values().to_vec();
    values.extend([Value::from(&asker.session), now.into()]);
    let rows = transaction.query(&sql, &values).await?;
    rows.iter().map(|row| Approval::from_row(row, now)).collect()
}

/// The one conditional update that a run depends on.
async fn take<T: Transaction>(
    transaction: &mut T,
    approval: &Approval,
    call: &CallKey,
) -> Result<bool, StoreError> {
    let sql = "UPDATE approval_calls SET used = used + 1 \
               WHERE source = $1 AND operation = $2 AND params = $3 AND resolved = $4 AND approval = $5 \
               AND session = $6 AND state = 'approved' AND used < allowed AND expires_at > $7";
    let mut values = call.values().to_vec();
    let now = transaction.now();
    values.extend([Value::from(&approval.id), Value::from(&approval.session), now.into()]);
    Ok(transaction.execute(sql, &values).await? == 1)
}

async fn close_if_used<T: Transaction>(transaction: &mut T, id: &str) -> Result<(), StoreError> {
    let sql = "UPDATE approvals SET state = 'used', used_at = $1 WHERE id = $2 AND state = 'approved' \
               AND NOT EXISTS (SELECT 1 FROM approval_calls WHERE approval = $2 AND used < allowed)";
    let now = transaction.now();
    transaction.execute(sql, &[now.into(), id.into()]).await?;
    Ok(())
}

struct Find(String);

impl StoreTask for Find {
    type Output = Option<Approval>;
    const READS_ONLY: bool = true;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Option<Approval>, StoreError> {
        find(transaction, &self.0).await
    }
}

impl Store {
    /// Lets a call run by the operator's yes, or tells how far the question is.
    pub async fn claim_approval(&self, asker: &Asker, call: &CallKey) -> Result<Claim, StoreError> {
        let claim = ClaimNow { asker: asker.clone(), call: call.clone() };
        Ok(match self.perform(claim).await? {
            Outcome::Claimed(id, approval) => Claim::Claimed { call: StartedCall::new(id, self), approval },
            Outcome::Waiting(approval) => Claim::Waiting(approval),
            Outcome::Denied(approval) => Claim::Denied(approval),
            Outcome::Nothing => Claim::Nothing,
        })
    }

    /// One approval.
    pub async fn approval(&self, id: &str) -> Result<Option<Approval>, StoreError> {
        self.perform(Find(id.to_owned())).await
    }
}
