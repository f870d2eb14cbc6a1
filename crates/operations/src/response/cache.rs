//! Whether and how long responses of GET are cached.

use std::time::Duration;

/// What is declared about keeping responses, for a source or one operation of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheRule {
    /// Responses are cached at all.
    pub enabled: bool,
    /// How long, where the response's headers say nothing.
    pub ttl: Option<Duration>,
}

impl Default for CacheRule {
    fn default() -> CacheRule {
        CacheRule { enabled: true, ttl: None }
    }
}
