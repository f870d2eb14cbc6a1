//! The two engines. Both run the same tasks; they differ in how a transaction begins, ends and fails.
//!
//! A task in; what it gives, or why the store failed, out.

#[cfg(feature = "postgres")]
mod postgres;
mod sqlite;

#[cfg(feature = "postgres")]
pub(crate) use postgres::PostgresEngine;
pub(crate) use sqlite::SqliteEngine;

use crate::error::StoreError;
use crate::transaction::StoreTask;
use std::time::Duration;

/// Where tasks run.
#[derive(Debug)]
pub(crate) enum Engine {
    Sqlite(SqliteEngine),
    #[cfg(feature = "postgres")]
    Postgres(Box<PostgresEngine>),
}

impl Engine {
    /// The word for it.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Engine::Sqlite(_) => "sqlite",
            #[cfg(feature = "postgres")]
            Engine::Postgres(_) => "postgres",
        }
    }

    /// How often changes of others are looked for, by the caller that waits for one.
    pub(crate) fn poll_interval(&self) -> Duration {
        match self {
            Engine::Sqlite(_) => Duration::from_millis(200),
            // It tells of changes itself; this is for what was missed.
            #[cfg(feature = "postgres")]
            Engine::Postgres(_) => Duration::from_secs(2),
        }
    }

    /// Runs a task in one transaction.
    pub(crate) async fn perform<O: StoreTask>(&self, task: O) -> Result<O::Output, StoreError> {
        match self {
            Engine::Sqlite(engine) => engine.perform(task).await,
            #[cfg(feature = "postgres")]
            Engine::Postgres(engine) => engine.perform(task).await,
        }
    }
}
