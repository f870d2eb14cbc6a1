//! Why the store did not do what it was asked.
//!
//! What is shown of an error names no path, host or query; the cause is for the log. Refusals of tokens and approvals are no
//! errors: they are outcomes, beside the tasks that give them.

use std::fmt;

/// The store failed. The caller must take it for a no.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// It cannot be reached or written now. Whether a change was made is not known.
    #[error("{reason}")]
    Unavailable {
        /// In what way.
        reason: Outage,
        /// The engine's own words, for the log.
        cause: String,
    },
    /// A newer version of the program has changed its tables.
    #[error(
        "the store has version {found} and this program knows {known}; run the newer program, which migrated it"
    )]
    NewerSchema {
        /// The version of the store.
        found: i64,
        /// The version of the program.
        known: i64,
    },
    /// The key of its audit is gone.
    #[error("the key of the audit is missing; put the file back, without it the audit cannot be checked")]
    KeyMissing,
    /// The key of its audit is another one.
    #[error("the audit of the store was begun with another key")]
    KeyMismatch,
    /// What stands in it cannot be read.
    #[error("the store is damaged: {0}")]
    Damaged(String),
    /// The operating system gave no randomness, so that no safe secret can be made.
    #[error("the operating system gave no randomness")]
    NoRandomness,
    /// The settings do not lead to a store.
    #[error("the store cannot be used as it is set: {0}")]
    Settings(String),
}

/// In what way the store cannot be used now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outage {
    /// No one answers, or the connection broke.
    Unreachable,
    /// It took too long.
    TimedOut,
    /// Others hold it.
    Busy,
    /// There is no space left.
    Full,
    /// It cannot be written.
    ReadOnly,
    /// The disk or the server reports an error of its own.
    Failed,
}

impl fmt::Display for Outage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outage::Unreachable => "the store cannot be reached",
            Outage::TimedOut => "the store did not answer in time",
            Outage::Busy => "the store is busy",
            Outage::Full => "the store has no space left",
            Outage::ReadOnly => "the store cannot be written",
            Outage::Failed => "the store failed",
        })
    }
}

impl StoreError {
    pub(crate) fn unavailable(reason: Outage, cause: impl fmt::Display) -> StoreError {
        StoreError::Unavailable { reason, cause: cause.to_string() }
    }

    /// A word for metrics.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            StoreError::Unavailable { reason: Outage::Unreachable, .. } => "unreachable",
            StoreError::Unavailable { reason: Outage::TimedOut, .. } => "timed_out",
            StoreError::Unavailable { reason: Outage::Busy, .. } => "busy",
            StoreError::Unavailable { reason: Outage::Full, .. } => "full",
            StoreError::Unavailable { reason: Outage::ReadOnly, .. } => "read_only",
            StoreError::Unavailable { reason: Outage::Failed, .. } | StoreError::NoRandomness => "failed",
            StoreError::NewerSchema { .. } => "newer_schema",
            StoreError::KeyMissing | StoreError::KeyMismatch => "key",
            StoreError::Damaged(_) => "damaged",
            StoreError::Settings(_) => "settings",
        }
    }

    /// The engine's own words, for the log.
    pub fn cause(&self) -> Option<&str> {
        match self {
            StoreError::Unavailable { cause, .. } => Some(cause),
            _ => None,
        }
    }
}
