//! The audit: lines that are only ever added, in one chain that a key holds together, sealed from time to time.
//!
//! `entry` is what a line says, `chain` adds and seals, `verify` finds what was changed, `search` reads, `pending`
//! keeps what nobody waits for, and `repeats` what comes again and again. Whoever writes to the
//! database without the key cannot change, take out or reorder a line before the last seal unnoticed.

pub mod chain;
pub mod entry;
pub mod key;
mod pending;
mod repeats;
pub mod search;
pub mod verify;
mod witness;

pub use entry::{AuditEntry, AuditLine};
pub use key::AuditKey;
pub(crate) use pending::{PendingLine, PendingLines, WritePending};
pub use search::AuditFilter;
pub use verify::{AuditProblem, AuditReport};
pub(crate) use witness::Witness;
