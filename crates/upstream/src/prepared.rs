//! A request that can be sent, credentials apart, and what may still be changed on it: a page is asked for, a version is
//! demanded, the body is replaced by a merged one.
//!
//! Invariant: whatever a link says, the request stays on the site's own origin and below its base path, so that
//! credentials cannot be led elsewhere (ruling S7).

use crate::credentials::query_keys;
use crate::error::{LinkError, RequestBuildError};
use crate::http::header;
use crate::http::request::HttpRequest;
use aqueduct_egress::destination;
use aqueduct_operations::target::{BodyFormat, HttpTarget, Method};
use http::header::{CONTENT_TYPE, HeaderValue, IF_MATCH, IF_NONE_MATCH};
use serde_json::Value;

/// Bytes of a link that is followed.
const LONGEST_LINK: usize = 8 * 1024;

/// A request that can be sent, credentials apart. Shows nothing of what is in it.
#[derive(Debug, Clone)]
pub struct PreparedRequest(pub(crate) HttpRequest);

impl PreparedRequest {
    /// Sets one query parameter, named as the upstream knows it, in place of any that has its name.
    pub fn set_query(&mut self, name: &str, value: &str) {
        self.0.set_query_pair(name, value);
    }

    /// Asks that the request is done only if the resource still has this version.
    pub fn set_header_if_match(&mut self, etag: &str) -> Result<(), RequestBuildError> {
        let refused = || RequestBuildError::HeaderValue { param: "if_match".to_owned() };
        self.0.headers.insert(IF_MATCH, header::value(etag).ok_or_else(refused)?);
        Ok(())
    }

    /// Asks that the request is done only if there is no such resource yet.
    pub fn set_header_if_none_match(&mut self) {
        self.0.headers.insert(IF_NONE_MATCH, HeaderValue::from_static("*"));
    }

    /// The body, when the request has one and it is JSON.
    pub fn body_json(&self) -> Option<Value> {
        let body = self.0.body.as_ref().filter(|_| self.0.format == BodyFormat::Json)?;
        serde_json::from_slice(body).ok()
    }

    /// Replaces the body by this JSON text; false, and nothing is changed, when the target does not take JSON.
    pub fn set_json_body(&mut self, body: &str) -> bool {
        if self.0.format != BodyFormat::Json {
            return false;
        }
        self.0.body = Some(body.to_owned().into());
        self.0.headers.entry(CONTENT_TYPE).or_insert(HeaderValue::from_static("application/json"));
        true
    }

    /// The request for another page, where a link of the response to this one leads. The link may be relative.
    pub fn follow(&self, target: &HttpTarget, link: &str) -> Result<PreparedRequest, LinkError> {
        if link.len() > LONGEST_LINK {
            return Err(LinkError::TooLong { limit: LONGEST_LINK, actual: link.len() });
        }
        if self.0.method != Method::Get {
            return Err(LinkError::Method);
        }
        let link = Some(link.trim()).filter(|link| !link.is_empty()).ok_or(LinkError::Unusable)?;
        let mut url = self.0.url.join(link).map_err(|_| LinkError::Unusable)?;
        if destination::has_user_info(&url) {
            return Err(LinkError::UserInfo);
        }
        if !destination::is_within_site(&target.site, &url) {
            return Err(LinkError::Elsewhere);
        }
        url.set_fragment(None);
        let mut next = PreparedRequest(HttpRequest { url, ..self.0.clone() });
        // Put there again when the request is sent.
        query_keys(target).into_iter().for_each(|key| next.0.remove_query(key));
        next.0.take_hidden_query_of(&self.0);
        Ok(next)
    }
}

#[cfg(test)]
mod tests;
