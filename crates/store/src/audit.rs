//! The audit: lines that are only ever added, in one chain that a key holds together, sealed from time to time.
//!
//! `entry` is what a line says, `chain` adds and seals, `verify` finds what was changed, `search` reads, `notes`
//! keeps what nobody waits for. Whoever writes to the
//! database without the key cannot change, take out or reorder a line before the last seal unnoticed.

pub mod chain;
pub mod entry;
pub mod key;
mod notes;
pub mod search;
pub mod verify;
mod witness;

pub use entry::{AuditEntry, AuditLine};
pub use key::AuditKey;
pub(crate) use notes::AuditNotes;
pub use search::AuditFilter;
pub use verify::{AuditProblem, AuditReport};
pub(crate) use witness::Witness;
