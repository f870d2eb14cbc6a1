//! How long a result may be used where nothing reads the headers of HTTP: for the time that is declared for it.
//!
//! This stands in for `freshness` without the feature `http-cache`. Responses of HTTP APIs are never cached then.

use super::FreshnessVerdict;
use http::header::HeaderMap;
use std::time::{Duration, SystemTime};

/// How long one result may be used.
pub(crate) struct DeclaredFreshness {
    until: SystemTime,
}

impl DeclaredFreshness {
    /// None: what the headers allow is not read.
    pub(crate) fn of(
        _: &HeaderMap,
        _: u16,
        _: &HeaderMap,
        _: Option<Duration>,
        _: SystemTime,
    ) -> Option<DeclaredFreshness> {
        None
    }

    /// The freshness of what comes without headers: this time, and no longer.
    pub(crate) fn lasting(ttl: Duration, now: SystemTime) -> Option<DeclaredFreshness> {
        let until = now.checked_add(ttl)?;
        (!ttl.is_zero()).then_some(DeclaredFreshness { until })
    }

    /// Whether the result may be used now.
    pub(crate) fn verdict(&self, _: &HeaderMap, now: SystemTime) -> FreshnessVerdict {
        if now < self.until { FreshnessVerdict::Fresh } else { FreshnessVerdict::Stale(HeaderMap::new()) }
    }

    /// None: nothing of HTTP is cached that could be renewed.
    pub(crate) fn renewed(&self, _: &HeaderMap, _: &HeaderMap, _: SystemTime) -> Option<DeclaredFreshness> {
        None
    }

    /// False: nothing is known of versions.
    pub(crate) fn is_version_of(&self, _: &HeaderMap) -> bool {
        false
    }
}
