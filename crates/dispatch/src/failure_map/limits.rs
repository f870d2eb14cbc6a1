//! Limits and quotas that keep a request from being sent (error-code document, sections 5.5 to 5.8; companion document on rate limits).
//!
//! A refusal in; the failure that the client gets out, always with the time to wait.

use super::gate::{not_asked, token, unavailable};
use super::{of_operation, with_some};
use aqueduct_operations::clock::iso8601;
use aqueduct_operations::failure::{Code, Failure};
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::rate_limits::metering::{
    ApiRefusal, ApiRefusalReason, LimitRefusal, PauseAnswer, PausedQuota,
};
use aqueduct_operations::rate_limits::status::CounterStatus;

/// A request that is not sent.
pub(super) fn limited(refusal: LimitRefusal, entry: &RegistryEntry) -> Failure {
    match refusal {
        LimitRefusal::Api(refusal) => api(refusal, entry),
        LimitRefusal::Paused(pause, answer) => paused(&pause, answer, entry),
        LimitRefusal::Exhausted { metric, current, hard_stop, resets_at, retry_after_seconds } => {
            let resets_at = iso8601(resets_at);
            let message = format!(
                "Quota exhausted: {metric} of '{}' is used up. It starts again on {resets_at}; until then nothing is sent.",
                entry.source.name
            );
            of_operation(entry, Code::RateLimitQuotaExhausted, message)
                .with("metric", metric)
                .with("current", CounterStatus::number(current))
                .with("limit", CounterStatus::number(hard_stop))
                .with("hard_stop_threshold", CounterStatus::number(hard_stop))
                .with("resets_at", resets_at)
                .with("retry_after_seconds", retry_after_seconds)
        }
        LimitRefusal::Token(refusal) => token(refusal),
        LimitRefusal::NotAsked(failure) => not_asked(failure),
        LimitRefusal::Unavailable(why) => limits_unknown(&why).with("operation", entry.public_name.as_str()),
    }
}

/// It is unknown what is left of a limit, so nothing is sent.
pub fn limits_unknown(why: &str) -> Failure {
    unavailable("held to the limits of its source", why)
}

fn api(refusal: ApiRefusal, entry: &RegistryEntry) -> Failure {
    let ApiRefusal { reason, limit, remaining, window, resets_at, retry_after_seconds } = refusal;
    let why = match reason {
        ApiRefusalReason::TooLong => "Nothing was sent, because its turn would come too late",
        ApiRefusalReason::QueueFull => "Nothing was sent, because too many requests wait already",
        ApiRefusalReason::AskedToWait => "Nothing was sent, because the API asked to wait",
    };
    let message =
        format!("API rate limit would be exceeded. {why}. Try again in {retry_after_seconds} seconds.");
    let failure = of_operation(entry, Code::RateLimitExceeded, message)
        .with("source", entry.source.name.as_str())
        .with("remaining", remaining)
        .with("retry_after_seconds", retry_after_seconds);
    let failure = with_some(failure, "limit", limit);
    let failure = with_some(failure, "window", window);
    with_some(failure, "resets_at", resets_at.map(iso8601))
}

fn paused(pause: &PausedQuota, answer: PauseAnswer, entry: &RegistryEntry) -> Failure {
    let next = match &answer {
        PauseAnswer::Token(_) => {
            "Ask the user; if they agree, send the same request again with '_quota_continue' and the token added to params."
        }
        PauseAnswer::Operator => "The operator has to let it go on; send the same request again then.",
        PauseAnswer::Declined => "The user was asked, and did not agree to go on.",
        PauseAnswer::Unanswered => "The user was asked whether to go on, and gave no answer.",
    };
    let message = format!("Quota pause threshold reached: {} of '{}'. {next}", pause.metric, pause.source);
    let resets_at = iso8601(pause.resets_at);
    let failure = of_operation(entry, Code::RateLimitQuotaPause, message)
        .with("source", pause.source.as_str())
        .with("metric", pause.metric.as_str())
        .with("current", CounterStatus::number(pause.current))
        .with("pause_threshold", CounterStatus::number(pause.pause))
        .with("resets_at", resets_at)
        .with("retry_after_seconds", pause.retry_after_seconds);
    let failure = with_some(failure, "hard_stop_threshold", pause.hard_stop.map(CounterStatus::number));
    match answer {
        PauseAnswer::Token(issued) => {
            let expires_at = iso8601(issued.expires_at);
            let mut failure = failure
                .with("confirmation_token", issued.token.as_str())
                .with("expires_at", expires_at.as_str());
            failure.confirmation = Some(serde_json::json!({"token": issued.token, "expires_at": expires_at}));
            failure
        }
        PauseAnswer::Operator => failure.with("reason", "operator"),
        PauseAnswer::Declined => failure.with("reason", "declined"),
        PauseAnswer::Unanswered => failure.with("reason", "no_answer"),
    }
}
