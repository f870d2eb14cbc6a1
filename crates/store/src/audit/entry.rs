//! What a line of the audit says (confirmation-token document, section 6.4; gatekeeper document, section 5).
//!
//! Parameters are there as a code of their digest, made with the key of the audit, and tokens by a name that is of no use, so that a line holds no secret.

use crate::audit::key::AuditKey;
use crate::call::{CallKey, KeyedCall, Requester};
use crate::error::StoreError;
use crate::value::{Row, Value};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Names of the events.
pub mod event {
    /// A confirmation token was made.
    pub const TOKEN_ISSUED: &str = "TOKEN_ISSUED";
    /// A confirmation token was used for the call that it was made for.
    pub const TOKEN_VALIDATED: &str = "TOKEN_VALIDATED";
    /// A confirmation token was refused.
    pub const TOKEN_REJECTED: &str = "TOKEN_REJECTED";
    /// Confirmation tokens were taken back.
    pub const TOKEN_REVOKED: &str = "TOKEN_REVOKED";
    /// An operator is asked.
    pub const APPROVAL_REQUESTED: &str = "APPROVAL_REQUESTED";
    /// A question was put again while it waits.
    pub const APPROVAL_REPEATED: &str = "APPROVAL_REPEATED";
    /// An operator said yes.
    pub const APPROVAL_GRANTED: &str = "APPROVAL_GRANTED";
    /// An operator said no.
    pub const APPROVAL_DENIED: &str = "APPROVAL_DENIED";
    /// No one answered in time, or the session ended.
    pub const APPROVAL_EXPIRED: &str = "APPROVAL_EXPIRED";
    /// An operator took a question or a yes back.
    pub const APPROVAL_REVOKED: &str = "APPROVAL_REVOKED";
    /// A call runs by an operator's yes.
    pub const APPROVAL_USED: &str = "APPROVAL_USED";
    /// A confirmed call has ended.
    pub const CALL_FINISHED: &str = "CALL_FINISHED";
    /// A confirmed call never reported its end; whether it was carried out is not known.
    pub const CALL_LOST: &str = "CALL_LOST";
    /// A caller was given a token.
    pub const CALLER_ADDED: &str = "CALLER_ADDED";
    /// The tokens of a caller were taken back.
    pub const CALLER_REVOKED: &str = "CALLER_REVOKED";
    /// The passphrase of the operator was set.
    pub const PASSPHRASE_SET: &str = "PASSPHRASE_SET";
    /// Somebody gave a wrong passphrase.
    pub const PASSPHRASE_REJECTED: &str = "PASSPHRASE_REJECTED";
    /// The operator cancelled an execution.
    pub const EXECUTION_CANCELLED: &str = "EXECUTION_CANCELLED";
    /// The operator let a paused quota go on.
    pub const QUOTA_CONTINUED: &str = "QUOTA_CONTINUED";
    /// A call was refused by a rule.
    pub const OPERATION_DENIED: &str = "OPERATION_DENIED";
    /// A dangerous call runs without a confirmation, because a rule of the operator's lets it.
    pub const OPERATION_ALLOWED: &str = "OPERATION_ALLOWED";
    /// No one could be told that a call waits.
    pub const HOOK_FAILED: &str = "HOOK_FAILED";
    /// Refusals of a caller were so many that some have no line: within a minute, or while the store could not be written.
    pub const LINES_DROPPED: &str = "LINES_DROPPED";
    /// The same refusal again and again: how often within a minute, after the first, which has its own line.
    pub const REPEATED: &str = "REPEATED";
    /// This process could not use the store for a while; written when it is back.
    pub const STORE_LOST: &str = "STORE_LOST";
    /// The store was written to a file.
    pub const STORE_EXPORTED: &str = "STORE_EXPORTED";
    /// The store was filled from a file.
    pub const STORE_IMPORTED: &str = "STORE_IMPORTED";
}

/// What happened, before it has its place in the chain.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AuditEntry {
    /// Its name, such as `OPERATION_DENIED`.
    pub event: String,
    /// `success`, `failure`, or a word of the event's own.
    pub outcome: String,
    /// The session that asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Who asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caller: Option<String>,
    /// The source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The operation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// A code of the parameters, made with the key of the audit; before a line is written, their digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub params: Option<String>,
    /// The rule that decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Who said yes or no.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approver: Option<String>,
    /// A name for the token or the approval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// Why, in a few words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// A line of the audit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditLine {
    /// Its place, from 1 without a gap.
    pub seq: i64,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// What happened.
    #[serde(flatten)]
    pub entry: AuditEntry,
    /// The code that binds it to the line before.
    pub mac: String,
}

impl AuditEntry {
    /// An event with its outcome.
    pub fn new(event: &str, outcome: &str) -> AuditEntry {
        AuditEntry { event: event.to_owned(), outcome: outcome.to_owned(), ..AuditEntry::default() }
    }

    /// By whom.
    #[must_use]
    pub fn by(mut self, asker: &Requester) -> AuditEntry {
        self.session = Some(asker.session.clone());
        self.caller = Some(asker.caller.clone());
        self
    }

    /// About which call. The digest of its parameters is turned into a code when the line is written.
    #[must_use]
    pub fn about(self, call: &CallKey) -> AuditEntry {
        self.of_call(&call.source, &call.operation, &call.params)
    }

    /// About which call, which is kept.
    #[must_use]
    pub(crate) fn about_kept(self, call: &KeyedCall) -> AuditEntry {
        self.of_call(&call.source, &call.operation, &call.params)
    }

    fn of_call(mut self, source: &str, operation: &str, params: &str) -> AuditEntry {
        self.source = Some(source.to_owned());
        self.operation = Some(operation.to_owned());
        self.params = Some(params.to_owned());
        self
    }

    /// The same, of an entry that came from outside, as it is kept.
    pub(crate) fn keyed(mut self, key: &AuditKey) -> AuditEntry {
        self.params = self.params.map(|digest| key.params_code(&digest));
        self
    }

    /// Why, in a few words.
    #[must_use]
    pub fn because(mut self, detail: impl Into<String>) -> AuditEntry {
        self.detail = Some(detail.into());
        self
    }
}

/// The columns of a line, in the order of `from_row`.
pub(crate) const COLUMNS: &str =
    "seq, at, event, outcome, session, caller, source, operation, params, rule, approver, token, detail, mac";

impl AuditLine {
    /// When it was written.
    pub fn moment(&self) -> Timestamp {
        Timestamp::from_millisecond(self.at).unwrap_or_default()
    }

    /// Everything that the code is made of, in one text with one reading.
    pub(crate) fn canonical(&self) -> String {
        let e = &self.entry;
        let fields = [
            Some(&e.event),
            Some(&e.outcome),
            e.session.as_ref(),
            e.caller.as_ref(),
            e.source.as_ref(),
            e.operation.as_ref(),
            e.params.as_ref(),
            e.rule.as_ref(),
            e.approver.as_ref(),
            e.token.as_ref(),
            e.detail.as_ref(),
        ];
        serde_json::json!([self.seq, self.at, fields]).to_string()
    }

    pub(crate) fn values(&self) -> Vec<Value> {
        let e = &self.entry;
        vec![
            Value::from(self.seq),
            Value::from(self.at),
            Value::from(&e.event),
            Value::from(&e.outcome),
            Value::from(&e.session),
            Value::from(&e.caller),
            Value::from(&e.source),
            Value::from(&e.operation),
            Value::from(&e.params),
            Value::from(&e.rule),
            Value::from(&e.approver),
            Value::from(&e.token),
            Value::from(&e.detail),
            Value::from(&self.mac),
        ]
    }

    pub(crate) fn from_row(row: &Row) -> Result<AuditLine, StoreError> {
        let mut texts: VecDeque<Option<String>> =
            (4..13).map(|column| row.optional_text(column)).collect::<Result<_, _>>()?;
        let mut next = || texts.pop_front().flatten();
        Ok(AuditLine {
            seq: row.int(0)?,
            at: row.int(1)?,
            entry: AuditEntry {
                event: row.text(2)?,
                outcome: row.text(3)?,
                session: next(),
                caller: next(),
                source: next(),
                operation: next(),
                params: next(),
                rule: next(),
                approver: next(),
                token: next(),
                detail: next(),
            },
            mac: row.text(13)?,
        })
    }
}
