//! PostgreSQL: a small pool of connections, for as many instances as there are.
//!
//! Every answer is waited for a bounded time, here and at the server; a connection on which a transaction did not end well is thrown
//! away. What was not committed is tried again on another one; after a commit was sent, no one knows, and the answer is an error.

mod connect;
mod errors;
mod listen;
mod transaction;

use crate::context::Context;
use crate::error::{Outage, StoreError};
use crate::migrations::Prepare;
use crate::settings::{PostgresSettings, TimeAuthority};
use crate::transaction::StoreTask;
use connect::Connector;
use deadpool_postgres::{Manager, ManagerConfig, Pool, PoolError, RecyclingMethod, Runtime, TimeoutType};
use errors::{is_passing, store_error};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::OnceCell;
use transaction::PostgresTransaction;

/// Waits before a task is tried again.
const PAUSES: [Duration; 3] =
    [Duration::from_millis(20), Duration::from_millis(100), Duration::from_millis(500)];

/// The pool.
#[derive(Debug)]
pub(crate) struct PostgresEngine {
    pool: Pool,
    connector: Connector,
    time: TimeAuthority,
    context: Arc<Context>,
    is_prepared: OnceCell<()>,
    is_listening: AtomicBool,
}

/// A task that did not come to its end.
struct Failed {
    error: StoreError,
    /// True once the commit was sent.
    may_be_committed: bool,
}

impl PostgresEngine {
    /// A pool without connections.
    pub(crate) fn new(
        settings: PostgresSettings,
        context: Arc<Context>,
    ) -> Result<PostgresEngine, StoreError> {
        let connector = Connector::new(&settings)?;
        let manager = Manager::from_config(
            connector.config.clone(),
            connector.tls.clone(),
            ManagerConfig { recycling_method: RecyclingMethod::Fast },
        );
        let timeout = Some(settings.timeout);
        let pool = Pool::builder(manager)
            .max_size(settings.connections.max(1))
            .runtime(Runtime::Tokio1)
            .wait_timeout(timeout)
            .create_timeout(timeout)
            .recycle_timeout(timeout)
            .build()
            .map_err(|error| StoreError::Settings(error.to_string()))?;
        let time = settings.time;
        // No one else has the context yet.
        context.key.set(settings.key).ok();
        Ok(PostgresEngine {
            pool,
            connector,
            time,
            context,
            is_prepared: OnceCell::new(),
            is_listening: AtomicBool::new(false),
        })
    }

    pub(crate) async fn perform<O: StoreTask>(&self, mut task: O) -> Result<O::Output, StoreError> {
        let all = async {
            self.is_prepared.get_or_try_init(|| self.prepare()).await?;
            self.attempts(&mut task).await
        };
        match tokio::time::timeout(O::TIME_LIMIT, all).await {
            Ok(result) => result,
            Err(_) => Err(StoreError::unavailable(Outage::TimedOut, "the database took too long")),
        }
    }

    /// Hears from now on what other instances tell.
    pub(crate) fn listen(&self, handle: &Handle) {
        if !self.is_listening.swap(true, Ordering::Relaxed) {
            handle.spawn(listen::listen(self.connector.clone(), Arc::downgrade(&self.context)));
        }
    }

    async fn prepare(&self) -> Result<(), StoreError> {
        let migrated = self.attempts(&mut Prepare).await?;
        self.context.migrated.set(migrated).ok();
        Ok(())
    }

    /// Tries again what has changed nothing.
    async fn attempts<O: StoreTask>(&self, task: &mut O) -> Result<O::Output, StoreError> {
        let mut pauses = PAUSES.iter();
        loop {
            match self.attempt(task).await {
                Ok(output) => return Ok(output),
                Err(Failed { error, may_be_committed }) => {
                    let is_worth_it = O::REPEATABLE && !may_be_committed && is_passing(&error);
                    let Some(pause) = pauses.next().filter(|_| is_worth_it) else { return Err(error) };
                    tokio::time::sleep(*pause).await;
                }
            }
        }
    }

    async fn attempt<O: StoreTask>(&self, task: &mut O) -> Result<O::Output, Failed> {
        let before = |error| Failed { error, may_be_committed: false };
        let connection = self.pool.get().await.map_err(|error| before(pool_error(&error)))?;
        let timeout = self.connector.timeout;
        let mut transaction = PostgresTransaction::new(connection, &self.context, timeout);
        transaction.begin(O::READS_ONLY, self.time).await.map_err(before)?;
        match task.run(&mut transaction).await {
            Ok(output) => match transaction.commit().await {
                Ok(()) => Ok(output),
                Err(error) => Err(Failed { error, may_be_committed: !O::READS_ONLY }),
            },
            Err(error) => {
                transaction.roll_back().await;
                Err(before(error))
            }
        }
    }
}

fn pool_error(error: &PoolError) -> StoreError {
    match error {
        PoolError::Backend(error) => store_error(error),
        PoolError::Timeout(TimeoutType::Wait) => {
            StoreError::unavailable(Outage::Busy, "all connections are in use")
        }
        PoolError::Timeout(_) => StoreError::unavailable(Outage::TimedOut, "no connection was made in time"),
        other => StoreError::unavailable(Outage::Unreachable, other),
    }
}
