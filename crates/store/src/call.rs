//! Who asks, and for which call: what tokens and approvals are bound to.
//!
//! Parameters and the resolved request come as digests in hexadecimal, made by whoever knows operations.

use crate::value::Value;
use serde::{Deserialize, Serialize};

/// Who asks.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Asker {
    /// The session.
    pub session: String,
    /// The caller's name.
    pub caller: String,
}

/// One call, whoever asks for it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CallKey {
    /// The source.
    pub source: String,
    /// The operation's name within it.
    pub operation: String,
    /// The digest of the parameters.
    pub params: String,
    /// The digest of what the call would send, and where to.
    pub resolved: String,
}

impl CallKey {
    /// True for the same call, whatever the operation is resolved to.
    pub(crate) fn is_same_call(&self, other: &CallKey) -> bool {
        (&self.source, &self.operation, &self.params) == (&other.source, &other.operation, &other.params)
    }

    pub(crate) fn values(&self) -> [Value; 4] {
        [
            Value::from(&self.source),
            Value::from(&self.operation),
            Value::from(&self.params),
            Value::from(&self.resolved),
        ]
    }
}

/// The different calls of a plan, and how often each is in it.
pub(crate) fn counted(calls: &[CallKey]) -> Vec<(CallKey, i64)> {
    let mut sorted = calls.to_vec();
    sorted.sort();
    let mut counted: Vec<(CallKey, i64)> = Vec::new();
    for call in sorted {
        match counted.last_mut() {
            Some((last, count)) if *last == call => *count += 1,
            _ => counted.push((call, 1)),
        }
    }
    counted
}
