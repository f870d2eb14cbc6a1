//! Requests that must be refused: each required parameter left out in turn, and one more that is unknown.
//!
//! A right request in. Where an operation changes something, the request is about a thing that the run has made itself: a server that
//! refuses nothing changes nothing else.

use crate::conversation::Conversation;
use crate::exchange::Exchange;
use crate::operation::Operation;
use crate::sample_value::UNKNOWN;
use serde_json::{Map, Value};
use std::rc::Rc;

/// A request that must be refused, and the answer to it.
#[derive(Debug)]
pub(crate) struct Probe<'a> {
    /// The operation.
    pub operation: &'a Operation,
    /// The parameter that is missing, or unknown.
    pub parameter: String,
    /// It is missing.
    pub is_missing: bool,
    /// What was sent.
    pub params: Map<String, Value>,
    /// What came back.
    pub answer: Rc<Exchange>,
}

/// Tries everything that must be refused, beginning from a right request.
pub(crate) async fn probes<'a>(
    conversation: &Conversation<'_>,
    operation: &'a Operation,
    right: &Map<String, Value>,
) -> Vec<Probe<'a>> {
    let mut probes = Vec::new();
    for parameter in operation.required().map(|parameter| parameter.name.clone()) {
        let mut params = right.clone();
        params.remove(&parameter);
        let answer = conversation.operate(operation, params.clone()).await;
        probes.push(Probe { operation, parameter, is_missing: true, params, answer });
    }
    let mut params = right.clone();
    params.insert(UNKNOWN.to_owned(), 1.into());
    let answer = conversation.operate(operation, params.clone()).await;
    probes.push(Probe { operation, parameter: UNKNOWN.to_owned(), is_missing: false, params, answer });
    probes
}
