//! The real binary over HTTP, spoken to byte by byte.

mod doors;
mod lifecycle;
mod limits;
mod metrics;
pub mod server;
mod sessions;
mod streams;
mod versions;
