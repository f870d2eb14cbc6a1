//! How long an answer may be used: the headers of an exchange come in, the verdict of RFC 9111 goes out, worked out by
//! `http-cache-semantics` as for a private cache.
//!
//! Nothing is guessed: an answer that says nothing about its age is stale at once, unless the adapter names a time. Only the
//! headers that decide are held, none of them with a credential or a URL in it.

use http::header::{
    AGE, CACHE_CONTROL, DATE, ETAG, EXPIRES, HeaderMap, HeaderName, HeaderValue, IF_MODIFIED_SINCE,
    IF_NONE_MATCH, LAST_MODIFIED, PRAGMA, SET_COOKIE, VARY,
};
use http::{Method, StatusCode, Uri};
use http_cache_semantics::{BeforeRequest, CacheOptions, CachePolicy, RequestLike, ResponseLike};
use std::time::{Duration, SystemTime};

/// The headers of an answer that decide.
const DECIDING: [HeaderName; 8] = [CACHE_CONTROL, EXPIRES, PRAGMA, DATE, AGE, VARY, ETAG, LAST_MODIFIED];
/// Of them, those without which nothing can be kept, unless the adapter names a time.
const NEEDED: [HeaderName; 4] = [CACHE_CONTROL, EXPIRES, ETAG, LAST_MODIFIED];
/// The age of an answer that claims to be older than anything (RFC 9111, section 1.2.2).
const OLDEST: HeaderValue = HeaderValue::from_static("2147483648");

/// How long one answer may be used.
pub(crate) struct Freshness {
    policy: CachePolicy,
    told: ResponseFacts,
}

/// What to do with a kept answer.
pub(crate) enum FreshnessVerdict {
    /// Use it.
    Fresh,
    /// Ask the upstream, with these headers; none when it has no version to compare.
    Stale(HeaderMap),
}

impl Freshness {
    /// None when the answer must not be kept, or when it could never be used again.
    pub(crate) fn of(
        request: &HeaderMap,
        status: u16,
        response: &HeaderMap,
        ttl: Option<Duration>,
        now: SystemTime,
    ) -> Option<Freshness> {
        let may_be_of_use = ttl.is_some() || NEEDED.iter().any(|name| response.contains_key(name));
        if !may_be_of_use || response.contains_key(SET_COOKIE) {
            return None;
        }
        let told =
            ResponseFacts { status: StatusCode::from_u16(status).ok()?, headers: deciding(response), ttl };
        Freshness::judged(request, told, now)
    }

    /// The freshness of what comes without headers: this time, and no longer.
    pub(crate) fn lasting(ttl: Duration, now: SystemTime) -> Option<Freshness> {
        let none = HeaderMap::new();
        Freshness::of(&none, StatusCode::OK.as_u16(), &none, Some(ttl), now)
    }

    fn judged(request: &HeaderMap, told: ResponseFacts, now: SystemTime) -> Option<Freshness> {
        // Heuristics are for web pages: an API that says nothing has promised nothing.
        let options = CacheOptions {
            shared: false,
            cache_heuristic: 0.0,
            immutable_min_time_to_live: Duration::ZERO,
            ignore_cargo_cult: false,
        };
        let asked = RequestFacts { headers: directives(request) };
        let policy = CachePolicy::new_options(&asked, &told.with_ttl(), now, options);
        let has_version = told.headers.contains_key(ETAG) || told.headers.contains_key(LAST_MODIFIED);
        let is_of_use = has_version || !policy.time_to_live(now).is_zero();
        (policy.is_storable() && is_of_use).then_some(Freshness { policy, told })
    }

    /// Whether the answer may be used for a request now.
    pub(crate) fn verdict(&self, request: &HeaderMap, now: SystemTime) -> FreshnessVerdict {
        match self.policy.before_request(&RequestFacts { headers: directives(request) }, now) {
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

    /// How long it may be used after the upstream has said that nothing changed; none when it now forbids to keep it.
    pub(crate) fn renewed(
        &self,
        request: &HeaderMap,
        response: &HeaderMap,
        now: SystemTime,
    ) -> Option<Freshness> {
        if response.contains_key(SET_COOKIE) {
            return None;
        }
        let new = deciding(response);
        let mut told = self.told.clone();
        // Age and date are those of the exchange just made.
        for name in [AGE, DATE].iter().chain(new.keys()) {
            told.headers.remove(name);
        }
        told.headers.extend(new);
        Freshness::judged(request, told, now)
    }

    /// False when a 304 names another version than the one that is kept.
    pub(crate) fn is_version_of(&self, response: &HeaderMap) -> bool {
        let same = |name: &HeaderName| match (response.get(name), self.told.headers.get(name)) {
            (Some(told), Some(kept)) => Some(opaque(told) == opaque(kept)),
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

/// The headers that decide, spelled as the judge reads them.
fn deciding(response: &HeaderMap) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for name in DECIDING {
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
fn directives(request: &HeaderMap) -> HeaderMap {
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

/// A request as the judge sees it. The key under which an answer is kept holds its URL and all its headers, so those are
/// the same whenever the judge is asked.
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

/// An answer as the judge sees it.
#[derive(Clone)]
struct ResponseFacts {
    status: StatusCode,
    headers: HeaderMap,
    /// How long it may be used where its headers say nothing.
    ttl: Option<Duration>,
}

impl ResponseFacts {
    fn with_ttl(&self) -> ResponseFacts {
        let mut told = self.clone();
        let is_silent = ![CACHE_CONTROL, EXPIRES, PRAGMA].iter().any(|name| told.headers.contains_key(name));
        if let Some(ttl) = self.ttl.filter(|_| is_silent) {
            let value = HeaderValue::try_from(format!("max-age={}", ttl.as_secs()));
            told.headers.extend(value.ok().map(|value| (CACHE_CONTROL, value)));
        }
        told
    }
}

impl ResponseLike for ResponseFacts {
    fn status(&self) -> StatusCode {
        self.status
    }
    fn headers(&self) -> &HeaderMap {
        &self.headers
    }
}
