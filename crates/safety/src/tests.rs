//! The gatekeeper of `operations` with the confirmations of this crate.

mod database_traffic;
pub(crate) mod gatekeeper;
mod policy;
mod request_digest;
