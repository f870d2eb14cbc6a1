//! A policy of the operator's own, asked about every request that goes out: calls, and what calls need on their way.
//!
//! A request in, a denial with its rule out. It can only forbid: what the gatekeeper forbids stays forbidden. No setting makes one,
//! since the operator's rules (`policy_rules`) judge operations, callers and values. Tests do: a policy tells the next page, a hop or
//! a read before a write from the call that needs it, and so shows that the gatekeeper is asked about each of them.

use super::GateRequest;
use crate::named_enum::named_enum;
use std::fmt::Debug;

named_enum! {
    /// What a request is for.
    #[derive(Hash)]
    pub enum Purpose {
        /// It was called.
        Call = "call",
        /// A further page of a call.
        Page = "page",
        /// An update reads what is there.
        ReadBeforeWrite = "read_before_write",
        /// A relationship is followed.
        Hop = "hop",
        /// The state of an execution is asked for, or its job is told to end, and no one has asked for it.
        Follow = "follow",
        /// The job of an execution is told to end, or to begin anew, as a call asks for.
        Step = "step",
        /// The job of an execution is told to end because an operator has cancelled it: what that takes is confirmed with it.
        Operator = "operator",
    }
}

impl Purpose {
    /// True for what a caller has asked for, and a person may confirm.
    pub fn is_asked_for(self) -> bool {
        matches!(self, Purpose::Call | Purpose::Step)
    }
}

/// Forbids requests.
pub trait Policy: Debug + Send + Sync {
    /// Why this request may not go out; nothing when it may.
    fn denies(&self, request: &GateRequest<'_>) -> Option<PolicyDenial>;
}

/// A denial by the operator's policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyDenial {
    /// The name of the rule, for logs: nothing that a client sent is in it.
    pub rule: String,
    /// Why, in words for the client.
    pub reason: String,
}

impl PolicyDenial {
    /// By this rule, for this reason.
    pub fn new(rule: impl Into<String>, reason: impl Into<String>) -> PolicyDenial {
        PolicyDenial { rule: rule.into(), reason: reason.into() }
    }
}
