//! Whether and how long answers of GET are kept.

use std::time::Duration;

/// What is declared about keeping answers, for a source or one operation of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheRule {
    /// Answers are kept at all.
    pub enabled: bool,
    /// How long, where the answer's headers say nothing.
    pub ttl: Option<Duration>,
}

impl Default for CacheRule {
    fn default() -> CacheRule {
        CacheRule { enabled: true, ttl: None }
    }
}
