//! Streamable HTTP, with results recorded as they came.
//!
//! The SDK keeps the conversation; messages are posted and answers read here. Invariants: headers with credentials go to
//! the configured address alone, over HTTPS or to this machine, no redirect is followed, and every address that is
//! connected to was checked (ruling S7); no body is read beyond the longest message, and of one that is no message a line
//! at most is repeated.

mod body;
mod failure;

pub(crate) use failure::{UNAUTHORIZED, describe, find_failure, is_interrupted, is_unreachable};

use crate::environment;
use crate::lines::LONGEST_MESSAGE;
use crate::raw_results::RawResults;
use aqueduct_egress::client::{ClientError, ServerClient, ServerRequestError};
use aqueduct_egress::environment::{Environment, UnsetVariable, expand_with, references};
use aqueduct_egress::redact::Redactor;
use aqueduct_egress::sse;
use aqueduct_operations::address::{AddressKind, AddressScope};
use aqueduct_operations::credential_scope::is_confidential;
use aqueduct_operations::gatekeeper::ConnectPermit;
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_operations::size::LARGE;
use body::{read_all, read_start};
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use http::header::{
    ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE,
};
use http::{HeaderMap, StatusCode};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::Response;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorData, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
};
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, HttpStatusError, SseError, StreamableHttpClient, StreamableHttpClientTransportConfig,
    StreamableHttpError, StreamableHttpPostResponse,
};
use secrecy::ExposeSecret;
use sse_stream_of_rmcp::Sse;
use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// The longest wait for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

const SESSION: &str = "mcp-session-id";
const EVENTS: &str = "text/event-stream";
const JSON: &str = "application/json";
const ACCEPTED: &str = "text/event-stream, application/json";

/// Headers that the protocol sets itself.
const RESERVED_HEADERS: [&str; 3] = ["accept", SESSION, "last-event-id"];

/// Why a message was not taken, or has no response.
pub(crate) type HttpFailure = StreamableHttpError<reqwest::Error>;
type PostOutcome = Result<StreamableHttpPostResponse, HttpFailure>;
type HeaderPairs = HashMap<HeaderName, HeaderValue>;
type SseEvents = BoxStream<'static, Result<Sse, SseError>>;

/// Why an address and its headers cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AddressError {
    /// A variable is missing.
    #[error(transparent)]
    Unset(#[from] UnsetVariable),
    /// A header that HTTP does not know how to write.
    #[error("its header '{0}' cannot be sent")]
    Header(String),
    /// Credentials over plain HTTP.
    #[error("its headers go only over HTTPS or to this machine; use an https address")]
    PlainHttp,
    /// An address that no one may call.
    #[error("it has a {0} address, which is refused")]
    Refused(AddressKind),
    /// The machine has no way to talk HTTP.
    #[error("no HTTP client could be made: {0}")]
    Client(#[from] reqwest::Error),
}

/// An HTTP client that records results as they came.
#[derive(Clone)]
pub(crate) struct RecordingClient {
    client: ServerClient,
    results: Arc<RawResults>,
    redactor: Arc<Redactor>,
}

impl RecordingClient {
    /// A client with its own pool of connections, to this address alone.
    pub(crate) fn new(
        permit: &Arc<ConnectPermit>,
        url: &Url,
        scope: AddressScope,
        results: Arc<RawResults>,
        redactor: Arc<Redactor>,
    ) -> Result<RecordingClient, AddressError> {
        let client = ServerClient::new(permit, url, scope, CONNECT_TIMEOUT).map_err(|error| match error {
            ClientError::Refused(kind) => AddressError::Refused(kind),
            ClientError::Start(error) => AddressError::Client(error),
        })?;
        Ok(RecordingClient { client, results, redactor })
    }

    /// The same events, with results recorded; a response that cannot be read is replaced by an error.
    fn record(&self, events: SseEvents) -> SseEvents {
        let results = Arc::clone(&self.results);
        let read = |results: &RawResults, mut event: Sse| {
            let replacement = event.data.as_deref().and_then(|data| results.record_text(data));
            event.data = replacement.or(event.data);
            event
        };
        let record = move |event: Sse| {
            let results = Arc::clone(&results);
            async move {
                if event.data.as_ref().is_none_or(|data| data.len() <= LARGE) {
                    return Ok(read(&results, event));
                }
                // A long one is read on another thread, so that other servers do not wait.
                let recorded = tokio::task::spawn_blocking(move || read(&results, event)).await;
                recorded.map_err(|error| SseError::Body(error.into()))
            }
        };
        events.and_then(record).boxed()
    }
}

/// The settings of a connection to this address.
pub(crate) fn settings(
    url: &Url,
    headers: &[NamedSecret],
    environment: &dyn Environment,
) -> Result<StreamableHttpClientTransportConfig, AddressError> {
    let has_secrets = !headers.is_empty()
        || url.password().is_some()
        || references(url.query().unwrap_or_default()).next().is_some();
    if has_secrets && !is_confidential(url) {
        return Err(AddressError::PlainHttp);
    }
    let mut custom = HeaderPairs::new();
    for NamedSecret { name, value } in headers {
        let unusable = || AddressError::Header(name.clone());
        let value = environment::header(value.expose_secret(), environment)?;
        let mut value = HeaderValue::from_str(value.expose_secret()).map_err(|_| unusable())?;
        value.set_sensitive(true);
        let known = HeaderName::from_bytes(name.as_bytes()).map_err(|_| unusable())?;
        if RESERVED_HEADERS.contains(&known.as_str()) {
            return Err(unusable());
        }
        custom.insert(known, value);
    }
    let mut settings = StreamableHttpClientTransportConfig::with_uri(address(url, environment)?)
        .max_concurrent_requests(256);
    settings.custom_headers = custom;
    settings.max_sse_event_size = LONGEST_MESSAGE;
    Ok(settings)
}

/// The address with the variables of its query filled in.
fn address(url: &Url, environment: &dyn Environment) -> Result<String, UnsetVariable> {
    let encoded = |name: &str| {
        let value = environment.get(name)?;
        Some(utf8_percent_encode(value.expose_secret(), NON_ALPHANUMERIC).to_string().into())
    };
    let mut filled = url.clone();
    if let Some(query) = url.query() {
        filled.set_query(Some(expand_with(query, encoded)?.expose_secret()));
    }
    Ok(filled.into())
}

impl StreamableHttpClient for RecordingClient {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        auth_header: Option<String>,
        custom_headers: HeaderPairs,
    ) -> PostOutcome {
        let mut headers: HeaderMap = custom_headers.into_iter().collect();
        headers.insert(ACCEPT, HeaderValue::from_static(ACCEPTED));
        headers.entry(CONTENT_TYPE).or_insert(HeaderValue::from_static(JSON));
        if let Some(session) = &session_id {
            headers.insert(SESSION, header_value(session)?);
        }
        if let Some(token) = auth_header {
            let mut value = header_value(&format!("Bearer {token}"))?;
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        let posted = self.client.post(&uri, headers, serde_json::to_vec(&message)?).await;
        let response = posted.map_err(|error| match error {
            ServerRequestError::Request(error) => StreamableHttpError::Client(error),
            ServerRequestError::Elsewhere => StreamableHttpError::Io(io::Error::other(error)),
        })?;
        self.read_response(response, PostedMessage { message: &message, has_session: session_id.is_some() })
            .await
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        auth_header: Option<String>,
        custom_headers: HeaderPairs,
    ) -> Result<(), HttpFailure> {
        self.client.for_sdk().delete_session(uri, session_id, auth_header, custom_headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        auth_header: Option<String>,
        custom_headers: HeaderPairs,
    ) -> Result<SseEvents, HttpFailure> {
        let events = self.client.for_sdk().get_stream_with_max_sse_event_size(
            uri,
            session_id,
            last_event_id,
            auth_header,
            custom_headers,
            LONGEST_MESSAGE,
        );
        Ok(self.record(events.await?))
    }
}

/// A value of a header that is of one session: what cannot be written was not given by a server that keeps to the protocol.
fn header_value(text: &str) -> Result<HeaderValue, HttpFailure> {
    HeaderValue::from_str(text).map_err(|error| StreamableHttpError::Io(io::Error::other(error)))
}

/// A message that was posted.
#[derive(Clone, Copy)]
struct PostedMessage<'a> {
    message: &'a ClientJsonRpcMessage,
    has_session: bool,
}

impl RecordingClient {
    /// What came back for a message.
    async fn read_response(&self, response: Response, posted: PostedMessage<'_>) -> PostOutcome {
        let status = response.status();
        let kind = header(&response, &CONTENT_TYPE);
        let session = header(&response, &HeaderName::from_static(SESSION));
        if matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
            let challenge = header(&response, &WWW_AUTHENTICATE).unwrap_or_default();
            return Err(StreamableHttpError::AuthRequired(AuthRequiredError::new(challenge)));
        }
        if matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        if status == StatusCode::NOT_FOUND && posted.has_session {
            return Err(StreamableHttpError::SessionExpired);
        }
        if !status.is_success() {
            return self.read_error_response(response, posted).await;
        }
        let wants_answer = matches!(posted.message, JsonRpcMessage::Request(_));
        if !wants_answer && response.content_length() == Some(0) {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        match kind {
            Some(kind) if kind.starts_with(EVENTS) => {
                let events = sse::events(sse::bounded(response.bytes_stream(), LONGEST_MESSAGE));
                let events = events.map_ok(sdk_event).map_err(|error| SseError::Body(error.into()));
                Ok(StreamableHttpPostResponse::Sse(self.record(events.boxed()), session))
            }
            Some(kind) if kind.starts_with(JSON) => {
                let body = read_all(response.bytes_stream(), LONGEST_MESSAGE).await?;
                match self.results.read_off_thread(body).await {
                    Ok(message) => Ok(StreamableHttpPostResponse::Json(message, session)),
                    Err(_) if !wants_answer => Ok(StreamableHttpPostResponse::Accepted),
                    Err(error) => Err(error.into()),
                }
            }
            kind => Err(StreamableHttpError::UnexpectedContentType(kind)),
        }
    }

    /// A status that is no success: an error of the protocol where the body is one, else the status and a line of words.
    async fn read_error_response(&self, response: Response, posted: PostedMessage<'_>) -> PostOutcome {
        let status = response.status();
        let retry_after = header(&response, &RETRY_AFTER);
        let kind = header(&response, &CONTENT_TYPE).unwrap_or_default();
        let (is_json, is_html) = (kind.starts_with(JSON), kind.starts_with("text/html"));
        if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() && !is_json {
            return Err(HttpStatusError::new(status.as_u16(), retry_after).into());
        }
        let body = if is_json {
            read_all(response.bytes_stream(), LONGEST_MESSAGE).await?
        } else {
            read_start(response.bytes_stream()).await
        };
        let error_message = self.results.read(&body).ok();
        let error_message = error_message.filter(|message| matches!(message, ServerJsonRpcMessage::Error(_)));
        let words = if is_html { String::new() } else { self.redactor.line(&String::from_utf8_lossy(&body)) };
        let colon = if words.is_empty() { "" } else { ": " };
        let summary = format!("HTTP {}{colon}{words}", status.as_u16());
        if let Some(id) =
            discovery(posted.message).filter(|_| status.is_client_error() && !posted.has_session)
        {
            // Older servers refuse this request in many ways; the SDK then tries the older handshake.
            let error = match error_message {
                Some(ServerJsonRpcMessage::Error(error)) => error.error,
                _ => ErrorData::invalid_request(summary, None),
            };
            let answer = ServerJsonRpcMessage::error(error, Some(id.clone()));
            return Ok(StreamableHttpPostResponse::Json(answer, None));
        }
        match error_message {
            Some(message) if is_json => Ok(StreamableHttpPostResponse::Json(message, None)),
            _ if status.is_server_error() => Err(HttpStatusError::new(status.as_u16(), retry_after).into()),
            _ => Err(StreamableHttpError::UnexpectedServerResponse(summary.into())),
        }
    }
}

/// The same event in the type of the SDK, which is that of an older parser.
fn sdk_event(event: sse::Sse) -> Sse {
    let sse::Sse { event, data, id, retry } = event;
    Sse { event, data, id, retry }
}

fn header(response: &Response, name: &HeaderName) -> Option<String> {
    response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
}

/// The identifier of a message that asks, in the way of the newest protocol, who the server is.
fn discovery(message: &ClientJsonRpcMessage) -> Option<&RequestId> {
    match message {
        JsonRpcMessage::Request(request) if matches!(request.request, ClientRequest::DiscoverRequest(_)) => {
            Some(&request.id)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
