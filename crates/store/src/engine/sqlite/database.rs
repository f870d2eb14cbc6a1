//! The file itself: opened, prepared, and opened again after it failed.
//!
//! A state directory in, results of tasks out. The file and its key are readable by their owner alone.

use super::key_file;
use super::transaction::{SqliteTransaction, store_error};
use crate::context::Context;
use crate::error::{Outage, StoreError};
use crate::migrations::{HasKey, Prepare};
use crate::transaction::StoreTask;
use aqueduct_private_files as private_files;
use futures_executor::block_on;
use rusqlite::Connection;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

const FILE: &str = "store.sqlite";
const LOCK: &str = "store.lock";

/// How long other processes are waited for.
const BUSY: Duration = Duration::from_secs(5);

/// The database of a state directory.
#[derive(Debug)]
pub(super) struct Database {
    directory: PathBuf,
    context: Arc<Context>,
    connection: Option<Connection>,
}

impl Database {
    pub(super) fn new(directory: PathBuf, context: Arc<Context>) -> Database {
        Database { directory, context, connection: None }
    }

    /// Runs a task in one transaction.
    pub(super) fn run<O: StoreTask>(&mut self, task: &mut O) -> Result<O::Output, StoreError> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.open()?,
        };
        let result = transact(&mut connection, &self.context, task);
        // What an engine says of itself may be over when the file is opened anew; being busy is over by itself.
        let is_usable = match &result {
            Ok(_) => true,
            Err(StoreError::Unavailable { reason, .. }) => *reason == Outage::Busy,
            Err(StoreError::Damaged(_)) => false,
            Err(_) => true,
        };
        if is_usable {
            self.connection = Some(connection);
        }
        result
    }

    /// Opens the file, brings its tables up to date, and finds its key. One process at a time does so.
    fn open(&self) -> Result<Connection, StoreError> {
        private_files::create_directory(&self.directory).map_err(io_error)?;
        let lock = private_files::open(&self.directory.join(LOCK)).map_err(io_error)?;
        lock.lock().map_err(io_error)?;
        let path = self.directory.join(FILE);
        // Only when it is not there: closing a file that SQLite has open elsewhere in this process would drop its locks.
        if !path.exists() {
            private_files::open(&path).map_err(io_error)?;
        }
        let mut connection = connect(&path).map_err(|error| store_error(&error))?;
        if self.context.key.get().is_none() {
            let has_key = transact(&mut connection, &self.context, &mut HasKey)?;
            let key = key_file::load_or_create(&self.directory, has_key)?;
            // Only this thread sets it.
            self.context.key.set(key).ok();
        }
        let migrated = transact(&mut connection, &self.context, &mut Prepare)?;
        self.context.migrated.set(migrated).ok();
        Ok(connection)
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(BUSY)?;
    // A commit is on the disk before anyone acts on it: a token must not come back with the power.
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF;",
    )?;
    Ok(connection)
}

/// Runs a task between a begin and a commit, or a rollback.
fn transact<O: StoreTask>(
    connection: &mut Connection,
    context: &Context,
    task: &mut O,
) -> Result<O::Output, StoreError> {
    let begin = if O::READS_ONLY { "BEGIN DEFERRED" } else { "BEGIN IMMEDIATE" };
    connection.execute_batch(begin).map_err(|error| store_error(&error))?;
    let mut transaction = SqliteTransaction::new(connection, context);
    let result = block_on(task.run(&mut transaction));
    let (notifies, events) = transaction.changes();
    let result = result.and_then(|output| {
        connection.execute_batch("COMMIT").map_err(|error| store_error(&error)).map(|()| output)
    });
    if result.is_err() && !connection.is_autocommit() {
        // When this fails too, the connection is closed, which has the same effect.
        connection.execute_batch("ROLLBACK").ok();
    }
    if result.is_ok() {
        context.counter.written(events);
        if notifies {
            context.notify_change();
        }
    }
    result
}

/// The outage behind an error of the operating system.
pub(super) fn io_error(error: io::Error) -> StoreError {
    let reason = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            Outage::Full
        }
        io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => Outage::ReadOnly,
        _ => Outage::Failed,
    };
    StoreError::unavailable(reason, error)
}
