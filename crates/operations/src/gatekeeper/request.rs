//! What the gatekeeper is asked: a call that has been routed and validated, and what came with it for its confirmation.
//!
//! Stages and lists fill it in; the gatekeeper judges it, and the record of the decision is made of it.

use super::policy::Purpose;
use crate::call::CallOrigin;
use crate::operation::RegistryEntry;
use crate::rate_limits::metering::RequestMeter;
use serde_json::{Map, Value};
use std::sync::Arc;

/// What comes with a request for the confirmation of it.
#[derive(Clone, Copy)]
pub struct ConfirmationInput<'a> {
    /// The token that came with the request.
    pub token: Option<&'a str>,
    /// Who said yes to it, where this server has asked; the audit has it.
    pub approver: Option<&'a str>,
    /// The person behind the client is asked, where a yes is needed: the client is handed no token.
    pub asks_person: bool,
    /// What an operator is shown of the request, with secrets hidden.
    pub shown: &'a (dyn Fn() -> Value + Sync),
}

impl ConfirmationInput<'_> {
    /// Nothing: what needs a confirmation is asked about, and an operator is shown nothing of it.
    pub fn none() -> ConfirmationInput<'static> {
        ConfirmationInput { token: None, approver: None, asks_person: false, shown: &|| Value::Null }
    }
}

/// A parameter that a control such as `filter` is turned into where the source applies it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushedParam {
    /// Its name, as the source knows it.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// A call that has been routed and validated, as the gatekeeper sees it.
#[derive(Clone)]
pub struct GateRequest<'a> {
    /// The operation.
    pub entry: &'a RegistryEntry,
    /// The values that will be sent.
    pub values: Arc<Map<String, Value>>,
    /// What controls such as `filter` are turned into where the source applies them: more parameters, by the names that it knows.
    pub pushed: Arc<[PushedParam]>,
    /// The controls that came along, by name: they say which version, how much and which items, so a confirmation is for them too.
    pub controls: Arc<[(&'static str, Value)]>,
    /// Who asks, in which session, and what they may do.
    pub origin: &'a CallOrigin,
    /// The agent that the request names.
    pub agent: Option<Arc<str>>,
    /// What the request is for.
    pub purpose: Purpose,
    /// The operation that is asked first, when the values are merged into what is stored.
    pub reads_first: Option<&'a RegistryEntry>,
    /// Holds what is sent to the limits of the source; nothing where there are none.
    pub meter: Option<Arc<dyn RequestMeter>>,
}

impl<'a> GateRequest<'a> {
    /// A call with these values, and with no controls.
    pub fn new(
        entry: &'a RegistryEntry,
        values: Arc<Map<String, Value>>,
        origin: &'a CallOrigin,
    ) -> GateRequest<'a> {
        GateRequest {
            entry,
            values,
            pushed: Arc::default(),
            controls: Arc::default(),
            origin,
            agent: None,
            purpose: Purpose::Call,
            reads_first: None,
            meter: None,
        }
    }
}
