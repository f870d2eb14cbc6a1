//! What is known of a response before its body: status, content type, and how long it asks to wait; and which of its
//! headers may be shown.
//!
//! Invariant: no text of a header leaves here with a credential of ours in it.

use crate::http::send::RequestAttempts;
use aqueduct_egress::redact::Redactor;
use aqueduct_egress::response::Response;
use aqueduct_operations::clock::Clock;
use aqueduct_operations::target::{AnswerKind, Method};
use http::StatusCode;
use http::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER, SET_COOKIE};
use serde_json::{Map, Value, json};
use std::time::{Duration, SystemTime};

/// The head of a response, and how its body is to be read.
pub(super) struct ResponseHead<'a> {
    pub(super) status: StatusCode,
    /// As sent; empty when there is none.
    pub(super) content_type: String,
    pub(super) retry_after: Option<Duration>,
    /// The operation may be answered with something other than JSON.
    pub(super) any_allowed: bool,
    /// Only the head was asked for.
    pub(super) is_all: bool,
    /// Bytes of a response.
    pub(super) limit: u64,
    pub(super) redactor: &'a Redactor,
}

impl<'a> ResponseHead<'a> {
    pub(super) fn of(call: &RequestAttempts<'a>, response: &Response) -> ResponseHead<'a> {
        let redactor = &call.credentials.redactor;
        ResponseHead {
            status: response.status(),
            content_type: content_type(response.headers(), redactor),
            retry_after: retry_after(response.headers(), &*call.shared.settings.clock),
            any_allowed: call.target.answer != AnswerKind::Json,
            is_all: call.request.method == Method::Head,
            limit: call.shared.settings.max_response_size,
            redactor,
        }
    }

    /// The response to a request for the head alone: what else there is to report of it.
    pub(super) fn alone(&self, headers: &HeaderMap) -> Value {
        let mut all = Map::new();
        for (name, text) in self.shown(headers) {
            match all.get_mut(&name) {
                Some(Value::String(known)) => {
                    known.push_str(", ");
                    known.push_str(&text);
                }
                _ => _ = all.insert(name, text.into()),
            }
        }
        json!({"status": self.status.as_u16(), "headers": all})
    }

    /// The headers that may be shown: cookies are the upstream's credentials.
    pub(super) fn shown(&self, headers: &HeaderMap) -> Vec<(String, String)> {
        headers
            .iter()
            .filter(|(name, _)| *name != SET_COOKIE)
            .map(|(name, value)| {
                let text = String::from_utf8_lossy(value.as_bytes());
                (name.to_string(), self.redactor.data(&text).into_owned())
            })
            .collect()
    }
}

fn content_type(headers: &HeaderMap, redactor: &Redactor) -> String {
    let bytes = headers.get(CONTENT_TYPE).map(|value| value.as_bytes()).unwrap_or_default();
    redactor.error(&String::from_utf8_lossy(bytes)).into_owned()
}

/// How long the upstream asks to wait: in seconds, or until a date.
pub(in crate::http) fn retry_after(headers: &HeaderMap, clock: &dyn Clock) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let until = httpdate::parse_http_date(text).ok()?;
    Some(until.duration_since(SystemTime::from(clock.now())).unwrap_or_default())
}

#[cfg(test)]
mod tests;
