//! A request that can be sent, credentials apart, and what may still be changed on it: a page is asked for, a version is
//! demanded, the body is replaced by a merged one.
//!
//! Invariant: whatever a link says, the request stays on the site's own origin and below its base path, so that
//! credentials cannot be led elsewhere (ruling S7).

use crate::credentials::query_keys;
use crate::error::{LinkError, RequestBuildError};
use crate::http::request::HttpRequest;
use crate::http::{build, header};
use aqueduct_egress::destination;
use aqueduct_operations::credential_scope::has_user_info;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::target::{BodyFormat, HttpTarget, Method};
use http::header::{CONTENT_TYPE, HeaderValue, IF_MATCH, IF_NONE_MATCH};
use serde_json::{Map, Value};
use std::fmt;
use std::sync::Arc;
use url::Url;

/// Bytes of a link that is followed.
const LONGEST_LINK: usize = 8 * 1024;

/// A request that can be sent, credentials apart. It is sent only with a permit for the operation and the values that it was made
/// of. Shows nothing of what is in it.
#[derive(Clone)]
pub struct PreparedRequest<'a> {
    pub(crate) request: HttpRequest,
    pub(crate) operation: &'a Operation,
    pub(crate) target: &'a HttpTarget,
    pub(crate) values: Arc<Map<String, Value>>,
}

impl<'a> PreparedRequest<'a> {
    /// Builds the request of these values.
    pub(crate) fn new(
        operation: &'a Operation,
        target: &'a HttpTarget,
        values: Arc<Map<String, Value>>,
    ) -> Result<PreparedRequest<'a>, RequestBuildError> {
        let request = build::build(operation, target, &values)?;
        Ok(PreparedRequest { request, operation, target, values })
    }

    /// Sets one query parameter, named as the upstream knows it, in place of any that has its name.
    pub fn set_query(&mut self, name: &str, value: &str) {
        self.request.set_query_pair(name, value);
    }

    /// Asks that the request is done only if the resource still has this version.
    pub fn set_header_if_match(&mut self, etag: &str) -> Result<(), RequestBuildError> {
        let refused = || RequestBuildError::HeaderValue("if_match".to_owned());
        self.request.headers.insert(IF_MATCH, header::value(etag).ok_or_else(refused)?);
        Ok(())
    }

    /// Asks that the request is done only if there is no such resource yet.
    pub fn set_header_if_none_match(&mut self) {
        self.request.headers.insert(IF_NONE_MATCH, HeaderValue::from_static("*"));
    }

    /// The body, when the request has one and it is JSON.
    pub fn body_json(&self) -> Option<Value> {
        let body = self.request.body.as_ref().filter(|_| self.request.format == BodyFormat::Json)?;
        serde_json::from_slice(body).ok()
    }

    /// Replaces the body by this JSON text; false, and nothing is changed, when the target does not take JSON.
    pub fn set_json_body(&mut self, body: &str) -> bool {
        if self.request.format != BodyFormat::Json {
            return false;
        }
        self.request.body = Some(body.to_owned().into());
        self.request.headers.entry(CONTENT_TYPE).or_insert(HeaderValue::from_static("application/json"));
        true
    }

    /// The absolute address that a link of the response to this request leads to, if it is one of the site.
    pub fn resolve(&self, link: &str) -> Result<String, LinkError> {
        self.within_site(link).map(String::from)
    }

    /// The request for another page, where a link of the response to this one leads. The link may be relative.
    pub fn follow(&self, link: &str) -> Result<PreparedRequest<'a>, LinkError> {
        if self.request.method != Method::Get {
            return Err(LinkError::Method);
        }
        let url = self.within_site(link)?;
        let mut next = PreparedRequest {
            request: HttpRequest { url, ..self.request.clone() },
            values: Arc::clone(&self.values),
            ..*self
        };
        // Put there again when the request is sent.
        query_keys(self.target).into_iter().for_each(|key| next.request.remove_query(key));
        next.request.take_hidden_query_of(&self.request);
        Ok(next)
    }

    /// Where a link leads, when that is on the site.
    fn within_site(&self, link: &str) -> Result<Url, LinkError> {
        if link.len() > LONGEST_LINK {
            return Err(LinkError::TooLong { limit: LONGEST_LINK, actual: link.len() });
        }
        let link = Some(link.trim()).filter(|link| !link.is_empty()).ok_or(LinkError::Unusable)?;
        let mut url = self.request.url.join(link).map_err(|_| LinkError::Unusable)?;
        if has_user_info(&url) {
            return Err(LinkError::UserInfo);
        }
        if !destination::is_within_site(&self.target.site, &url) {
            return Err(LinkError::Elsewhere);
        }
        url.set_fragment(None);
        Ok(url)
    }
}

impl fmt::Debug for PreparedRequest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedRequest").field("operation", &self.operation.name).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
