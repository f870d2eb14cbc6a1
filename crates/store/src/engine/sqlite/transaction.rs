//! A transaction of SQLite, and what its errors mean.
//!
//! Statements come with `$1`, which SQLite reads as a name; it gets `?1`. Everything is done when a future is first polled.

use crate::context::Context;
use crate::error::{Outage, StoreError};
use crate::transaction::Transaction;
use crate::value::{Row, Value};
use jiff::Timestamp;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, ToSql, params_from_iter};

pub(super) struct SqliteTransaction<'a> {
    connection: &'a mut Connection,
    context: &'a Context,
    now: Timestamp,
    notifies: bool,
    events: Vec<String>,
}

impl<'a> SqliteTransaction<'a> {
    pub(super) fn new(connection: &'a mut Connection, context: &'a Context) -> SqliteTransaction<'a> {
        SqliteTransaction {
            connection,
            context,
            now: context.clock.now(),
            notifies: false,
            events: Vec::new(),
        }
    }

    /// Whether somebody is to be woken, and the events of the lines that were added to the audit.
    pub(super) fn changes(self) -> (bool, Vec<String>) {
        (self.notifies, self.events)
    }

    fn rows(&self, sql: &str, values: &[Value]) -> rusqlite::Result<Vec<Row>> {
        let mut statement = self.connection.prepare(&numbered(sql))?;
        let columns = statement.column_count();
        let mut rows = statement.query(params_from_iter(values))?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let mut cells = Vec::with_capacity(columns);
            for column in 0..columns {
                cells.push(match row.get_ref(column)? {
                    ValueRef::Integer(number) => Value::Int(number),
                    ValueRef::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
                    _ => Value::Null,
                });
            }
            found.push(Row(cells));
        }
        Ok(found)
    }
}

impl Transaction for SqliteTransaction<'_> {
    fn context(&self) -> &Context {
        self.context
    }

    fn now(&self) -> Timestamp {
        self.now
    }

    async fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, StoreError> {
        self.rows(sql, values).map_err(|error| store_error(&error))
    }

    async fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, StoreError> {
        let changed = self.connection.execute(&numbered(sql), params_from_iter(values));
        changed.map(|count| count as u64).map_err(|error| store_error(&error))
    }

    async fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        self.connection.execute_batch(sql).map_err(|error| store_error(&error))
    }

    /// The write lock, which every transaction that changes something has, is enough.
    async fn lock_schema(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    async fn has_table(&mut self, name: &str) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = $1";
        Ok(!self.query(sql, &[name.into()]).await?.is_empty())
    }

    async fn notify(&mut self) -> Result<(), StoreError> {
        self.notifies = true;
        Ok(())
    }

    fn count_line(&mut self, event: &str) {
        self.events.push(event.to_owned());
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Value::Null => ValueRef::Null,
            Value::Int(number) => ValueRef::Integer(*number),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
        }))
    }
}

fn numbered(sql: &str) -> String {
    sql.replace('$', "?")
}

pub(super) fn store_error(error: &rusqlite::Error) -> StoreError {
    let reason = match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            return StoreError::Damaged("the file is not a database any more".to_owned());
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Outage::Busy,
        Some(ErrorCode::DiskFull) => Outage::Full,
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => Outage::ReadOnly,
        Some(ErrorCode::CannotOpen) => Outage::Unreachable,
        _ => Outage::Failed,
    };
    StoreError::unavailable(reason, error)
}
