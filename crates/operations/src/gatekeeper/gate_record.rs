//! What was decided about one request: who asked for what, what became of it, and by which rule.
//!
//! It is written once, when the request is judged. A permit has one, which stays when the permit is used up, and so has a refusal:
//! logs, metrics, observers and the keys of caches read it, and the gatekeeper judges further requests of the same call by it. It
//! sends nothing. Digests are worked out when somebody reads them.

use super::GateRequest;
use super::confirmations::TokenScope;
use super::policy::Purpose;
use super::request::PushedParam;
use super::request_digest::RequestDigest;
use super::rule::GateRule;
use crate::call::{Caller, SessionId};
use crate::danger::DangerLevel;
use crate::digest::{Digest, Sha256};
use crate::failure::wording::abridged;
use crate::named_enum::named_enum;
use crate::operation::{Operation, RegistryEntry};
use crate::rate_limits::metering::RequestMeter;
use crate::secrets::{shapes, values::hide_named};
use crate::trust::TrustLevel;
use serde_json::{Map, Value};
use std::sync::{Arc, OnceLock};
use std::{fmt, ptr};

/// Characters of a value that are kept in the audit.
const LONGEST_IN_AUDIT: usize = 200;

/// What was decided about a request. Nothing but judging a request makes one.
#[derive(Clone)]
pub struct GateRecord<'a> {
    request: GateRequest<'a>,
    rule: GateRule,
    outcome: GateOutcome,
    params_digest: OnceLock<Digest>,
    digest: OnceLock<RequestDigest>,
}

named_enum! {
    /// What became of a request at the gate.
    pub enum GateOutcome {
        /// The operation runs without being asked about.
        Allowed = "allowed",
        /// A person confirmed this call.
        Confirmed = "confirmed",
        /// A person must confirm it first.
        ConfirmationRequired = "confirmation_required",
        /// The token that came with it is no good.
        TokenRejected = "token_rejected",
        /// It does not run.
        Denied = "denied",
        /// The person behind the client was asked, and said no.
        Declined = "declined",
        /// The person behind the client was asked, and gave no answer.
        Unanswered = "unanswered",
        /// Nothing could be decided, so it does not run.
        Failed = "failed",
    }
}

impl GateOutcome {
    /// True for a no, by a rule or a person.
    pub(super) fn is_denial(self) -> bool {
        matches!(self, GateOutcome::Denied | GateOutcome::Declined | GateOutcome::Unanswered)
    }
}

impl<'a> GateRecord<'a> {
    /// Of a request that is judged by this rule; denied as long as nothing else is decided.
    pub(super) fn new(request: GateRequest<'a>, rule: GateRule) -> GateRecord<'a> {
        let (params_digest, digest) = (OnceLock::new(), OnceLock::new());
        GateRecord { request, rule, outcome: GateOutcome::Denied, params_digest, digest }
    }

    /// The same with its outcome.
    pub(super) fn decided(mut self, outcome: GateOutcome) -> GateRecord<'a> {
        self.outcome = outcome;
        self
    }

    /// Of a further request of the same call, judged by this rule; denied as long as nothing else is decided.
    pub(super) fn further(&self, purpose: Purpose, rule: GateRule) -> GateRecord<'a> {
        let mut record = self.clone();
        record.request.purpose = purpose;
        GateRecord { rule, outcome: GateOutcome::Denied, ..record }
    }

    /// The request that was judged.
    pub(super) fn request(&self) -> &GateRequest<'a> {
        &self.request
    }

    /// What a token for this request is good for.
    pub(super) fn token_scope(&self) -> TokenScope {
        let (params, resolved) = (self.params_digest().clone(), self.digest().clone());
        TokenScope::new(self.session(), self.entry(), params, resolved)
    }

    /// True when it is of this operation with these very values, not of others that look alike.
    pub(super) fn is_of(&self, operation: &Operation, values: &Arc<Map<String, Value>>) -> bool {
        ptr::eq(self.operation(), operation) && Arc::ptr_eq(&self.request.values, values)
    }

    /// The operation under its public name, and its source.
    pub fn entry(&self) -> &'a RegistryEntry {
        self.request.entry
    }

    /// The operation.
    pub fn operation(&self) -> &'a Operation {
        &self.request.entry.operation
    }

    /// The values that were judged: by public parameter name, defaults filled in.
    pub fn values(&self) -> &Map<String, Value> {
        &self.request.values
    }

    /// The parameters that controls are turned into, which were judged like the values: name by the source, and value.
    pub fn pushed(&self) -> &[PushedParam] {
        &self.request.pushed
    }

    /// Holds what is sent to the limits of the source.
    pub(super) fn meter(&self) -> Option<&Arc<dyn RequestMeter>> {
        self.request.meter.as_ref()
    }

    /// The session that asked.
    pub fn session(&self) -> &'a SessionId {
        &self.request.origin.session
    }

    /// Who asked.
    pub fn caller(&self) -> &'a Caller {
        &self.request.origin.caller
    }

    /// What the request is for.
    pub fn purpose(&self) -> Purpose {
        self.request.purpose
    }

    /// What was decided.
    pub fn outcome(&self) -> GateOutcome {
        self.outcome
    }

    /// Which rule decided.
    pub fn rule(&self) -> &GateRule {
        &self.rule
    }

    /// How dangerous the operation is.
    pub fn danger(&self) -> DangerLevel {
        self.request.entry.operation.danger.level
    }

    /// How far the operation is trusted.
    pub fn trust(&self) -> TrustLevel {
        self.request.entry.trust().level
    }

    /// The values that the adapter wants in the audit: `name=value` each, as JSON, long ones cut, and without what may be a credential
    /// by its name or its looks.
    pub fn audit_context(&self) -> Option<String> {
        let operation = self.operation();
        let is_kept = |name: &str| operation.param(name).is_some_and(|param| !param.is_secret());
        let named = operation.danger.audit_context.iter().filter(|name| is_kept(name));
        let values = named.filter_map(|name| {
            let mut value = self.values().get(name)?.clone();
            hide_named(&mut value);
            let value = shapes::without_random(shapes::without_likely(value.to_string()));
            Some(format!("{name}={}", abridged(&value, LONGEST_IN_AUDIT)))
        });
        let values: Vec<String> = values.collect();
        (!values.is_empty()).then(|| values.join(", "))
    }

    /// The digest of the values, of the controls, and of what they are turned into, worked out when it is first requested.
    pub fn params_digest(&self) -> &Digest {
        self.params_digest.get_or_init(|| {
            let GateRequest { values, controls, pushed, .. } = &self.request;
            let values = Digest::of_values(values);
            if controls.is_empty() && pushed.is_empty() {
                return values;
            }
            let controls = controls.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
            let mut hash = Sha256::new();
            hash.update(values.bytes());
            hash.update(Digest::of_values(&controls).bytes());
            for PushedParam { name, value } in pushed.iter() {
                hash.update_part(name);
                hash.update_part(value);
            }
            hash.finish()
        })
    }

    /// The digest of the request as it was resolved, worked out when it is first requested.
    pub fn digest(&self) -> &RequestDigest {
        self.digest.get_or_init(|| {
            RequestDigest::of(self.request.entry, &self.request.values, self.request.reads_first)
        })
    }
}

// Values may be sensitive: they are not printed.
impl fmt::Debug for GateRecord<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GateRecord")
            .field("operation", &self.request.entry.public_name)
            .field("purpose", &self.request.purpose)
            .field("outcome", &self.outcome)
            .finish_non_exhaustive()
    }
}
