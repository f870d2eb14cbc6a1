//! Reading the audit: the lines that answer to a filter, oldest or newest first.
//!
//! What a person types is a value of a statement, never a part of it.

use super::entry::{AuditLine, COLUMNS};
use crate::error::StoreError;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::Value;
use jiff::Timestamp;

/// Which lines are wanted; what is not given does not matter.
#[derive(Debug, Clone, Default)]
pub struct AuditFilter {
    /// Lines with a field that contains this text, upper or lower case.
    pub text: Option<String>,
    /// Lines of this session.
    pub session: Option<String>,
    /// Lines of this caller.
    pub caller: Option<String>,
    /// Lines of this event.
    pub event: Option<String>,
    /// Lines from this moment on.
    pub since: Option<Timestamp>,
    /// Lines after this one.
    pub after: Option<i64>,
    /// Lines before this one.
    pub before: Option<i64>,
}

/// Which lines come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineOrder {
    OldestFirst,
    NewestFirst,
}

/// Reads at most so many lines.
#[derive(Debug)]
pub(crate) struct SearchAudit {
    pub filter: AuditFilter,
    pub order: LineOrder,
    pub most: i64,
}

impl StoreTask for SearchAudit {
    type Output = Vec<AuditLine>;
    const READS_ONLY: bool = true;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Vec<AuditLine>, StoreError> {
        let AuditFilter { text, session, caller, event, since, after, before } = &self.filter;
        let mut values = vec![Value::from(after.unwrap_or_default())];
        let mut conditions = vec!["seq > $1".to_owned()];
        let mut require = |condition: &str, value: Value| {
            values.push(value);
            conditions.push(condition.replace("{}", &format!("${}", values.len())));
        };
        if let Some(before) = before {
            require("seq < {}", (*before).into());
        }
        if let Some(session) = session {
            require("session = {}", session.into());
        }
        if let Some(caller) = caller {
            require("caller = {}", caller.into());
        }
        if let Some(event) = event {
            require("event = {}", event.into());
        }
        if let Some(since) = since {
            require("at >= {}", (*since).into());
        }
        if let Some(text) = text {
            require(
                "lower(event || ' ' || outcome || ' ' || coalesce(session, '') || ' ' || coalesce(caller, '') || ' ' || \
                 coalesce(source, '') || ' ' || coalesce(operation, '') || ' ' || coalesce(rule, '') || ' ' || \
                 coalesce(approver, '') || ' ' || coalesce(token, '') || ' ' || coalesce(detail, '')) \
                 LIKE {} ESCAPE '\\'",
                containing(text).into(),
            );
        }
        values.push(self.most.into());
        let order = match self.order {
            LineOrder::OldestFirst => "seq",
            LineOrder::NewestFirst => "seq DESC",
        };
        let sql = format!(
            "SELECT {COLUMNS} FROM audit WHERE {} ORDER BY {order} LIMIT ${}",
            conditions.join(" AND "),
            values.len()
        );
        transaction.query(&sql, &values).await?.iter().map(AuditLine::from_row).collect()
    }
}

/// A pattern of `LIKE` for texts that contain this one.
fn containing(text: &str) -> String {
    let mut pattern = String::from("%");
    for character in text.to_lowercase().chars() {
        if matches!(character, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern.push('%');
    pattern
}

impl Store {
    /// At most so many lines of the audit that answer to the filter, oldest first.
    pub async fn audit_lines(&self, filter: AuditFilter, most: u32) -> Result<Vec<AuditLine>, StoreError> {
        self.perform(SearchAudit { filter, order: LineOrder::OldestFirst, most: i64::from(most) }).await
    }

    /// The same, newest first.
    pub async fn latest_audit_lines(
        &self,
        filter: AuditFilter,
        most: u32,
    ) -> Result<Vec<AuditLine>, StoreError> {
        self.perform(SearchAudit { filter, order: LineOrder::NewestFirst, most: i64::from(most) }).await
    }
}
