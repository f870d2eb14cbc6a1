//! A read that may be answered by what is kept, or by a read that is under way (RFC 9111).
//!
//! An exchange comes in; an answer, kept, confirmed or new, goes out. What may be kept of it is kept.

use super::read::ReceivedResponse;
use super::{Exchange, path};
use crate::cache::{
    Cache, CacheKey, CacheKeyInput, CacheScope, CachedResponse, Freshness, FreshnessVerdict, ReadOptions,
};
use crate::error::UpstreamError;
use crate::response::UpstreamResponse;
use http::HeaderMap;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, TRANSFER_ENCODING};
use std::time::SystemTime;

/// Headers of a 304 that say nothing of the answer that is kept.
const NOT_RENEWED: [http::HeaderName; 5] =
    [CONTENT_LENGTH, CONTENT_ENCODING, TRANSFER_ENCODING, CONTENT_RANGE, CONTENT_TYPE];

/// Reads, by as few requests as HTTP allows.
pub(super) async fn read(
    exchange: &Exchange<'_>,
    reading: &ReadOptions,
) -> Result<UpstreamResponse, UpstreamError> {
    let asked = CacheKeyInput {
        operation: exchange.operation,
        target: exchange.target,
        request: exchange.request,
        credentials: exchange.credentials,
        reading,
    };
    let place = CacheScope::of(&exchange.request.url, reading.source.as_ref(), &exchange.operation.name);
    let read = CachedRead { exchange, reading, cache: &exchange.shared.cache, key: asked.key(), place };
    if let Some(answer) = read.fresh() {
        let host = exchange.target.site.base_url.host_str();
        tracing::debug!(host, path = path::template(&exchange.target.path), "kept answer used");
        return Ok(answer);
    }
    let generation = read.cache.generation(&read.place);
    read.cache.share(read.key, generation, read.ask_upstream()).await
}

struct CachedRead<'a> {
    exchange: &'a Exchange<'a>,
    reading: &'a ReadOptions,
    cache: &'a Cache,
    key: CacheKey,
    place: CacheScope,
}

impl CachedRead<'_> {
    fn now(&self) -> SystemTime {
        SystemTime::from(self.exchange.shared.settings.clock.now())
    }

    fn headers(&self) -> &HeaderMap {
        &self.exchange.request.headers
    }

    /// What is kept and may be used as it is.
    fn fresh(&self) -> Option<UpstreamResponse> {
        let kept = self.cache.find(&self.key)?;
        matches!(kept.freshness.verdict(self.headers(), self.now()), FreshnessVerdict::Fresh)
            .then(|| from_cache(&kept))
    }

    async fn ask_upstream(&self) -> Result<UpstreamResponse, UpstreamError> {
        let generation = self.cache.generation(&self.place);
        if let Some(kept) = self.cache.find(&self.key) {
            match kept.freshness.verdict(self.headers(), self.now()) {
                // Another read has ended just now.
                FreshnessVerdict::Fresh => return Ok(from_cache(&kept)),
                FreshnessVerdict::Stale(versions) if !versions.is_empty() => {
                    let received = self.exchange.revalidate(versions).await?;
                    if received.answer.status != 304 {
                        return Ok(self.take_in(received, generation));
                    }
                    if kept.freshness.is_version_of(&received.headers) {
                        return Ok(self.renew(&kept, received, generation));
                    }
                }
                FreshnessVerdict::Stale(_) => {}
            }
        }
        Ok(self.take_in(self.exchange.send().await?, generation))
    }

    /// Keeps a new answer, where it may be kept.
    fn take_in(&self, received: ReceivedResponse, generation: u64) -> UpstreamResponse {
        let ReceivedResponse { answer, headers, redirected } = received;
        let ttl = self.reading.rule.ttl;
        let freshness = Freshness::of(self.headers(), answer.status, &headers, ttl, self.now());
        self.keep(&answer, freshness.filter(|_| !redirected), generation);
        answer
    }

    /// Keeps what is kept for another while, with what the upstream says of it now.
    fn renew(&self, kept: &CachedResponse, received: ReceivedResponse, generation: u64) -> UpstreamResponse {
        let mut answer = kept.answer.clone();
        let told = received.answer.headers.into_iter();
        let told: Vec<_> =
            told.filter(|(name, _)| !NOT_RENEWED.iter().any(|not| not.as_str() == name)).collect();
        answer.headers.retain(|(name, _)| !told.iter().any(|(new, _)| new == name));
        answer.headers.extend(told);
        if received.answer.next.is_some() {
            answer.next = received.answer.next;
        }
        let freshness = kept.freshness.renewed(self.headers(), &received.headers, self.now());
        self.keep(&answer, freshness, generation);
        answer
    }

    fn keep(&self, answer: &UpstreamResponse, freshness: Option<Freshness>, generation: u64) {
        match freshness {
            Some(freshness) => {
                let kept = CachedResponse { answer: answer.clone(), freshness };
                self.cache.keep(self.key, &self.place, generation, kept);
            }
            None => self.cache.forget(&self.key),
        }
    }
}

fn from_cache(kept: &CachedResponse) -> UpstreamResponse {
    UpstreamResponse { from_cache: true, ..kept.answer.clone() }
}
