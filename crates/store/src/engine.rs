//! The two engines. Both run the same operations; they differ in how a transaction begins, ends and fails.

#[cfg(feature = "postgres")]
mod postgres;
mod sqlite;

#[cfg(feature = "postgres")]
pub(crate) use postgres::PostgresEngine;
pub(crate) use sqlite::SqliteEngine;

use crate::error::StoreError;
use crate::transaction::Operation;

/// Where operations run.
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

    /// Runs an operation in one transaction.
    pub(crate) async fn perform<O: Operation>(&self, operation: O) -> Result<O::Output, StoreError> {
        match self {
            Engine::Sqlite(engine) => engine.perform(operation).await,
            #[cfg(feature = "postgres")]
            Engine::Postgres(engine) => engine.perform(operation).await,
        }
    }
}
