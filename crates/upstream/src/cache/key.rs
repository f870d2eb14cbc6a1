//! What a response is cached under: the fingerprint of everything that could make another answer of it.
//!
//! Who asks, with which credentials and headers, at which URL, and how the response is read come in, or a run of a handler;
//! 32 bytes go out, from which none of that can be told (SHA-256).

use super::ReadOptions;
use crate::credentials::Credentials;
use crate::http::request::HttpRequest;
use aqueduct_operations::call::Caller;
use aqueduct_operations::canonical::canonical;
use aqueduct_operations::digest::{Digest, Sha256};
use aqueduct_operations::operation::{Operation, RegistryEntry};
use aqueduct_operations::target::HttpTarget;
use serde_json::{Map, Value};
use std::time::Duration;

/// Equal for requests that may share a response, and for no others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct CacheKey([u8; 32]);

/// A request, and who sends it on what terms.
pub(crate) struct CacheKeyInput<'a> {
    pub(crate) operation: &'a Operation,
    pub(crate) target: &'a HttpTarget,
    pub(crate) request: &'a HttpRequest,
    pub(crate) credentials: &'a Credentials,
    pub(crate) reading: &'a ReadOptions,
}

impl CacheKeyInput<'_> {
    /// The fingerprint of it all.
    pub(crate) fn key(&self) -> CacheKey {
        let mut parts = KeyParts(Sha256::new());
        // A change may concern what one operation tells, and not what another does.
        parts.add(self.operation.name.as_bytes());
        parts.add_optional(self.reading.caller.as_deref().map(str::as_bytes));
        self.credentials.each_part(&mut |part| parts.add(part));
        parts.end_of_list();
        parts.add(self.request.method.name().as_bytes());
        parts.add(self.request.url.as_str().as_bytes());
        for (name, value) in &self.request.headers {
            parts.add(name.as_str().as_bytes());
            parts.add(value.as_bytes());
        }
        parts.end_of_list();
        parts.add_optional(self.request.body.as_deref());
        // How the same bytes are read and judged, so that an edited adapter is not answered as before.
        parts.add(&[self.target.answer as u8, u8::from(self.target.site.names_private_address)]);
        parts.add(&self.reading.rule.ttl.map_or(u128::MAX, |ttl: Duration| ttl.as_nanos()).to_le_bytes());
        for param in self.operation.params.iter().filter(|param| param.is_secret()) {
            parts.add(param.upstream_name.as_bytes());
        }
        CacheKey(*parts.0.finish().bytes())
    }
}

/// A run of a handler, and who wants its result on what terms.
pub(crate) struct HandlerKeyInput<'a> {
    pub(crate) entry: &'a RegistryEntry,
    pub(crate) caller: &'a Caller,
    /// Who runs it, so that another server under the same name is not taken for it.
    pub(crate) identity: Option<&'a Digest>,
    pub(crate) values: &'a Map<String, Value>,
    pub(crate) ttl: Duration,
}

impl HandlerKeyInput<'_> {
    /// The fingerprint of it all. Requests have a method where handlers have this mark, so that the two never meet.
    pub(crate) fn key(&self) -> CacheKey {
        let mut parts = KeyParts(Sha256::new());
        parts.add(b"handler");
        parts.add(self.entry.operation.name.as_bytes());
        parts.add(self.entry.source.name.as_bytes());
        parts.add_optional(self.caller.token().map(|name| name.as_bytes()));
        parts.add_optional(self.identity.map(Digest::hex).as_deref().map(str::as_bytes));
        parts.add(canonical(self.values).as_bytes());
        parts.add(&self.ttl.as_nanos().to_le_bytes());
        CacheKey(*parts.0.finish().bytes())
    }
}

/// Parts that cannot run into one another.
struct KeyParts(Sha256);

impl KeyParts {
    fn add(&mut self, part: &[u8]) {
        self.0.update([1]);
        self.0.update_part(part);
    }

    fn add_optional(&mut self, part: Option<&[u8]>) {
        match part {
            Some(part) => self.add(part),
            None => self.end_of_list(),
        }
    }

    fn end_of_list(&mut self) {
        self.0.update([0]);
    }
}

#[cfg(test)]
pub(super) mod tests;
