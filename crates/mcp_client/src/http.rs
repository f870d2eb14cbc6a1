//! Streamable HTTP, with results kept as they came.
//!
//! The SDK's own client does the talking; the answers to requests about tools are read here first. Invariant: headers
//! with credentials go to the configured address alone, over HTTPS or to this machine, and no redirect is followed
//! (ruling S7).

use crate::environment::{self, Unset};
use crate::lines::LONGEST_MESSAGE;
use crate::raw::RawResults;
use crate::settings::Variables;
use bytes::Bytes;
use futures::stream::BoxStream;
use futures::{Stream, StreamExt, TryStreamExt};
use http::StatusCode;
use http::header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use reqwest::Response;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, HttpStatusError, SseError, StreamableHttpClient, StreamableHttpClientTransportConfig,
    StreamableHttpError, StreamableHttpPostResponse,
};
use secrecy::{ExposeSecret, SecretString};
use sse_stream_of_rmcp::{Sse, SseStream};
use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use url::{Host, Url};

const SESSION: &str = "mcp-session-id";
const EVENTS: &str = "text/event-stream";
const JSON: &str = "application/json";

type Failure = StreamableHttpError<reqwest::Error>;
type Headers = HashMap<HeaderName, HeaderValue>;
type Events = BoxStream<'static, Result<Sse, SseError>>;

/// Why an address and its headers cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AddressError {
    /// A variable is missing.
    #[error(transparent)]
    Unset(#[from] Unset),
    /// A header that HTTP does not know how to write.
    #[error("its header '{0}' cannot be sent")]
    Header(String),
    /// Credentials over plain HTTP.
    #[error("its headers go only over HTTPS or to this machine; use an https address")]
    PlainHttp,
    /// The machine has no way to talk HTTP.
    #[error("no HTTP client could be made: {0}")]
    Client(#[from] reqwest::Error),
}

/// An HTTP client that keeps results.
#[derive(Clone)]
pub(crate) struct KeepingClient {
    http: reqwest::Client,
    results: Arc<RawResults>,
}

impl KeepingClient {
    /// A client with its own pool of connections.
    pub(crate) fn new(results: Arc<RawResults>) -> Result<KeepingClient, AddressError> {
        let http = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(Duration::from_secs(10))
            .no_proxy()
            .build()?;
        Ok(KeepingClient { http, results })
    }

    fn keep(&self, events: Events) -> Events {
        let results = Arc::clone(&self.results);
        events
            .inspect_ok(move |event| {
                let message = event.data.as_deref().and_then(|data| serde_json::from_str(data).ok());
                if let Some(message) = message {
                    results.keep(&message);
                }
            })
            .boxed()
    }
}

/// The settings of a connection to this address.
pub(crate) fn settings(
    url: &Url,
    headers: &[(String, SecretString)],
    variables: &Variables,
) -> Result<StreamableHttpClientTransportConfig, AddressError> {
    if !headers.is_empty() && url.scheme() != "https" && !is_this_machine(url) {
        return Err(AddressError::PlainHttp);
    }
    let mut custom = Headers::new();
    for (name, value) in headers {
        let unusable = || AddressError::Header(name.clone());
        let value = environment::expand(value.expose_secret(), variables)?;
        let mut value = HeaderValue::from_str(value.expose_secret()).map_err(|_| unusable())?;
        value.set_sensitive(true);
        custom.insert(HeaderName::from_bytes(name.as_bytes()).map_err(|_| unusable())?, value);
    }
    let mut settings =
        StreamableHttpClientTransportConfig::with_uri(url.as_str()).max_concurrent_requests(256);
    settings.custom_headers = custom;
    settings.max_sse_event_size = LONGEST_MESSAGE;
    Ok(settings)
}

fn is_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}

impl StreamableHttpClient for KeepingClient {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        if !is_about_tools(&message) {
            return self
                .http
                .post_message_with_max_sse_event_size(
                    uri,
                    message,
                    session_id,
                    auth_header,
                    custom_headers,
                    LONGEST_MESSAGE,
                )
                .await;
        }
        let mut request = self.http.post(uri.as_ref()).header(ACCEPT, format!("{EVENTS}, {JSON}"));
        for (name, value) in custom_headers {
            request = request.header(name, value);
        }
        let has_session = session_id.is_some();
        if let Some(session) = session_id {
            request = request.header(SESSION, session.as_ref());
        }
        let response = request.json(&message).send().await?;
        self.answer(response, has_session).await
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<(), Failure> {
        self.http.delete_session(uri, session_id, auth_header, custom_headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<Events, Failure> {
        let events = self.http.get_stream_with_max_sse_event_size(
            uri,
            session_id,
            last_event_id,
            auth_header,
            custom_headers,
            LONGEST_MESSAGE,
        );
        Ok(self.keep(events.await?))
    }
}

impl KeepingClient {
    /// The answer to a request about tools.
    async fn answer(
        &self,
        response: Response,
        has_session: bool,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let (status, headers) = (response.status(), response.headers());
        let text =
            |name: &HeaderName| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let kind = text(&CONTENT_TYPE).unwrap_or_default();
        let session = text(&HeaderName::from_static(SESSION));
        if matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
            let challenge = text(&WWW_AUTHENTICATE).unwrap_or_default();
            return Err(StreamableHttpError::AuthRequired(AuthRequiredError::new(challenge)));
        }
        if status == StatusCode::NOT_FOUND && has_session {
            return Err(StreamableHttpError::SessionExpired);
        }
        if status.is_success() && kind.starts_with(EVENTS) {
            let events =
                SseStream::from_bytes_stream(bounded(response.bytes_stream(), LONGEST_MESSAGE)).boxed();
            return Ok(StreamableHttpPostResponse::Sse(self.keep(events), session));
        }
        let retry_after = text(&RETRY_AFTER);
        let failed = || HttpStatusError::new(status.as_u16(), retry_after);
        if !kind.starts_with(JSON) {
            return Err(if status.is_success() {
                StreamableHttpError::UnexpectedContentType(Some(kind))
            } else {
                failed().into()
            });
        }
        let body = whole(response.bytes_stream()).await?;
        match self.results.read(&body) {
            Ok(message) if status.is_success() || matches!(message, ServerJsonRpcMessage::Error(_)) => {
                Ok(StreamableHttpPostResponse::Json(message, session))
            }
            Ok(_) => Err(failed().into()),
            Err(_) if !status.is_success() => Err(failed().into()),
            Err(error) => Err(error.into()),
        }
    }
}

fn is_about_tools(message: &ClientJsonRpcMessage) -> bool {
    matches!(message, JsonRpcMessage::Request(request)
        if matches!(request.request, ClientRequest::CallToolRequest(_) | ClientRequest::ListToolsRequest(_)))
}

async fn whole(body: impl Stream<Item = reqwest::Result<Bytes>>) -> Result<Vec<u8>, Failure> {
    let mut body = std::pin::pin!(body);
    let mut bytes = Vec::new();
    while let Some(chunk) = body.next().await {
        bytes.extend_from_slice(&chunk?);
        if bytes.len() > LONGEST_MESSAGE {
            return Err(too_long().into());
        }
    }
    Ok(bytes)
}

/// The same bytes, ended with an error once a single event is too long. Events end with an empty line.
fn bounded<E: std::error::Error + Send + Sync + 'static>(
    body: impl Stream<Item = Result<Bytes, E>> + Send,
    longest: usize,
) -> impl Stream<Item = io::Result<Bytes>> + Send {
    let (mut length, mut ends) = (0_usize, 0_u8);
    body.map(move |chunk| {
        let chunk = chunk.map_err(io::Error::other)?;
        for byte in &chunk {
            length += 1;
            ends = match byte {
                b'\n' => ends + 1,
                b'\r' => ends,
                _ => 0,
            };
            if ends == 2 {
                (length, ends) = (0, 0);
            }
        }
        if length > longest { Err(too_long()) } else { Ok(chunk) }
    })
}

fn too_long() -> io::Error {
    io::Error::other("a message is too long")
}

#[cfg(test)]
mod tests {
    use super::{AddressError, bounded, settings};
    use crate::settings::Variables;
    use bytes::Bytes;
    use futures::{StreamExt, stream};
    use secrecy::SecretString;

    /// Ruling S7: headers of the operator's go over HTTPS or to this machine.
    #[test]
    fn credentials_need_https() {
        let variables = Variables::new(|name| (name == "TOKEN").then(|| "t".into()));
        let headers = [("Authorization".to_owned(), SecretString::from("Bearer ${TOKEN}"))];
        for (url, fine) in [
            ("https://example.com/mcp", true),
            ("http://127.0.0.1:1/mcp", true),
            ("http://[::1]/mcp", true),
            ("http://localhost/mcp", true),
            ("http://example.com/mcp", false),
            ("http://127.0.0.1.example.com/mcp", false),
        ] {
            let found = settings(&url.parse().unwrap(), &headers, &variables);
            assert_eq!(found.is_ok(), fine, "{url}");
            assert!(settings(&url.parse().unwrap(), &[], &variables).is_ok(), "{url} without credentials");
        }
        let missing = [("X-Key".to_owned(), SecretString::from("${MISSING}"))];
        let error = settings(&"https://example.com/".parse().unwrap(), &missing, &variables).unwrap_err();
        assert!(matches!(error, AddressError::Unset(_)), "{error}");
    }

    /// PEERS 7: an event without end is given up; a long stream of short ones is not.
    #[tokio::test]
    async fn events_are_bounded() {
        let passes = async |chunks: &'static [&'static str]| {
            let body = stream::iter(chunks)
                .map(|chunk| Ok::<_, std::io::Error>(Bytes::from_static(chunk.as_bytes())));
            bounded(body, 12).all(|chunk| async move { chunk.is_ok() }).await
        };
        assert!(passes(&["data: ab\n\ndata: ab\n", "\ndata: ab\r\n\r\ndata: ab\n\n"]).await);
        assert!(!passes(&["data: ab", "cdefg"]).await);
        assert!(!passes(&["data: ab\n", "data: cd\n"]).await, "lines of one event count together");
    }
}
