//! Asking the operator. The same question of the same session is asked once, however often it is put.
//!
//! A call, or the calls of a plan, in; the approval that waits out. Who asks too often is not heard, and neither is a caller of whom
//! many questions wait already: the list is for a person to read.

use super::withdraw::expire_question;
use super::{Approval, find, fingerprint};
use crate::audit::chain;
use crate::audit::entry::{AuditEntry, event};
use crate::call::{CallKey, CountedCall, Requester, counted};
use crate::error::StoreError;
use crate::rates::{self, Counted, Rate};
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::Value;
use aqueduct_operations::clock::later;
use jiff::Timestamp;
use std::time::Duration;

/// A question to the operator.
#[derive(Debug, Clone)]
pub struct ApprovalRequest {
    /// Who asks.
    pub asker: Requester,
    /// The call, or the calls of a plan; never none.
    pub calls: Vec<CallKey>,
    /// How dangerous it is, 0 to 4.
    pub danger: u8,
    /// The rule that asks for a confirmation.
    pub rule: Option<String>,
    /// What the operator is shown of it. Secrets must be hidden in it already.
    pub shown: serde_json::Value,
    /// How long an answer is waited for.
    pub lifetime: Duration,
}

/// Whether the operator is asked.
#[derive(Debug)]
pub enum RequestedApproval {
    /// The question waits.
    Waiting(Box<Approval>),
    /// The session has asked too often, or too many questions of the caller wait.
    Limited {
        /// When it may ask again.
        until: Timestamp,
    },
}

impl StoreTask for ApprovalRequest {
    type Output = RequestedApproval;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<RequestedApproval, StoreError> {
        let ApprovalRequest { asker, calls, danger, rule, shown, lifetime } = &*self;
        let calls = counted(calls, transaction.context().key()?);
        let fingerprint = fingerprint(&calls);
        let now = transaction.now();
        let mut lines = expire_question(transaction, &asker.session, &fingerprint).await?;
        if let Some(waiting) = waiting(transaction, &asker.session, &fingerprint).await? {
            return Ok(RequestedApproval::Waiting(Box::new(waiting)));
        }
        if let Counted::Over { until, is_first } =
            rates::count(transaction, Rate::Issued, &asker.session).await?
        {
            let line = AuditEntry::new(event::APPROVAL_REQUESTED, "failure").by(asker);
            lines.extend(is_first.then(|| line.because("too many approvals were asked for")));
            chain::append(transaction, lines).await?;
            return Ok(RequestedApproval::Limited { until });
        }
        if let Some(until) = full_until(transaction, &asker.caller).await? {
            let line = AuditEntry::new(event::APPROVAL_REQUESTED, "failure").by(asker);
            if rates::is_first_in_window(transaction, Rate::FullLists, &asker.caller).await? {
                lines.push(line.because("too many approvals of the caller wait"));
            }
            chain::append(transaction, lines).await?;
            return Ok(RequestedApproval::Limited { until });
        }
        let id = uuid::Uuid::new_v4().to_string();
        let expires_at = later(now, *lifetime);
        let sql = "INSERT INTO approvals (id, fingerprint, session, caller, danger, rule, shown, state, requested_at, \
                   expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, 'waiting', $8, $9) ON CONFLICT DO NOTHING";
        let values = [
            Value::from(&id),
            Value::from(&fingerprint),
            Value::from(&asker.session),
            Value::from(&asker.caller),
            i64::from(*danger).into(),
            Value::from(rule),
            shown.to_string().into(),
            now.into(),
            expires_at.into(),
        ];
        if transaction.execute(sql, &values).await? == 0 {
            // Somebody has asked the same in this moment.
            let waiting = waiting(transaction, &asker.session, &fingerprint).await?;
            return waiting.map(|waiting| RequestedApproval::Waiting(Box::new(waiting))).ok_or_else(vanished);
        }
        for CountedCall { call, times } in &calls {
            let sql = "INSERT INTO approval_calls (source, operation, params, resolved, approval, session, state, \
                       expires_at, allowed, used) VALUES ($1, $2, $3, $4, $5, $6, 'waiting', $7, $8, 0)";
            let mut values = call.values().to_vec();
            values.extend([
                Value::from(&id),
                Value::from(&asker.session),
                expires_at.into(),
                (*times).into(),
            ]);
            transaction.execute(sql, &values).await?;
            lines.push(AuditEntry {
                rule: rule.clone(),
                token: Some(id.clone()),
                ..AuditEntry::new(event::APPROVAL_REQUESTED, "success").by(asker).about_kept(call)
            });
        }
        let approval = find(transaction, &id).await?.ok_or_else(vanished)?;
        transaction.notify().await?;
        chain::append(transaction, lines).await?;
        Ok(RequestedApproval::Waiting(Box::new(approval)))
    }
}

async fn waiting<T: Transaction>(
    transaction: &mut T,
    session: &str,
    fingerprint: &str,
) -> Result<Option<Approval>, StoreError> {
    let sql = "SELECT id FROM approvals WHERE session = $1 AND fingerprint = $2 AND state = 'waiting'";
    match transaction.query_one(sql, &[session.into(), fingerprint.into()]).await? {
        Some(row) => find(transaction, &row.text(0)?).await,
        None => Ok(None),
    }
}

/// When the first of a caller's questions stops waiting, if there are as many as may wait.
async fn full_until<T: Transaction>(
    transaction: &mut T,
    caller: &str,
) -> Result<Option<Timestamp>, StoreError> {
    let most = i64::try_from(transaction.context().limits.waiting_approvals_per_caller).unwrap_or(i64::MAX);
    let sql = "SELECT count(*), min(expires_at) FROM approvals WHERE caller = $1 AND state = 'waiting' \
               AND expires_at > $2";
    let values = [caller.into(), transaction.now().into()];
    let Some(row) = transaction.query_one(sql, &values).await? else { return Ok(None) };
    Ok(if row.int(0)? < most { None } else { row.optional_moment(1)? })
}

fn vanished() -> StoreError {
    StoreError::Damaged("an approval is not where it was written".to_owned())
}

impl Store {
    /// Asks the operator about a call, or a plan of calls.
    pub async fn request_approval(&self, request: ApprovalRequest) -> Result<RequestedApproval, StoreError> {
        self.perform(request).await
    }
}
