//! Who asks, and for which call: what tokens and approvals are bound to.
//!
//! Parameters and the resolved request come as digests in hexadecimal, made by the code that knows operations. What is kept is a code of
//! each digest under the key of the audit: a parameter with few possible values is not found by trying them on what is kept.

use crate::audit::key::AuditKey;
use crate::value::Value;
use serde::{Deserialize, Serialize};

/// Who asks.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Requester {
    /// The session.
    pub session: String,
    /// The caller's name.
    pub caller: String,
}

/// One call, for any caller.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
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
    /// The same as it is kept.
    pub(crate) fn keyed(&self, key: &AuditKey) -> KeyedCall {
        KeyedCall {
            source: self.source.clone(),
            operation: self.operation.clone(),
            params: key.params_code(&self.params),
            resolved: key.code(&["resolved", &self.resolved]),
        }
    }
}

/// One call as it is kept. Nothing else has its columns, so that no digest is kept as it came.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct KeyedCall {
    pub source: String,
    pub operation: String,
    pub params: String,
    pub resolved: String,
}

impl KeyedCall {
    /// True for the same call, whatever the operation is resolved to.
    pub(crate) fn is_same_call(&self, other: &KeyedCall) -> bool {
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

/// A call of a plan as it is kept.
#[derive(Debug)]
pub(crate) struct CountedCall {
    pub call: KeyedCall,
    /// How often it is in the plan.
    pub times: i64,
}

/// The different calls of a plan.
pub(crate) fn counted(calls: &[CallKey], key: &AuditKey) -> Vec<CountedCall> {
    let mut sorted: Vec<KeyedCall> = calls.iter().map(|call| call.keyed(key)).collect();
    sorted.sort();
    let mut counted: Vec<CountedCall> = Vec::new();
    for call in sorted {
        match counted.last_mut() {
            Some(last) if last.call == call => last.times += 1,
            _ => counted.push(CountedCall { call, times: 1 }),
        }
    }
    counted
}
