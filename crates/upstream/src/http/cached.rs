//! A read that may be answered by what is cached, or by a read that is in flight (RFC 9111).
//!
//! An exchange comes in; a response, cached, revalidated or new, goes out. A new one is cached where HTTP allows it.

use super::read::ReceivedResponse;
use super::{PendingRequest, path_template};
use crate::cache::{
    Cache, CacheKey, CacheKeyInput, CacheScope, CachedResponse, Freshness, FreshnessVerdict, ReadOptions,
};
use crate::error::UpstreamError;
use crate::prepared::PreparedRequest;
use crate::response::UpstreamResponse;
use http::HeaderMap;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, TRANSFER_ENCODING};
use std::time::SystemTime;

/// Headers of a 304 that say nothing of the response that is cached.
const NOT_RENEWED: [http::HeaderName; 5] =
    [CONTENT_LENGTH, CONTENT_ENCODING, TRANSFER_ENCODING, CONTENT_RANGE, CONTENT_TYPE];

/// Reads with as few requests as HTTP allows.
pub(super) async fn read(
    exchange: &PendingRequest<'_>,
    reading: &ReadOptions,
) -> Result<UpstreamResponse, UpstreamError> {
    let PreparedRequest { operation, target, request, .. } = exchange.prepared;
    let input = CacheKeyInput { operation, target, request, credentials: exchange.credentials, reading };
    let scope = CacheScope::of(&request.url, reading.source.as_ref(), &operation.name);
    let read = CachedRead { exchange, reading, cache: &exchange.shared.cache, key: input.key(), scope };
    if let Some(response) = read.fresh() {
        let host = target.site.base_url.host_str();
        tracing::debug!(host, path = path_template::template(&target.path), "cached response used");
        return Ok(response);
    }
    let generation = read.cache.generation(&read.scope);
    // On the heap: each layer of sharing would have room for it twice, also in calls that share nothing.
    read.cache.share(read.key, generation, Box::pin(read.ask_upstream())).await
}

struct CachedRead<'a> {
    exchange: &'a PendingRequest<'a>,
    reading: &'a ReadOptions,
    cache: &'a Cache,
    key: CacheKey,
    scope: CacheScope,
}

impl CachedRead<'_> {
    fn now(&self) -> SystemTime {
        SystemTime::from(self.exchange.shared.settings.clock.now())
    }

    fn headers(&self) -> &HeaderMap {
        &self.exchange.prepared.request.headers
    }

    /// What is cached and may be used as it is.
    fn fresh(&self) -> Option<UpstreamResponse> {
        let cached = self.cache.find(&self.key)?;
        matches!(cached.freshness.verdict(self.headers(), self.now()), FreshnessVerdict::Fresh)
            .then(|| from_cache(&cached))
    }

    async fn ask_upstream(&self) -> Result<UpstreamResponse, UpstreamError> {
        let generation = self.cache.generation(&self.scope);
        if let Some(cached) = self.cache.find(&self.key) {
            match cached.freshness.verdict(self.headers(), self.now()) {
                // Another read has ended just now.
                FreshnessVerdict::Fresh => return Ok(from_cache(&cached)),
                FreshnessVerdict::Stale(versions) if !versions.is_empty() => {
                    let received = self.exchange.revalidate(versions).await?;
                    if received.response.status != 304 {
                        return Ok(self.store_new(received, generation));
                    }
                    if cached.freshness.is_version_of(&received.headers) {
                        return Ok(self.renew(&cached, received, generation));
                    }
                }
                FreshnessVerdict::Stale(_) => {}
            }
        }
        Ok(self.store_new(self.exchange.send().await?, generation))
    }

    /// Caches a new response, where it may be cached.
    fn store_new(&self, received: ReceivedResponse, generation: u64) -> UpstreamResponse {
        let ReceivedResponse { response, headers, redirected } = received;
        let ttl = self.reading.rule.ttl;
        let freshness = Freshness::of(self.headers(), response.status, &headers, ttl, self.now());
        self.insert(&response, freshness.filter(|_| !redirected), generation);
        response
    }

    /// Extends the life of a cached response, with the headers of the 304.
    fn renew(
        &self,
        cached: &CachedResponse,
        received: ReceivedResponse,
        generation: u64,
    ) -> UpstreamResponse {
        let mut response = cached.response.clone();
        let mut new_headers = received.response.headers;
        new_headers.retain(|(name, _)| !NOT_RENEWED.iter().any(|not| not.as_str() == name));
        response.headers.retain(|(name, _)| !new_headers.iter().any(|(new, _)| new == name));
        response.headers.extend(new_headers);
        if received.response.next.is_some() {
            response.next = received.response.next;
        }
        let freshness = cached.freshness.renewed(self.headers(), &received.headers, self.now());
        self.insert(&response, freshness, generation);
        response
    }

    fn insert(&self, response: &UpstreamResponse, freshness: Option<Freshness>, generation: u64) {
        match freshness {
            Some(freshness) => {
                let cached = CachedResponse { response: response.clone(), freshness };
                self.cache.insert(self.key, &self.scope, generation, cached);
            }
            None => self.cache.remove(&self.key),
        }
    }
}

fn from_cache(cached: &CachedResponse) -> UpstreamResponse {
    UpstreamResponse { from_cache: true, ..cached.response.clone() }
}
