//! The gatekeeper of `operations` with the confirmations of this crate.

pub(crate) mod gatekeeper;
mod policy;
mod request_digest;
