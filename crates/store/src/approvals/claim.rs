//! Running a call by the operator's yes: the same call of the same session, repeated, runs once.
//!
//! Who asks and the call in; the call, started, or how far the question is, out.

use super::{Approval, ApprovalState, COLUMNS, find};
use crate::audit::entry::{AuditEntry, event};
use crate::call::{CallKey, KeyedCall, Requester};
use crate::error::StoreError;
use crate::started_calls::{self, CallInProgress, StartedCall};
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::Value;
use jiff::Timestamp;
use std::time::Duration;

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
    /// Yes, and it may not run yet.
    CoolingDown {
        /// When it may.
        until: Timestamp,
    },
    /// Nothing yet.
    Waiting(Box<Approval>),
    /// No.
    Denied(Box<Approval>),
    /// No person was asked, or the answer is used up.
    Nothing,
}

/// What holds for the call besides the answer.
#[derive(Debug, Clone, Default)]
pub struct ClaimTerms {
    /// How long after the answer it does not run yet.
    pub cooldown: Duration,
    /// What the audit says of the call besides.
    pub context: Option<String>,
}

enum ClaimOutcome {
    Claimed(Box<CallInProgress>, Box<Approval>),
    CoolingDown(Timestamp),
    Waiting(Box<Approval>),
    Denied(Box<Approval>),
    Nothing,
}

struct ClaimNow {
    asker: Requester,
    call: CallKey,
    terms: ClaimTerms,
}

impl StoreTask for ClaimNow {
    type Output = ClaimOutcome;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<ClaimOutcome, StoreError> {
        let ClaimNow { asker, call, terms } = &*self;
        let call = &call.keyed(transaction.context().key()?);
        let now = transaction.now();
        let (mut cooling, mut waiting, mut denied) = (None, None, None);
        for candidate in candidates(transaction, asker, call).await? {
            let usable_at = candidate.usable_at(terms.cooldown);
            match candidate.state {
                ApprovalState::Approved if usable_at > now => {
                    cooling = Some(cooling.map_or(usable_at, |first: Timestamp| first.min(usable_at)));
                }
                ApprovalState::Approved if take(transaction, &candidate, call).await? => {
                    close_if_used(transaction, &candidate.id).await?;
                    let line = AuditEntry {
                        rule: candidate.rule.clone(),
                        token: Some(candidate.id.clone()),
                        approver: candidate.approver.clone(),
                        detail: terms.context.clone(),
                        ..AuditEntry::new(event::APPROVAL_USED, "success").by(asker).about_kept(call)
                    };
                    transaction.notify().await?;
                    let in_progress = started_calls::begin(transaction, asker, call, line).await?;
                    return Ok(ClaimOutcome::Claimed(Box::new(in_progress), Box::new(candidate)));
                }
                ApprovalState::Waiting => waiting = waiting.or(Some(candidate)),
                ApprovalState::Denied => denied = denied.or(Some(candidate)),
                _ => {}
            }
        }
        Ok(match (cooling, waiting, denied) {
            (Some(until), _, _) => ClaimOutcome::CoolingDown(until),
            (None, Some(waiting), _) => ClaimOutcome::Waiting(Box::new(waiting)),
            (None, None, Some(denied)) => ClaimOutcome::Denied(Box::new(denied)),
            (None, None, None) => ClaimOutcome::Nothing,
        })
    }
}

/// The approvals of the session that cover the call and are not past their time, newest first.
pub(super) async fn candidates<T: Transaction>(
    transaction: &mut T,
    asker: &Requester,
    call: &KeyedCall,
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

/// The one conditional update that a run depends on. The approval is held first: of two calls of a plan that are claimed at once, the
/// second waits for the first, and sees what it has used.
async fn take<T: Transaction>(
    transaction: &mut T,
    approval: &Approval,
    call: &KeyedCall,
) -> Result<bool, StoreError> {
    let lock_row = "UPDATE approvals SET state = state WHERE id = $1 AND state = 'approved'";
    if transaction.execute(lock_row, &[Value::from(&approval.id)]).await? == 0 {
        return Ok(false);
    }
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
    pub async fn claim_approval(
        &self,
        asker: &Requester,
        call: &CallKey,
        terms: ClaimTerms,
    ) -> Result<Claim, StoreError> {
        let claim = ClaimNow { asker: asker.clone(), call: call.clone(), terms };
        let claimed = self.perform_start(claim, |outcome, store| match outcome {
            ClaimOutcome::Claimed(in_progress, approval) => {
                Claim::Claimed { call: StartedCall::new(*in_progress, store), approval }
            }
            ClaimOutcome::CoolingDown(until) => Claim::CoolingDown { until },
            ClaimOutcome::Waiting(approval) => Claim::Waiting(approval),
            ClaimOutcome::Denied(approval) => Claim::Denied(approval),
            ClaimOutcome::Nothing => Claim::Nothing,
        });
        let mut claimed = claimed.await?;
        match &mut claimed {
            Claim::Claimed { call, .. } => call.taken_over(),
            Claim::Waiting(approval) => self.note_repeated(asker, call, approval),
            _ => {}
        }
        Ok(claimed)
    }

    /// Notes that a question was put again while it waits.
    fn note_repeated(&self, asker: &Requester, call: &CallKey, approval: &Approval) {
        self.note_audit(AuditEntry {
            rule: approval.rule.clone(),
            token: Some(approval.id.clone()),
            ..AuditEntry::new(event::APPROVAL_REPEATED, "waiting").by(asker).about(call)
        });
    }

    /// One approval.
    pub async fn approval(&self, id: &str) -> Result<Option<Approval>, StoreError> {
        self.perform(Find(id.to_owned())).await
    }
}
