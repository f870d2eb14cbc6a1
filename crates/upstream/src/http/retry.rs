//! Repeats an attempt where a repeat is safe and may help. An attempt comes in, the last outcome goes out.
//!
//! Repeated: GET, PUT and DELETE of operations that do not act anew on a repeat, after a connection that failed before a
//! response, after 502, 503 and 504, and after 429 with `Retry-After`. Never after a timeout. A wait that the upstream asks
//! for is kept when it is short; a longer one is reported at once instead.

use crate::error::{TransportErrorKind, UpstreamError};
use aqueduct_egress::backoff::Backoff;
use aqueduct_operations::category::Category;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::target::HttpTarget;
use backon::Retryable;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// The longest wait that an upstream may ask for.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(2);
/// The waits when the upstream asks for none.
const BACKOFF: Backoff = Backoff { first: Duration::from_millis(200), longest: Duration::from_secs(4) };

/// Runs an attempt, and again as often as the site allows; each attempt gets its number.
pub(crate) async fn with_retries<T, F, O>(
    operation: &Operation,
    target: &HttpTarget,
    attempt: F,
) -> Result<T, UpstreamError>
where
    F: Fn(u32) -> O,
    O: Future<Output = Result<T, UpstreamError>>,
{
    let has_side_effects = operation.category == Category::Execute || operation.non_idempotent;
    let may_repeat = target.method.is_idempotent() && !has_side_effects;
    let retries = if may_repeat { target.site.retries } else { 0 };
    let attempts = AtomicU32::new(0);
    (|| attempt(attempts.fetch_add(1, Ordering::Relaxed) + 1))
        .retry(BACKOFF.retries(retries))
        .when(may_help)
        .adjust(wait)
        .await
}

/// True when another attempt may end better.
fn may_help(error: &UpstreamError) -> bool {
    match error {
        UpstreamError::Transport(transport) => {
            matches!(
                transport.kind,
                TransportErrorKind::Refused | TransportErrorKind::Network { before_answer: true, .. }
            )
        }
        _ => match error.http_status() {
            Some(502..=504) => true,
            Some(429) => error.retry_after().is_some(),
            _ => false,
        },
    }
}

/// The wait before the next attempt; none when there are no attempts left, or the upstream asks for too long a wait.
fn wait(error: &UpstreamError, backoff: Option<Duration>) -> Option<Duration> {
    let backoff = backoff?;
    match error.retry_after() {
        Some(requested) if requested > MAX_RETRY_AFTER => None,
        Some(requested) => Some(requested),
        None => Some(backoff),
    }
}

#[cfg(test)]
mod tests;
