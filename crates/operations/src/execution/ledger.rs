//! The contract for keeping executions: in memory, or in a store for several processes and machines.
//!
//! Every change is conditional on the version that was read, so that of two changes one is refused; only who holds the lease of an
//! execution asks its job. A ledger that cannot be reached changes nothing.

use super::record::{Execution, ExecutionOwner};
use crate::handler::Boxed;
use std::fmt::Debug;

/// An execution as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedExecution {
    /// What is kept.
    pub execution: Execution,
    /// Counts its changes.
    pub version: i64,
    /// The instance that follows it, or did last.
    pub holder: Option<String>,
}

/// The ledger cannot be asked: why, in words that name no path or host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("executions cannot be reached: {0}")]
pub struct LedgerUnavailable(pub String);

/// What a ledger answers, some time.
pub type LedgerAnswer<'a, T> = Boxed<'a, Result<T, LedgerUnavailable>>;

/// Whether an execution was taken in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Created {
    /// It was.
    Done,
    /// Its owner has so many that go on already.
    TooMany {
        /// As many as there may be.
        most: u64,
    },
}

/// Keeps executions.
pub trait ExecutionLedger: Debug + Send + Sync {
    /// Takes one in, which this instance follows. Ended ones of its owner that are too many are forgotten.
    fn create<'a>(&'a self, execution: Execution, instance: &'a str) -> LedgerAnswer<'a, Created>;

    /// The one of this name.
    fn get<'a>(&'a self, id: &'a str) -> LedgerAnswer<'a, Option<SavedExecution>>;

    /// Those of an owner, newest first, without their results.
    fn of_owner<'a>(&'a self, owner: &'a ExecutionOwner) -> LedgerAnswer<'a, Vec<Execution>>;

    /// Those of a session that have not ended and do not go on without it.
    fn of_session<'a>(&'a self, session: &'a str) -> LedgerAnswer<'a, Vec<SavedExecution>>;

    /// Writes a change of the version that was read; false when somebody else has changed it. One that goes on again is followed by
    /// this instance.
    fn save<'a>(&'a self, changed: SavedExecution, instance: &'a str) -> LedgerAnswer<'a, bool>;

    /// Takes over what no instance follows, of these sources.
    fn claim<'a>(&'a self, instance: &'a str, sources: &'a [String])
    -> LedgerAnswer<'a, Vec<SavedExecution>>;

    /// Takes those of these sources that have ended and whose API is to be told so, by this instance and no other.
    fn unreported<'a>(
        &'a self,
        instance: &'a str,
        sources: &'a [String],
    ) -> LedgerAnswer<'a, Vec<SavedExecution>>;

    /// Keeps the lease of one; false when it is lost, or the execution has ended.
    fn renew<'a>(&'a self, id: &'a str, instance: &'a str) -> LedgerAnswer<'a, bool>;

    /// Keeps all leases of an instance that are not lost.
    fn keep<'a>(&'a self, instance: &'a str) -> LedgerAnswer<'a, ()>;

    /// Gives all leases of an instance up, so that others go on at once.
    fn release<'a>(&'a self, instance: &'a str) -> LedgerAnswer<'a, ()>;
}
