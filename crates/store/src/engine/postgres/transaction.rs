//! A transaction of PostgreSQL.
//!
//! Each statement is waited for a bounded time. Unless the transaction was ended and that was confirmed, its connection does not go
//! back to the pool: whatever is still under way on it ends with it.

use super::errors::store_error;
use super::listen::CHANNEL;
use crate::context::Context;
use crate::error::{Outage, StoreError};
use crate::settings::TimeAuthority;
use crate::transaction::Transaction;
use crate::value::{Row, Value, moment};
use deadpool_postgres::Object;
use jiff::Timestamp;
use std::error::Error;
use std::future::Future;
use std::time::Duration;
use tokio_postgres::SimpleQueryMessage;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};

/// Held while somebody changes the tables, or what only one may do at a time.
const SCHEMA_LOCK: i64 = 0x6171_7565_6475_6374;

pub(super) struct PostgresTransaction<'a> {
    connection: Option<Object>,
    context: &'a Context,
    timeout: Duration,
    now: Timestamp,
    notifies: bool,
    events: Vec<String>,
}

impl<'a> PostgresTransaction<'a> {
    pub(super) fn new(
        connection: Object,
        context: &'a Context,
        timeout: Duration,
    ) -> PostgresTransaction<'a> {
        let now = context.clock.now();
        PostgresTransaction {
            connection: Some(connection),
            context,
            timeout,
            now,
            notifies: false,
            events: Vec::new(),
        }
    }

    /// Begins, and asks what time it is in the same round trip.
    pub(super) async fn begin(&mut self, reads_only: bool, time: TimeAuthority) -> Result<(), StoreError> {
        let begin = if reads_only {
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        } else {
            "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
        };
        if time == TimeAuthority::Process {
            return self.script(begin).await;
        }
        let sql = format!("{begin}; SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)");
        let messages = self.within(self.connection()?.simple_query(&sql)).await?;
        let text = messages.iter().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => row.get(0)?.parse().ok(),
            _ => None,
        });
        let text =
            text.ok_or_else(|| StoreError::Damaged("the database does not tell the time".to_owned()))?;
        self.now = moment(text)?;
        Ok(())
    }

    pub(super) async fn commit(mut self) -> Result<(), StoreError> {
        self.script("COMMIT").await?;
        self.give_back();
        self.context.counter.written(std::mem::take(&mut self.events));
        if self.notifies {
            self.context.notify_change();
        }
        Ok(())
    }

    pub(super) async fn roll_back(mut self) {
        if self.script("ROLLBACK").await.is_ok() {
            self.give_back();
        }
    }

    /// The connection is clean, and others may have it.
    fn give_back(&mut self) {
        drop(self.connection.take());
    }

    fn connection(&self) -> Result<&Object, StoreError> {
        self.connection.as_ref().ok_or_else(|| StoreError::unavailable(Outage::Failed, "it has ended"))
    }

    async fn within<T>(
        &self,
        work: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, StoreError> {
        match tokio::time::timeout(self.timeout, work).await {
            Ok(result) => result.map_err(|error| store_error(&error)),
            Err(_) => Err(StoreError::unavailable(Outage::TimedOut, "the database did not answer")),
        }
    }
}

impl Drop for PostgresTransaction<'_> {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            drop(Object::take(connection));
        }
    }
}

impl Transaction for PostgresTransaction<'_> {
    fn context(&self) -> &Context {
        self.context
    }

    fn now(&self) -> Timestamp {
        self.now
    }

    async fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, StoreError> {
        let connection = self.connection()?;
        let rows = self.within(async {
            let statement = connection.prepare_cached(sql).await?;
            connection.query(&statement, &parameters(values)).await
        });
        rows.await?.iter().map(row_of).collect()
    }

    async fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, StoreError> {
        let connection = self.connection()?;
        self.within(async {
            let statement = connection.prepare_cached(sql).await?;
            connection.execute(&statement, &parameters(values)).await
        })
        .await
    }

    async fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        let connection = self.connection()?;
        self.within(connection.batch_execute(sql)).await
    }

    async fn lock_schema(&mut self) -> Result<(), StoreError> {
        self.execute("SELECT pg_advisory_xact_lock($1)", &[SCHEMA_LOCK.into()]).await.map(|_| ())
    }

    async fn has_table(&mut self, name: &str) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM pg_catalog.pg_tables \
                   WHERE schemaname = current_schema() AND tablename = CAST($1 AS TEXT)";
        Ok(!self.query(sql, &[name.into()]).await?.is_empty())
    }

    async fn notify(&mut self) -> Result<(), StoreError> {
        self.notifies = true;
        self.execute("SELECT pg_notify($1, '')", &[CHANNEL.into()]).await.map(|_| ())
    }

    fn count_line(&mut self, event: &str) {
        self.events.push(event.to_owned());
    }
}

fn parameters(values: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    values.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

impl ToSql for Value {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match self {
            Value::Null => Ok(IsNull::Yes),
            Value::Int(number) => number.to_sql(ty, out),
            Value::Text(text) => text.to_sql(ty, out),
        }
    }

    fn accepts(ty: &Type) -> bool {
        [Type::INT8, Type::TEXT, Type::VARCHAR].contains(ty)
    }

    to_sql_checked!();
}

fn row_of(row: &tokio_postgres::Row) -> Result<Row, StoreError> {
    let cell = |(index, column): (usize, &tokio_postgres::Column)| {
        let value = match *column.type_() {
            Type::INT8 => row.try_get::<_, Option<i64>>(index).map(Value::from),
            Type::INT4 => row.try_get::<_, Option<i32>>(index).map(|number| number.map(i64::from).into()),
            _ => row.try_get::<_, Option<String>>(index).map(Value::from),
        };
        value.map_err(|error| StoreError::Damaged(error.to_string()))
    };
    row.columns().iter().enumerate().map(cell).collect::<Result<_, _>>().map(Row)
}
