//! What went wrong over HTTP, in our words.
//!
//! An error of the SDK in; whether no one is there, and a clause about the server for a sentence, out. No type name of
//! the SDK and no address, which may hold credentials, is in it.

use super::HttpFailure;
use aqueduct_egress::resolver::RefusedAddress;
use rmcp::transport::streamable_http_client::StreamableHttpError;
use rmcp::transport::worker::WorkerQuitReason;
use std::error::Error;

/// The failure that an error stands for, when it is one of HTTP.
pub(crate) fn find_failure<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e HttpFailure> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(failure) = error.downcast_ref::<HttpFailure>() {
            return Some(failure);
        }
        if let Some(WorkerQuitReason::Fatal { error, .. }) =
            error.downcast_ref::<WorkerQuitReason<HttpFailure>>()
        {
            return Some(error);
        }
        next = error.source();
    }
    None
}

/// True when no one listens there, so that nothing was sent.
pub(crate) fn is_unreachable(failure: &HttpFailure) -> bool {
    matches!(failure, StreamableHttpError::Client(error) if error.is_connect())
}

/// True when the connection ended before the response, so that it is unknown what became of the message.
pub(crate) fn is_interrupted(failure: &HttpFailure) -> bool {
    matches!(failure, StreamableHttpError::Client(error) if !error.is_connect() && error.status().is_none())
}

/// Of a server that lets no one in without credentials, or not with these.
pub(crate) const UNAUTHORIZED: &str = "it wants other credentials; give them with --auth-env VARIABLE or --header 'NAME: VALUE', \
                                       or as 'headers' in its file";

/// What the server did, as in "it answers with HTTP 404".
pub(crate) fn describe(failure: &HttpFailure) -> String {
    match failure {
        StreamableHttpError::Client(error) => describe_client_error(error),
        StreamableHttpError::HttpStatus(status) => format!("it answers with HTTP {}", status.status),
        // Ours; what the SDK says in its place are its own types.
        StreamableHttpError::UnexpectedServerResponse(summary) if summary.starts_with("HTTP ") => {
            format!("it answers with {summary}")
        }
        StreamableHttpError::UnexpectedContentType(Some(kind)) => {
            let kind: String = kind.chars().take_while(|c| !matches!(c, ';' | ' ')).take(60).collect();
            format!("it answers with {kind}, which is no message of the protocol")
        }
        StreamableHttpError::UnexpectedContentType(None) => "it answers without a content type".to_owned(),
        StreamableHttpError::Io(error) => error.to_string(),
        StreamableHttpError::Deserialize(_) => "its answer cannot be read".to_owned(),
        StreamableHttpError::Sse(_) | StreamableHttpError::UnexpectedEndOfStream => {
            "its answer broke off".to_owned()
        }
        StreamableHttpError::SessionExpired | StreamableHttpError::SessionRecoveryTimeout => {
            "it has ended the session".to_owned()
        }
        StreamableHttpError::AuthRequired(_) | StreamableHttpError::InsufficientScope(_) => {
            UNAUTHORIZED.to_owned()
        }
        StreamableHttpError::ReinitializationFailed(error) => {
            format!("it refuses the handshake: {}", error.message)
        }
        _ => "its answer is not what the protocol asks for".to_owned(),
    }
}

fn describe_client_error(error: &reqwest::Error) -> String {
    if let Some(status) = error.status() {
        return format!("it answers with HTTP {}", status.as_u16());
    }
    // The errors on top name the address.
    let mut last: &(dyn Error + 'static) = error;
    while let Some(source) = last.source() {
        last = source;
    }
    if let Some(RefusedAddress(kind)) = last.downcast_ref() {
        return format!(
            "it cannot be reached: its name leads to a {kind} address, which is refused; if that server is meant, give its \
             address yourself with --base-url"
        );
    }
    let is_named = last.downcast_ref::<reqwest::Error>().is_some();
    let what = if error.is_connect() { "it cannot be reached" } else { "the connection to it broke off" };
    if is_named { what.to_owned() } else { format!("{what}: {last}") }
}

#[cfg(test)]
mod tests;
