//! SQLite: one file in the state directory, one thread of this process that has it open.
//!
//! Tasks go to the thread one after the other, and never block the caller. Several processes share the file by its own
//! locks: a transaction that writes takes the write lock at its begin, so that it never has to give up half-way.

mod database;
mod key_file;
mod transaction;

use crate::context::Context;
use crate::error::{Outage, StoreError};
use crate::transaction::StoreTask;
use database::Database;
use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use tokio::sync::oneshot;

type Job = Box<dyn FnOnce(&mut Database) + Send>;

/// The way to the thread. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct SqliteEngine {
    jobs: mpsc::Sender<Job>,
}

impl SqliteEngine {
    /// Starts the thread. The file is opened when something is first asked for, and again after it failed.
    pub(crate) fn start(directory: PathBuf, context: Arc<Context>) -> Result<SqliteEngine, StoreError> {
        let (jobs, work) = mpsc::channel::<Job>();
        let mut database = Database::new(directory, context);
        let run = move || {
            for job in work {
                job(&mut database);
            }
        };
        std::thread::Builder::new()
            .name("aqueduct-sqlite".to_owned())
            .spawn(run)
            .map_err(|error| StoreError::unavailable(Outage::Failed, error))?;
        Ok(SqliteEngine { jobs })
    }

    pub(crate) async fn perform<O: StoreTask>(&self, mut task: O) -> Result<O::Output, StoreError> {
        let (reply, answer) = oneshot::channel();
        let job: Job = Box::new(move |database| {
            // The caller has given up: what was not begun is not done.
            if !reply.is_closed() {
                reply.send(database.run(&mut task)).ok();
            }
        });
        let thread_ended = || StoreError::unavailable(Outage::Failed, "the thread of the store has ended");
        self.jobs.send(job).map_err(|_| thread_ended())?;
        match tokio::time::timeout(O::TIME_LIMIT, answer).await {
            Ok(answer) => answer.map_err(|_| thread_ended())?,
            Err(_) => Err(StoreError::unavailable(Outage::TimedOut, "the thread of the store is busy")),
        }
    }
}
