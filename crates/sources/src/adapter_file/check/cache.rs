//! The `cache` block of a file or an operation: whether answers are kept, and how long where their headers are silent.
//!
//! A block in; a rule out, for GET only.

use super::answers::block;
use crate::document::cursor::Cursor;
use crate::document::findings::Findings;
use aqueduct_operations::answers::CacheRule;
use aqueduct_operations::target::Method;
use std::time::Duration;

/// What is declared, when something is.
pub(super) fn of(owner: &Cursor<'_>) -> Option<CacheRule> {
    let at = block(owner, "cache")?;
    let ttl = at.whole("ttl_seconds").and_then(|seconds| u64::try_from(seconds).ok());
    Some(CacheRule { enabled: at.flag("enabled").unwrap_or(true), ttl: ttl.map(Duration::from_secs) })
}

/// What an operation declares: only answers of GET are kept.
pub(super) fn of_operation(
    operation: &Cursor<'_>,
    method: Method,
    found: &mut Findings<'_>,
) -> Option<CacheRule> {
    let rule = of(operation)?;
    if method != Method::Get {
        if let Some(at) = operation.get("cache") {
            let message = format!("Only answers of GET are kept, so 'cache' has no effect on a {method}");
            found.add(at.warning("NO_EFFECT", message).hint("remove it"));
        }
        return None;
    }
    Some(rule)
}
