//! A policy of the operator's own, asked about every request that goes out: calls, and what calls need on their way.
//!
//! A request in, the reason for a denial out. It can only forbid: what the gatekeeper forbids stays forbidden.

use super::GateRequest;
use std::fmt::Debug;

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// It was called.
    Call,
    /// A further page of a call.
    Page,
    /// An update reads what is there.
    ReadBeforeWrite,
    /// A relationship is followed.
    Hop,
}

/// Forbids requests.
pub trait Policy: Debug + Send + Sync {
    /// Why this request may not go out; nothing when it may.
    fn denies(&self, request: &GateRequest<'_>) -> Option<String>;
}
