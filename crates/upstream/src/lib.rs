//! Calling out. An operation and its checked values come in; the upstream's answer, or the reason why there is none,
//! goes out.
//!
//! Follow a call by reading `upstream`, then `http/build`, `credentials`, `address_guard`, `http/send`, `http/read`.
//! Credentials are read from the environment when a call needs them, live in types that do not print, and are taken out
//! of everything that comes back (`redact`).

pub mod address_guard;
pub mod credentials;
pub mod error;
mod http;
mod redact;
#[cfg(test)]
mod test_support;
pub mod upstream;

pub use credentials::{Environment, ProcessEnvironment};
pub use error::UpstreamError;
pub use upstream::{Answer, Prepared, Upstream, UpstreamSettings, UpstreamStartError};
