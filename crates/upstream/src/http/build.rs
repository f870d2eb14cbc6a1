//! Builds a request: operation, target and values come in, a `HttpRequest` without credentials goes out (runtime
//! specification, sections 6.3 to 6.5 and 11.4; ruling W8).
//!
//! Invariant: the URL is on the site's own origin, and every byte depends on the operation and the values alone.

use super::param_style::{self, NameValue};
use super::request::HttpRequest;
use super::{body, encode, header, path_template};
use crate::error::RequestBuildError;
use aqueduct_operations::naming::is_http_token;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::{Param, ParamLocation};
use aqueduct_operations::target::{AnswerKind, HttpTarget};
use http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, COOKIE, HeaderMap, HeaderValue, USER_AGENT};
use serde_json::{Map, Value};
use url::Url;

/// What we call ourselves.
pub(crate) const AGENT: &str = concat!("aqueduct/", env!("CARGO_PKG_VERSION"));
/// What we would like to get.
pub(crate) fn accepted(answer: AnswerKind) -> &'static str {
    match answer {
        AnswerKind::Json => "application/json",
        AnswerKind::Any => "application/json, */*;q=0.8",
        AnswerKind::Events => "text/event-stream, application/json;q=0.5",
    }
}

/// Builds the request of one call.
pub(crate) fn build(
    operation: &Operation,
    target: &HttpTarget,
    values: &Map<String, Value>,
) -> Result<HttpRequest, RequestBuildError> {
    let parts = RequestParts { operation, target, values };
    let url = parts.url()?;
    let mut headers = parts.headers()?;
    let body = body::write(operation, target, values)?;
    match &body {
        // A body of no declared parameters is not sent, so a constant content type would describe nothing.
        None => _ = headers.remove(CONTENT_TYPE),
        Some(body::WrittenBody { content_type: Some(exact), .. }) => {
            headers.insert(CONTENT_TYPE, exact.clone());
        }
        Some(_) => {
            let usual = HeaderValue::from_static(target.body.usual_type());
            headers.entry(CONTENT_TYPE).or_insert(usual);
        }
    }
    let is_sent = body.is_some();
    let body::WrittenBody { bytes, parts: body_parts, hidden, .. } = body.unwrap_or_default();
    Ok(HttpRequest {
        method: target.method,
        url,
        headers,
        body: is_sent.then_some(bytes),
        format: target.body,
        parts: body_parts,
        hidden_query: parts.hidden_query(),
        hidden_fields: hidden,
    })
}

struct RequestParts<'a> {
    operation: &'a Operation,
    target: &'a HttpTarget,
    values: &'a Map<String, Value>,
}

impl<'a> RequestParts<'a> {
    /// The parameters of one place that have a value, null included, in declared order.
    fn sent(&self, place: ParamLocation) -> impl Iterator<Item = (&'a Param, &'a Value)> {
        let values = self.values;
        let of_place = self.operation.params.iter().filter(move |param| param.place == place);
        of_place.filter_map(move |param| values.get(&param.name).map(|value| (param, value)))
    }

    /// Their pairs, by their styles; null is left out.
    fn pairs(&self, place: ParamLocation) -> Result<Vec<(&'a Param, NameValue)>, RequestBuildError> {
        let mut all = Vec::new();
        for (param, value) in self.sent(place) {
            let pairs = param_style::of_param(param, value);
            let is_raw = param.writing.is_some_and(|writing| writing.allow_reserved);
            let holds_nul =
                |pair: &NameValue| pair.name.contains('\0') || pair.value(str::to_owned).contains('\0');
            if is_raw && param_style::holds_nul(value) || pairs.iter().any(holds_nul) {
                return Err(RequestBuildError::NulCharacter(param.name.clone()));
            }
            all.extend(pairs.into_iter().map(|pair| (param, pair)));
        }
        Ok(all)
    }

    fn url(&self) -> Result<Url, RequestBuildError> {
        let base = &self.target.site.base_url;
        let HttpTarget { path: template, dot_segments, .. } = self.target;
        let filled = path_template::fill(template, self.values, &self.operation.params, *dot_segments)?;
        let query = self.query()?;
        let mut path = base.path().trim_end_matches('/').to_owned();
        if !filled.is_empty() && !filled.starts_with('/') {
            path.push('/');
        }
        path.push_str(&filled);
        // Everything before the path stays, so the origin does too; the host is not looked at again.
        let mut url = base.clone();
        url.set_path(&path);
        url.set_query(Some(query.as_str()).filter(|query| !query.is_empty()));
        url.set_fragment(None);
        // A name and password written into the URL are never sent.
        url.set_username("").and_then(|()| url.set_password(None)).map_err(|()| RequestBuildError::Url)?;
        Ok(url)
    }

    fn query(&self) -> Result<String, RequestBuildError> {
        let fixed = [self.target.site.base_url.query(), self.target.static_query.as_deref()];
        let mut pairs: Vec<String> =
            fixed.into_iter().flatten().filter(|text| !text.is_empty()).map(str::to_owned).collect();
        for (param, pair) in self.pairs(ParamLocation::Query)? {
            let keeps_reserved = param.writing.is_some_and(|writing| writing.allow_reserved);
            let of_value = if keeps_reserved { encode::reserved_in_query } else { encode::component };
            pairs.push(pair.written(encode::component, of_value));
        }
        Ok(pairs.join("&"))
    }

    fn hidden_query(&self) -> Vec<String> {
        let sensitive = self.sent(ParamLocation::Query).filter(|(param, _)| param.sensitive);
        let names = sensitive.flat_map(|(param, value)| {
            let pairs = param_style::of_param(param, value).into_iter().map(|pair| pair.name);
            std::iter::once(param.upstream_name.clone()).chain(pairs)
        });
        let mut names: Vec<String> = names.collect();
        names.dedup();
        names
    }

    fn headers(&self) -> Result<HeaderMap, RequestBuildError> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(accepted(self.target.answer)));
        headers.insert(USER_AGENT, HeaderValue::from_static(AGENT));
        for (name, value) in &self.target.site.headers {
            let value =
                header::value(value).ok_or_else(|| RequestBuildError::ConstantHeader(name.clone()))?;
            let name = header::name(name)?;
            // The client asks for the compressions that it can undo, and no others.
            if name != ACCEPT_ENCODING {
                headers.insert(name, value);
            }
        }
        for (param, value) in self.sent(ParamLocation::Header) {
            let text = match param.writing {
                Some(writing) => param_style::flat(&param.upstream_name, value, writing, str::to_owned),
                None => encode::text(value),
            };
            let Some(text) = text else { continue };
            let value =
                header::value(&text).ok_or_else(|| RequestBuildError::HeaderValue(param.name.clone()))?;
            headers.insert(header::name(&param.upstream_name)?, value);
        }
        let cookies = self.cookies(&headers)?;
        if !cookies.is_empty() {
            let value = header::value(&cookies)
                .ok_or_else(|| RequestBuildError::ConstantHeader(COOKIE.to_string()))?;
            headers.insert(COOKIE, value);
        }
        Ok(headers)
    }

    /// Constant cookies first, then the parameters', all in one line.
    fn cookies(&self, headers: &HeaderMap) -> Result<String, RequestBuildError> {
        let constant =
            headers.get(COOKIE).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        let mut pairs: Vec<String> = constant.into_iter().collect();
        for (param, pair) in self.pairs(ParamLocation::Cookie)? {
            if !is_http_token(&pair.name) {
                return Err(RequestBuildError::HeaderName(pair.name));
            }
            let of_value = if param.writing.is_some() { encode::cookie } else { encode::component };
            pairs.push(pair.written(str::to_owned, of_value));
        }
        Ok(pairs.join("; "))
    }
}

#[cfg(test)]
mod tests;
