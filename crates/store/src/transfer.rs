//! Moving a store from one engine to the other, as JSON lines.
//!
//! A head with the version and a mark of the key, a line for each row, and an end with a code over all of it, which only the key
//! makes: a file that was changed or cut is refused. The audit comes over as it is, so both stores have the same key.

mod export;
mod import;
mod tables;

pub use import::ImportError;

use crate::audit::entry::AuditEntry;
use aqueduct_operations::call::Caller;
use serde::{Deserialize, Serialize};

/// One line of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum TransferLine {
    /// The first.
    Store {
        /// The version of the tables.
        version: i64,
        /// Tells keys apart.
        key: String,
    },
    /// One row: the name of its table, and the values in the order of `tables`.
    Row(String, Vec<serde_json::Value>),
    /// The last.
    End {
        /// How many rows there were.
        rows: u64,
        /// The code over all lines before.
        mac: String,
    },
}

/// A line of the audit about the file: anyone who has the store itself is the caller.
fn line(event: &str) -> AuditEntry {
    AuditEntry { caller: Some(Caller::local().name().to_owned()), ..AuditEntry::new(event, "success") }
}

/// What the code over the file is made of, line by line.
fn next_code(key: &crate::audit::key::AuditKey, before: &str, line: &str) -> String {
    key.code(&["export", before, line])
}
