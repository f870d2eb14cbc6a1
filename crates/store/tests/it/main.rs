//! The contract of the store, on both engines: every test of `contract` runs on SQLite and on a real PostgreSQL.

mod approvals;
mod audit;
mod callers;
mod concurrency;
mod opening;
#[cfg(feature = "postgres")]
mod postgres;
mod processes;
mod started;
mod support;
mod tokens;
mod transfer;
