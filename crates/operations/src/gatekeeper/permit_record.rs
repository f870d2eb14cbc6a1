//! What was decided about one request: who asked for what, on which ground it may be sent, and by which rule.
//!
//! It comes with a permit and stays when that is used up: logs read it, and the gatekeeper judges further requests of the same
//! call by it. It sends nothing.

use super::decision::GateDecision;
use super::policy::Purpose;
use super::request_digest::RequestDigest;
use super::{GateRequest, Grant};
use crate::call::{Caller, SessionId};
use crate::danger::DangerLevel;
use crate::named_enum::named_enum;
use crate::operation::{Operation, RegistryEntry};
use crate::trust::TrustLevel;
use serde_json::{Map, Value};
use std::sync::{Arc, OnceLock};
use std::{fmt, ptr};

/// What was decided about a request that may be sent. Only a permit has one.
#[derive(Clone)]
pub struct PermitRecord<'a> {
    request: GateRequest<'a>,
    basis: PermitBasis,
    digest: OnceLock<RequestDigest>,
}

named_enum! {
    /// Why a permit was given.
    pub enum PermitBasis {
        /// The operation runs without being asked about.
        Allowed = "allowed",
        /// A person confirmed this call.
        Confirmed = "confirmed",
    }
}

impl<'a> PermitRecord<'a> {
    /// Of a request that was judged so.
    pub(super) fn new(request: GateRequest<'a>, grant: Grant) -> PermitRecord<'a> {
        let (basis, digest) = match grant {
            Grant::Allowed => (PermitBasis::Allowed, OnceLock::new()),
            Grant::Confirmed(digest) => (PermitBasis::Confirmed, OnceLock::from(digest)),
        };
        PermitRecord { request, basis, digest }
    }

    /// Of a further request of the same call: who confirmed the call has confirmed its pages.
    pub(super) fn further(&self, purpose: Purpose) -> PermitRecord<'a> {
        let mut record = self.clone();
        record.request.purpose = purpose;
        record
    }

    /// The request that was judged.
    pub(super) fn request(&self) -> &GateRequest<'a> {
        &self.request
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

    /// The session that asked.
    pub fn session(&self) -> &'a SessionId {
        self.request.session
    }

    /// Who asked.
    pub fn caller(&self) -> &'a Caller {
        self.request.caller
    }

    /// What the request is for.
    pub fn purpose(&self) -> Purpose {
        self.request.purpose
    }

    /// Why it may be sent.
    pub fn basis(&self) -> PermitBasis {
        self.basis
    }

    /// Which rule decided, in words.
    pub fn rule(&self) -> String {
        GateDecision::of(self.request.entry).rule(self.request.entry)
    }

    /// How dangerous the operation is.
    pub fn danger(&self) -> DangerLevel {
        self.request.entry.operation.danger.level
    }

    /// How far its source is trusted.
    pub fn trust(&self) -> TrustLevel {
        self.request.entry.source.trust
    }

    /// The digest of the request as it was resolved; worked out when it is first requested, unless a token was bound to it.
    pub fn digest(&self) -> &RequestDigest {
        self.digest.get_or_init(|| {
            RequestDigest::of(self.request.entry, &self.request.values, self.request.reads_first)
        })
    }
}

// Values may be sensitive: they are not printed.
impl fmt::Debug for PermitRecord<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PermitRecord")
            .field("operation", &self.request.entry.public_name)
            .field("purpose", &self.request.purpose)
            .field("basis", &self.basis)
            .finish_non_exhaustive()
    }
}
