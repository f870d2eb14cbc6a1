//! What went wrong over HTTP, in words of ours.
//!
//! An error of the SDK in; whether nobody is there, and a clause about the server for a sentence, out. No type name of
//! the SDK and no address, which may hold credentials, is in it.

use super::HttpFailure;
use rmcp::transport::streamable_http_client::StreamableHttpError;
use rmcp::transport::worker::WorkerQuitReason;
use std::error::Error;

/// The failure that an error stands for, when it is one of HTTP.
pub(crate) fn found_in<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e HttpFailure> {
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

/// True when nobody listens there, so that nothing was sent.
pub(crate) fn is_unreachable(failure: &HttpFailure) -> bool {
    matches!(failure, StreamableHttpError::Client(error) if error.is_connect())
}

/// True when the connection ended before the answer, so that nobody knows what became of the message.
pub(crate) fn is_broken_off(failure: &HttpFailure) -> bool {
    matches!(failure, StreamableHttpError::Client(error) if !error.is_connect() && error.status().is_none())
}

/// Of a server that lets nobody in without credentials, or not with these.
pub(crate) const UNAUTHORIZED: &str = "it wants other credentials; give them with --auth-env VARIABLE or --header 'NAME: VALUE', \
                                       or as 'headers' in its file";

/// What the server did, as in "it answers with HTTP 404".
pub(crate) fn in_words(failure: &HttpFailure) -> String {
    match failure {
        StreamableHttpError::Client(error) => of_client(error),
        StreamableHttpError::HttpStatus(status) => format!("it answers with HTTP {}", status.status),
        // Ours; what the SDK says in its place are its own types.
        StreamableHttpError::UnexpectedServerResponse(told) if told.starts_with("HTTP ") => {
            format!("it answers with {told}")
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

fn of_client(error: &reqwest::Error) -> String {
    if let Some(status) = error.status() {
        return format!("it answers with HTTP {}", status.as_u16());
    }
    // The errors on top name the address.
    let mut last: &(dyn Error + 'static) = error;
    while let Some(source) = last.source() {
        last = source;
    }
    let is_named = last.downcast_ref::<reqwest::Error>().is_some();
    let what = if error.is_connect() { "it cannot be reached" } else { "the connection to it broke off" };
    if is_named { what.to_owned() } else { format!("{what}: {last}") }
}

#[cfg(test)]
mod tests {
    use super::{found_in, in_words, is_unreachable};
    use rmcp::transport::streamable_http_client::{HttpStatusError, StreamableHttpError};
    use rmcp::transport::worker::WorkerQuitReason;

    /// What an operator or a model reads has no types of the SDK in it.
    #[test]
    fn failures_are_told_in_words() {
        for (failure, words) in [
            (
                StreamableHttpError::UnexpectedContentType(Some("text/html; charset=utf-8".into())),
                "it answers with text/html, which is no message of the protocol",
            ),
            (HttpStatusError::new(503, None).into(), "it answers with HTTP 503"),
            (
                StreamableHttpError::UnexpectedServerResponse("HTTP 302: go".into()),
                "it answers with HTTP 302: go",
            ),
            (
                StreamableHttpError::UnexpectedServerResponse("got Foo { bar }".into()),
                "its answer is not what the protocol asks for",
            ),
        ] {
            assert_eq!(in_words(&failure), words);
            assert!(!is_unreachable(&failure));
            let wrapped = WorkerQuitReason::fatal(failure, "process initialize response");
            assert_eq!(in_words(found_in(&wrapped).unwrap()), words);
        }
        assert!(found_in(&std::io::Error::other("x")).is_none());
    }

    #[tokio::test]
    async fn nobody_there_is_known() {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        crate::tls::ready();
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let error = client.get(format!("http://127.0.0.1:{port}/?key=s3cret")).send().await.unwrap_err();
        let failure = StreamableHttpError::Client(error);
        assert!(is_unreachable(&failure));
        let words = in_words(&failure);
        assert!(words.starts_with("it cannot be reached: ") && !words.contains("s3cret"), "{words}");
    }
}
