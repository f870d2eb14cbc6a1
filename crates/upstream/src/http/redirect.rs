//! Redirects, followed by our own rules (ruling S7): only GET and HEAD without a body, only a few, never from https to http,
//! and nothing but the plainest request to another origin.
//!
//! A response comes in; whether there is another request to send goes out. Invariant: once a route has left the site's own
//! origin it never carries credentials, cookies or the site's headers again, not even back to the site.

use super::build;
use super::request::HttpRequest;
use super::send::{RequestAttempts, host};
use crate::error::{DestinationError, UpstreamError};
use aqueduct_egress::destination::{self, MAX_REDIRECTS, RedirectError};
use aqueduct_egress::response::Response;
use aqueduct_operations::credential_scope::is_same_origin;
use aqueduct_operations::target::{AnswerKind, Method};
use http::header::{ACCEPT, HeaderMap, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LOCATION, USER_AGENT};
use std::borrow::Cow;

/// Where a call is on its way.
pub(crate) struct RedirectRoute<'a> {
    /// The request to send next, without credentials; a copy only once the route differs from the call.
    pub(crate) request: Cow<'a, HttpRequest>,
    /// The route has never left the site's own origin.
    pub(crate) on_own_site: bool,
    hops: usize,
}

impl<'a> RedirectRoute<'a> {
    pub(crate) fn new(request: &'a HttpRequest) -> RedirectRoute<'a> {
        RedirectRoute { request: Cow::Borrowed(request), on_own_site: true, hops: 0 }
    }

    /// True when the route is no longer where the call began.
    pub(crate) fn is_redirected(&self) -> bool {
        self.hops > 0
    }

    /// Follows the redirect, if the response is one that may be followed; else the response is final.
    pub(crate) fn follow(
        &mut self,
        call: &RequestAttempts<'_>,
        response: &Response,
    ) -> Result<bool, UpstreamError> {
        let is_redirect = matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308);
        let Some(location) = response.headers().get(LOCATION) else { return Ok(false) };
        // A body would have to be sent again to another server.
        let is_plain =
            matches!(self.request.method, Method::Get | Method::Head) && self.request.body.is_none();
        if !is_redirect || !is_plain {
            return Ok(false);
        }
        let host = host(&call.site().base_url);
        let unusable = || DestinationError::RedirectUnusable { host: host.clone() };
        self.hops += 1;
        if self.hops > MAX_REDIRECTS {
            return Err(unusable().into());
        }
        let location = location.to_str().map_err(|_| unusable())?;
        let next = destination::redirected(&self.request.url, location).map_err(|error| match error {
            RedirectError::Unusable => unusable(),
            RedirectError::Scheme => DestinationError::RedirectScheme { host: host.clone() },
        })?;
        if self.on_own_site && !is_same_origin(&self.request.url, &next) {
            if call.credentials.redactor.finds_secret(next.as_str()) {
                return Err(unusable().into());
            }
            self.on_own_site = false;
            self.request.to_mut().headers = plain_headers(call.target.answer);
        }
        tracing::debug!(hop = self.hops, own_site = self.on_own_site, "redirected");
        if call.revalidates {
            // What is cached belongs to the first URL; another one has nothing to compare it with.
            let headers = &mut self.request.to_mut().headers;
            headers.remove(IF_NONE_MATCH);
            headers.remove(IF_MODIFIED_SINCE);
        }
        self.request.to_mut().url = next;
        Ok(true)
    }
}

fn plain_headers(answer: AnswerKind) -> HeaderMap {
    HeaderMap::from_iter([
        (ACCEPT, HeaderValue::from_static(build::accepted(answer))),
        (USER_AGENT, HeaderValue::from_static(build::AGENT)),
    ])
}

#[cfg(test)]
mod tests;
