//! The contract of the store, on both engines: what `on_both_engines` names runs on SQLite and on a real PostgreSQL.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, reason = "these are tests")]
#![allow(clippy::disallowed_methods, reason = "the test's own files and variables")]
#![allow(clippy::print_stderr, reason = "a long walk tells what it did")]

mod agents;
mod approvals;
mod audit;
mod callers;
#[cfg(feature = "postgres")]
mod changes;
mod concurrency;
mod execution_walks;
mod executions;
mod instances;
mod limit_processes;
mod limits;
mod opening;
#[cfg(feature = "postgres")]
mod postgres;
mod processes;
mod started;
mod support;
mod tally;
mod tokens;
mod transfer;
