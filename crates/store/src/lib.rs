//! What outlives a process: confirmation tokens, approvals, callers, agents, units of limits, the operator's passphrase and the
//! audit; and what instances say about themselves while they run.
//!
//! One contract, `Store`, and two engines behind it: SQLite in the state directory, PostgreSQL for several machines. A task
//! is written once, in SQL that both read, and runs in one transaction. Everything that a decision depends on is one conditional
//! update; whatever fails, fails closed. Secrets are kept as hashes. Why it is so is in `docs/decisions/0040-store.md`.

pub mod agents;
pub mod approvals;
pub mod audit;
mod background;
pub mod call;
pub mod callers;
pub mod confirmations;
mod context;
mod engine;
pub mod error;
pub mod executions;
pub mod instances;
mod limits;
mod maintenance;
mod migrations;
mod operator;
mod outage;
mod rates;
pub mod revocation;
mod secret;
pub mod settings;
mod started_calls;
mod status;
mod store;
mod tally;
mod transaction;
pub mod transfer;
mod value;

pub use call::{CallKey, Requester};
pub use error::{Outage, StoreError};
pub use migrations::Migrated;
#[cfg(feature = "postgres")]
pub use settings::{PostgresSettings, TimeAuthority};
pub use settings::{StoreLimits, StoreLocation, StoreSettings};
pub use started_calls::StartedCall;
pub use status::StoreStatus;
pub use store::Store;
pub use tally::{AgentCounts, StoreTally};
