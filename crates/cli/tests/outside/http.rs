//! The real binary over HTTP, spoken to byte by byte.

mod callers;
mod direct;
mod doors;
mod lifecycle;
mod limits;
mod metrics;
pub mod server;
mod sessions;
pub mod store;
mod streams;
mod tls;
mod versions;
