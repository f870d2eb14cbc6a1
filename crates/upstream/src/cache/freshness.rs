//! How long a response may be used: the headers of an exchange come in, the verdict of RFC 9111 goes out, worked out by
//! `http-cache-semantics` as for a private cache.
//!
//! Nothing is guessed: a response that says nothing about its age is stale at once, unless the adapter names a time. Only the
//! headers that decide are held, none of them with a credential or a URL in it.

use super::FreshnessVerdict;
use http::header::{
    AGE, CACHE_CONTROL, DATE, ETAG, EXPIRES, HeaderMap, HeaderName, HeaderValue, IF_MODIFIED_SINCE,
    IF_NONE_MATCH, LAST_MODIFIED, PRAGMA, SET_COOKIE, VARY,
};
use http::{Method, StatusCode, Uri};
use http_cache_semantics::{BeforeRequest, CacheOptions, CachePolicy, RequestLike, ResponseLike};
use std::time::{Duration, SystemTime};

/// The headers of a response that decide.
const RELEVANT: [HeaderName; 8] = [CACHE_CONTROL, EXPIRES, PRAGMA, DATE, AGE, VARY, ETAG, LAST_MODIFIED];
/// Of them, those without which nothing can be cached, unless the adapter names a time.
const REQUIRED: [HeaderName; 4] = [CACHE_CONTROL, EXPIRES, ETAG, LAST_MODIFIED];
/// The age of a response that claims to be older than anything (RFC 9111, section 1.2.2).
const OLDEST: HeaderValue = HeaderValue::from_static("2147483648");

/// How long one response may be used.
pub(crate) struct Freshness {
    policy: CachePolicy,
    facts: PolicyResponse,
}

impl Freshness {
    /// None when the response must not be cached, or when it could never be used again.
    pub(crate) fn of(
        request: &HeaderMap,
        status: u16,
        response: &HeaderMap,
        ttl: Option<Duration>,
        now: SystemTime,
    ) -> Option<Freshness> {
        let may_be_usable = ttl.is_some() || REQUIRED.iter().any(|name| response.contains_key(name));
        if !may_be_usable || response.contains_key(SET_COOKIE) {
            return None;
        }
        let facts = PolicyResponse {
            status: StatusCode::from_u16(status).ok()?,
            headers: relevant_headers(response),
            ttl,
        };
        Freshness::evaluate(request, facts, now)
    }

    /// The freshness of what comes without headers: this time, and no longer.
    pub(crate) fn lasting(ttl: Duration, now: SystemTime) -> Option<Freshness> {
        let none = HeaderMap::new();
        Freshness::of(&none, StatusCode::OK.as_u16(), &none, Some(ttl), now)
    }

    fn evaluate(request: &HeaderMap, facts: PolicyResponse, now: SystemTime) -> Option<Freshness> {
        // Heuristics are for web pages: an API that says nothing has promised nothing.
        let options = CacheOptions {
            shared: false,
            cache_heuristic: 0.0,
            immutable_min_time_to_live: Duration::ZERO,
            ignore_cargo_cult: false,
        };
        let request_facts = RequestFacts { headers: cache_directives(request) };
        let policy = CachePolicy::new_options(&request_facts, &facts.with_ttl(), now, options);
        let has_version = facts.headers.contains_key(ETAG) || facts.headers.contains_key(LAST_MODIFIED);
        let is_usable = has_version || !policy.time_to_live(now).is_zero();
        (policy.is_storable() && is_usable).then_some(Freshness { policy, facts })
    }

    /// Whether the response may be used for a request now.
    pub(crate) fn verdict(&self, request: &HeaderMap, now: SystemTime) -> FreshnessVerdict {
        match self.policy.before_request(&RequestFacts { headers: cache_directives(request) }, now) {
            BeforeRequest::Fresh(_) => FreshnessVerdict::Fresh,
            BeforeRequest::Stale { request, .. } => {
                let mut headers = HeaderMap::new();
                for name in [IF_NONE_MATCH, IF_MODIFIED_SINCE] {
                    if let Some(value) = request.headers.get(&name) {
                        headers.insert(name, value.clone());
                    }
                }
                FreshnessVerdict::Stale(headers)
            }
        }
    }

    /// How long it may be used after the upstream has said that nothing changed; none when it now forbids to cache it.
    pub(crate) fn renewed(
        &self,
        request: &HeaderMap,
        response: &HeaderMap,
        now: SystemTime,
    ) -> Option<Freshness> {
        if response.contains_key(SET_COOKIE) {
            return None;
        }
        let new = relevant_headers(response);
        let mut facts = self.facts.clone();
        // Age and date are those of the exchange just made.
        for name in [AGE, DATE].iter().chain(new.keys()) {
            facts.headers.remove(name);
        }
        facts.headers.extend(new);
        Freshness::evaluate(request, facts, now)
    }

    /// False when a 304 names another version than the one that is cached.
    pub(crate) fn is_version_of(&self, response: &HeaderMap) -> bool {
        let same = |name: &HeaderName| match (response.get(name), self.facts.headers.get(name)) {
            (Some(facts), Some(cached)) => Some(opaque(facts) == opaque(cached)),
            (Some(_), None) => Some(false),
            (None, _) => None,
        };
        same(&ETAG).or_else(|| same(&LAST_MODIFIED)).unwrap_or(true)
    }
}

/// A version without the mark of weakness.
fn opaque(value: &HeaderValue) -> &[u8] {
    let bytes = value.as_bytes().trim_ascii();
    bytes.strip_prefix(b"W/").unwrap_or(bytes)
}

/// The headers that decide, spelled as the policy reads them.
fn relevant_headers(response: &HeaderMap) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for name in RELEVANT {
        for value in response.get_all(&name) {
            let value = match name {
                CACHE_CONTROL | PRAGMA => lower_case(value),
                AGE if !is_small_number(value) => OLDEST,
                _ => value.clone(),
            };
            headers.append(&name, value);
        }
    }
    headers
}

/// What a request itself says about caches.
fn cache_directives(request: &HeaderMap) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for name in [CACHE_CONTROL, PRAGMA] {
        for value in request.get_all(&name) {
            headers.append(&name, lower_case(value));
        }
    }
    headers
}

/// Directives are the same in any letter case.
fn lower_case(value: &HeaderValue) -> HeaderValue {
    HeaderValue::from_bytes(&value.as_bytes().to_ascii_lowercase()).unwrap_or_else(|_| value.clone())
}

fn is_small_number(value: &HeaderValue) -> bool {
    value.to_str().is_ok_and(|text| text.trim().parse::<u32>().is_ok())
}

/// A request as the policy sees it. The key under which a response is cached holds its URL and all its headers, so those are
/// the same whenever the policy is asked.
struct RequestFacts {
    headers: HeaderMap,
}

impl RequestLike for RequestFacts {
    fn uri(&self) -> Uri {
        Uri::default()
    }
    fn is_same_uri(&self, _: &Uri) -> bool {
        true
    }
    fn method(&self) -> &Method {
        &Method::GET
    }
    fn headers(&self) -> &HeaderMap {
        &self.headers
    }
}

/// A response as the policy sees it.
#[derive(Clone)]
struct PolicyResponse {
    status: StatusCode,
    headers: HeaderMap,
    /// How long it may be used where its headers say nothing.
    ttl: Option<Duration>,
}

impl PolicyResponse {
    fn with_ttl(&self) -> PolicyResponse {
        let mut facts = self.clone();
        let has_no_directives =
            ![CACHE_CONTROL, EXPIRES, PRAGMA].iter().any(|name| facts.headers.contains_key(name));
        if let Some(ttl) = self.ttl.filter(|_| has_no_directives) {
            let value = HeaderValue::try_from(format!("max-age={}", ttl.as_secs()));
            facts.headers.extend(value.ok().map(|value| (CACHE_CONTROL, value)));
        }
        facts
    }
}

impl ResponseLike for PolicyResponse {
    fn status(&self) -> StatusCode {
        self.status
    }
    fn headers(&self) -> &HeaderMap {
        &self.headers
    }
}
