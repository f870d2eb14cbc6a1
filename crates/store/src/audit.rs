//! The audit: lines that are only ever added, in one chain that a key holds together, sealed from time to time.
//!
//! `entry` is what a line says, `chain` adds and seals, `verify` finds what was changed, `search` reads, `pending`
//! keeps what no caller waits for, and `repeats` what comes again and again. Anyone who writes to the
//! database without the key cannot change, take out or reorder a line before the last seal unnoticed.

pub mod chain;
pub mod entry;
pub mod key;
mod pending;
mod repeats;
mod seal_file;
pub mod search;
pub mod verify;

pub use entry::{AuditEntry, AuditLine};
pub use key::AuditKey;
pub(crate) use pending::{PendingLine, PendingLines, WritePending};
pub(crate) use seal_file::SealFile;
pub use search::AuditFilter;
pub use verify::{AuditProblem, AuditReport};
