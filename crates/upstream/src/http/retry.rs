//! Repeats an attempt where a repeat is safe and may help. An attempt comes in, the last outcome goes out.
//!
//! Repeated: GET, PUT and DELETE of operations that do not act anew on a repeat, after a connection that failed before an answer, after 502, 503 and
//! 504, and after 429 with `Retry-After`. Never after a timeout. A wait that the upstream asks for is kept when it is
//! short; a longer one is reported at once instead.

use crate::error::{TransportErrorKind, UpstreamError};
use aqueduct_operations::category::Category;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::target::HttpTarget;
use backon::{ExponentialBuilder, Retryable};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// The longest wait that a call sits out.
const LONGEST_WAIT: Duration = Duration::from_secs(2);
/// The first wait when the upstream asks for none; jitter is added, and it doubles each time.
const FIRST_WAIT: Duration = Duration::from_millis(100);

/// Runs an attempt, and again as often as the site allows; each attempt is told its number.
pub(crate) async fn with_retries<T, F, O>(
    operation: &Operation,
    target: &HttpTarget,
    attempt: F,
) -> Result<T, UpstreamError>
where
    F: Fn(u32) -> O,
    O: Future<Output = Result<T, UpstreamError>>,
{
    let acts = operation.category == Category::Execute || operation.non_idempotent;
    let may_repeat = target.method.is_idempotent() && !acts;
    let retries = if may_repeat { target.site.retries } else { 0 };
    let waits = ExponentialBuilder::default()
        .with_min_delay(FIRST_WAIT)
        .with_max_delay(LONGEST_WAIT)
        .with_max_times(usize::try_from(retries).unwrap_or(usize::MAX))
        .with_jitter();
    let attempts = AtomicU32::new(0);
    (|| attempt(attempts.fetch_add(1, Ordering::Relaxed) + 1)).retry(waits).when(may_help).adjust(wait).await
}

/// True when another attempt may end better.
fn may_help(error: &UpstreamError) -> bool {
    match error {
        UpstreamError::Transport(transport) => {
            matches!(
                transport.trouble,
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
        Some(asked) if asked > LONGEST_WAIT => None,
        Some(asked) => Some(asked),
        None => Some(backoff),
    }
}

#[cfg(test)]
mod tests {
    use crate::answer::UpstreamResponse;
    use crate::error::{TransportError, TransportErrorKind, UpstreamError};
    use crate::test_support::call;
    use aqueduct_operations::category::Category;
    use aqueduct_operations::target::Method;
    use aqueduct_testkit::api::{self, FakeApi};
    use aqueduct_testkit::operation::{operation, site, target};
    use serde_json::json;
    use std::time::Duration;

    /// The outcome of a call with two retries allowed, and how many requests it took.
    async fn tried(
        method: Method,
        non_idempotent: bool,
        answers: Vec<api::Answer>,
    ) -> (Result<UpstreamResponse, UpstreamError>, usize) {
        tried_as(Category::Update, method, non_idempotent, answers).await
    }

    async fn tried_as(
        category: Category,
        method: Method,
        non_idempotent: bool,
        answers: Vec<api::Answer>,
    ) -> (Result<UpstreamResponse, UpstreamError>, usize) {
        let api = FakeApi::in_turn(answers).await;
        let mut site = site(&api.base_url());
        site.retries = 2;
        site.timeout = Duration::from_millis(400);
        let mut operation = operation("do_it", category, target(site, method, "/x"));
        operation.non_idempotent = non_idempotent;
        let outcome = call(&operation, &[], json!({})).await;
        (outcome, api.requests().len())
    }

    /// Nothing listens: that passes when a server starts again.
    #[test]
    fn which_network_failures_may_pass() {
        let of = |trouble| super::may_help(&TransportError { trouble, host: "h".into(), port: 1 }.into());
        assert!(of(TransportErrorKind::Refused));
        assert!(of(TransportErrorKind::Network { detail: "", before_answer: true }));
        assert!(!of(TransportErrorKind::Network { detail: "", before_answer: false }));
        assert!(!of(TransportErrorKind::Dns) && !of(TransportErrorKind::Tls { detail: "" }));
    }

    fn busy(status: u16) -> api::Answer {
        api::Answer::json(status, json!({"message": "busy"}))
    }

    fn good() -> api::Answer {
        api::Answer::json(200, json!("good"))
    }

    /// X-plugins-8 R2.2-5: GET, PUT and DELETE are repeated after 502, 503, 504 and a closed connection.
    #[tokio::test]
    async fn repeats_what_is_safe() {
        for method in [Method::Get, Method::Put, Method::Delete] {
            for bad in [busy(502), busy(503), busy(504), api::Answer::drop_connection()] {
                let (outcome, requests) = tried(method, false, vec![bad, good()]).await;
                assert_eq!(outcome.unwrap().data.as_str(), "\"good\"");
                assert_eq!(requests, 2);
            }
        }
    }

    /// A repeat is never made where it could act twice.
    #[tokio::test]
    async fn never_repeats_what_may_act_twice() {
        for (method, non_idempotent) in [(Method::Post, false), (Method::Patch, false), (Method::Put, true)] {
            for bad in [busy(503), api::Answer::drop_connection()] {
                let (outcome, requests) = tried(method, non_idempotent, vec![bad, good()]).await;
                assert!(outcome.is_err());
                assert_eq!(requests, 1, "{method}");
            }
        }
    }

    /// C8.1-5: an EXECUTE may act again on a repeat, whatever its method.
    #[tokio::test]
    async fn never_repeats_an_execute() {
        for method in [Method::Get, Method::Put, Method::Delete] {
            let (outcome, requests) =
                tried_as(Category::Execute, method, false, vec![busy(503), good()]).await;
            assert!(outcome.is_err());
            assert_eq!(requests, 1, "{method}");
        }
    }

    /// X-plugins-8: as many retries as the site allows, each after a longer wait, and no retry for other failures.
    #[tokio::test]
    async fn gives_up() {
        let started = std::time::Instant::now();
        let (outcome, requests) = tried(Method::Get, false, vec![busy(503)]).await;
        assert_eq!(outcome.unwrap_err().http_status(), Some(503));
        assert_eq!(requests, 3);
        assert!(started.elapsed() >= 3 * super::FIRST_WAIT, "one wait, and one twice as long");
        for status in [400, 404, 429, 500] {
            assert_eq!(tried(Method::Get, false, vec![busy(status), good()]).await.1, 1, "{status}");
        }
        let page = api::Answer::html(502, "<html>");
        assert_eq!(tried(Method::Get, false, vec![page, good()]).await.1, 2);
    }

    #[tokio::test]
    async fn never_repeats_a_timeout() {
        let (outcome, requests) = tried(Method::Get, false, vec![api::Answer::hang(), good()]).await;
        match outcome {
            Err(UpstreamError::Transport(error)) => {
                assert_eq!(error.trouble, TransportErrorKind::Timeout { after: Duration::from_millis(400) });
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(requests, 1);
    }

    #[tokio::test]
    async fn waits_as_asked() {
        for status in [429, 503] {
            let short = busy(status).header("Retry-After", "1");
            let started = std::time::Instant::now();
            let (outcome, requests) = tried(Method::Get, false, vec![short, good()]).await;
            assert!(outcome.is_ok() && requests == 2);
            assert!(started.elapsed() >= Duration::from_secs(1));
            let long = busy(status).header("Retry-After", "3");
            let (outcome, requests) = tried(Method::Get, false, vec![long, good()]).await;
            assert_eq!(outcome.unwrap_err().retry_after(), Some(Duration::from_secs(3)));
            assert_eq!(requests, 1);
        }
    }
}
