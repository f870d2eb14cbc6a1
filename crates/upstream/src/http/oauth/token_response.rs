//! What a token server answers: a status and a body come in, a token that can be used or the reason why there is none goes
//! out (RFC 6749, sections 5.1 and 5.2).
//!
//! Invariant: a token that goes out can be sent in a header as it is; the server's words have passed the redactor.

use crate::http::error_text;
use aqueduct_egress::redact::Redactor;
use http::StatusCode;
use secrecy::SecretString;
use serde_json::Value;
use std::time::Duration;

/// Characters of the server's words.
const MOST_WORDS: usize = 300;
/// Bytes of a token; longer ones do not fit into a header.
const LONGEST_TOKEN: usize = 16 * 1024;

/// What the server gave.
#[derive(Debug)]
pub(super) struct TokenResponse {
    pub(super) token: SecretString,
    pub(super) expires_in: Option<Duration>,
    /// A refresh token in place of the one from before.
    pub(super) refresh_token: Option<SecretString>,
    /// The client's secret had to be in the body.
    pub(super) secret_in_body: bool,
}

/// Why there is no token.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TokenRefused {
    pub(super) status: StatusCode,
    /// The server does not know the client, as it presents itself.
    pub(super) is_of_client: bool,
    pub(super) why: String,
}

/// A refusal in our own words.
pub(super) fn refusal(status: StatusCode, why: &str) -> TokenRefused {
    TokenRefused { status, is_of_client: false, why: why.to_owned() }
}

/// Reads a response.
pub(super) fn read(
    status: StatusCode,
    bytes: &[u8],
    redactor: &Redactor,
) -> Result<TokenResponse, TokenRefused> {
    let refused = |why: &str| Err(refusal(status, why));
    let body: Value = serde_json::from_slice(bytes).unwrap_or_default();
    // Some servers refuse with the status 200.
    if !status.is_success() || body["error"].is_string() {
        return Err(server_refusal(status, &body, redactor));
    }
    if !body.is_object() {
        return refused("its answer is not a JSON object");
    }
    let Some(token) = body["access_token"].as_str().filter(|token| !token.is_empty()) else {
        return refused("its answer holds no access token");
    };
    if token.len() > LONGEST_TOKEN || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return refused("its token holds characters which cannot be sent, or is too long");
    }
    match &body["token_type"] {
        Value::Null => {}
        Value::String(kind) if kind.eq_ignore_ascii_case("bearer") => {}
        _ => return refused("its token is not a bearer token"),
    }
    let Ok(expires_in) = seconds(&body["expires_in"]) else {
        return refused("it does not say properly for how long its token is good");
    };
    let refresh_token = match &body["refresh_token"] {
        Value::Null => None,
        Value::String(text) if text.is_empty() => None,
        Value::String(text) if text.len() <= LONGEST_TOKEN && !text.chars().any(char::is_control) => {
            Some(text.as_str())
        }
        _ => return refused("its refresh token cannot be used"),
    };
    Ok(TokenResponse {
        token: token.into(),
        expires_in,
        refresh_token: refresh_token.map(SecretString::from),
        secret_in_body: false,
    })
}

/// A refusal in the server's words.
fn server_refusal(status: StatusCode, body: &Value, redactor: &Redactor) -> TokenRefused {
    let error = body["error"].as_str();
    let description = body["error_description"].as_str().filter(|text| !text.trim().is_empty());
    let words = match (error, description) {
        (Some(error), Some(description)) => Some(format!("{error}: {description}")),
        (Some(error), None) => Some(error.to_owned()),
        (None, _) => error_text::reason(body),
    };
    let words = words.map(|words| redactor.words(&words, MOST_WORDS)).filter(|words| !words.is_empty());
    let why = words.unwrap_or_else(|| match status.is_redirection() {
        true => "it leads to another place, which is not followed".to_owned(),
        false => error_text::of_status(status),
    });
    let is_of_client =
        error == Some("invalid_client") || (error.is_none() && status == StatusCode::UNAUTHORIZED);
    TokenRefused { status, is_of_client, why }
}

/// Whole seconds, as a number or, as some servers write it, as text.
fn seconds(value: &Value) -> Result<Option<Duration>, ()> {
    let whole = match value {
        Value::Null => return Ok(None),
        Value::String(text) => text.trim().parse().ok(),
        Value::Number(number) => number.as_u64().or_else(|| whole(number.as_f64()?)),
        _ => None,
    };
    whole.map(|seconds| Some(Duration::from_secs(seconds))).ok_or(())
}

/// `3600.0`, as servers write it whose numbers all have a point.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked")]
fn whole(seconds: f64) -> Option<u64> {
    (0.0..=1e15).contains(&seconds).then_some(seconds as u64)
}
