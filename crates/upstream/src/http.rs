//! One call over HTTP, in the order of the runtime specification, section 2.2: build, authenticate, send, read. The request
//! was built before, so that no person is asked to confirm one that cannot be sent.
//!
//! A failure in one step means that no later step runs. A read may be answered by what is cached (`cached`); everything else is
//! a change, after which nothing is cached of its source.

mod base64_file;
pub(crate) mod body;
mod body_text;
pub(crate) mod build;
mod cached;
pub(crate) mod encode;
mod error_text;
pub(crate) mod events;
pub(crate) mod fetch;
pub(crate) mod header;
pub(crate) mod link;
mod multipart;
pub(crate) mod oauth;
mod param_style;
pub(crate) mod path_template;
pub(crate) mod preview;
pub(crate) mod probe;
mod read;
mod redirect;
pub(crate) mod request;
mod retry;
mod send;
mod transport_error;

use crate::cache::{CacheScope, ReadOptions};
use crate::credentials::Credentials;
use crate::error::UpstreamError;
use crate::prepared::PreparedRequest;
use crate::response::UpstreamResponse;
use crate::upstream::UpstreamContext;
use aqueduct_operations::category::Category;
use aqueduct_operations::gatekeeper::SendPermit;
use aqueduct_operations::operation::Declaration;
use aqueduct_operations::target::Method;
use http::HeaderMap;
use http::header::{IF_MATCH, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE, IF_UNMODIFIED_SINCE, RANGE};
use read::ReceivedResponse;
use request::HttpRequest;
use tracing::Instrument;

/// Headers with which a request asks for something else than the whole of what is there.
const CONDITIONS: [http::HeaderName; 6] =
    [IF_MATCH, IF_NONE_MATCH, IF_MODIFIED_SINCE, IF_UNMODIFIED_SINCE, IF_RANGE, RANGE];

pub(crate) async fn call(
    shared: &UpstreamContext,
    permit: &dyn SendPermit,
    prepared: &PreparedRequest<'_>,
    reading: &ReadOptions,
) -> Result<UpstreamResponse, UpstreamError> {
    let mut credentials = oauth::credentials(shared, prepared).await?;
    let outcome =
        PendingRequest { shared, permit, prepared, credentials: &credentials }.outcome(reading).await;
    if !oauth::renew(shared, prepared.target, &mut credentials, &outcome).await? {
        return outcome;
    }
    PendingRequest { shared, permit, prepared, credentials: &credentials }.outcome(reading).await
}

/// A request with everything that is needed to send it.
struct PendingRequest<'a> {
    shared: &'a UpstreamContext,
    permit: &'a dyn SendPermit,
    prepared: &'a PreparedRequest<'a>,
    credentials: &'a Credentials,
}

impl PendingRequest<'_> {
    /// The response: cached, shared, or new.
    async fn outcome(&self, reading: &ReadOptions) -> Result<UpstreamResponse, UpstreamError> {
        if !self.shared.settings.cache.enabled {
            return self.send().await.map(|received| received.response);
        }
        if self.may_change_something() {
            return self.change(reading).await;
        }
        let is_conditional = CONDITIONS.iter().any(|name| self.prepared.request.headers.contains_key(name));
        if reading.fresh || !reading.rule.enabled || is_conditional || !self.is_cacheable() {
            return self.send().await.map(|received| received.response);
        }
        cached::read(self, reading).await
    }

    /// False for what may be repeated without anyone noticing.
    fn may_change_something(&self) -> bool {
        use Method::{Get, Head, Options, Query, Trace};
        let Declaration { category, non_idempotent, .. } = &self.prepared.operation.declaration;
        let is_safe = matches!(self.prepared.request.method, Get | Head | Options | Query | Trace);
        !is_safe || *category != Category::Read || *non_idempotent
    }

    /// True for responses that HTTP lets anyone cache and share.
    fn is_cacheable(&self) -> bool {
        matches!(self.prepared.request.method, Method::Get | Method::Head | Method::Query)
    }

    /// Sends a request that may change something, after which nothing is cached of what it concerns (RFC 9111, section 4.4).
    async fn change(&self, reading: &ReadOptions) -> Result<UpstreamResponse, UpstreamError> {
        let Declaration { name, invalidates, .. } = &self.prepared.operation.declaration;
        let scope = CacheScope::of(&self.prepared.request.url, reading.source.as_ref(), name);
        let _change = self.shared.cache.change(scope, invalidates.as_deref());
        self.send().await.map(|received| received.response)
    }

    async fn send(&self) -> Result<ReceivedResponse, UpstreamError> {
        self.send_request(&self.prepared.request, false).await
    }

    /// Asks whether something has changed; a response with the status 304 says that nothing has.
    async fn revalidate(&self, versions: HeaderMap) -> Result<ReceivedResponse, UpstreamError> {
        let mut request = self.prepared.request.clone();
        request.headers.extend(versions);
        self.send_request(&request, true).await
    }

    async fn send_request(
        &self,
        request: &HttpRequest,
        revalidates: bool,
    ) -> Result<ReceivedResponse, UpstreamError> {
        let PendingRequest {
            shared,
            permit,
            prepared: PreparedRequest { operation, target, .. },
            credentials,
        } = *self;
        let span = tracing::debug_span!(
            "upstream",
            method = target.method.name(),
            host = target.site.base_url.host_str(),
            path = path_template::template(&target.path),
        );
        let call = send::RequestAttempts { shared, permit, target, request, credentials, revalidates };
        let attempt = |number| send::attempt(&call, number);
        retry::with_retries(operation, target, attempt).instrument(span).await
    }
}
