//! `/mcp`: hands requests to the SDK once their bodies are clean and their session is theirs.
//!
//! Sessions end with the last token of their caller. Requests that were posted count as in flight until their response has
//! been written, so that a server that stops can wait for them.

mod batch;

use super::body::{self, ClientMessage, RejectedBody};
use super::body_budget::{BodyBudget, BufferShare};
use super::body_headers;
use super::direct_call::DirectCalls;
use super::disconnect::DisconnectWatch;
use super::guarded_body::{BodyGuard, guarded_body};
use super::immediate_response;
use super::known_tokens::KnownTokens;
use super::session::{HEADER, HandlerContext, HttpHandler, SessionEnds, SessionNames};
use super::session_manager::HttpSessions;
use super::settings::{HttpSettings, ReadyCheck};
use crate::mcp::batch::is_batch;
use crate::mcp::{AqlServer, progress};
use crate::metrics::Metrics;
use aqueduct_dispatch::Dispatcher;
use aqueduct_operations::call::{Caller, SessionId};
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use rmcp::transport::streamable_http_server::session::SessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::sync::{Arc, Once, Weak};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

/// How often sessions are held against the tokens of their callers, which end by themselves too.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// What `/mcp` works with.
pub struct Endpoint {
    service: StreamableHttpService<AqlServer, HttpSessions>,
    sessions: Arc<HttpSessions>,
    context: Arc<HandlerContext>,
    direct: DirectCalls,
    buffers: Arc<BodyBudget>,
    tokens: KnownTokens,
    follows_tokens: Once,
    hangups: DisconnectWatch,
    body_timeout: Duration,
    ready: Option<Arc<dyn ReadyCheck>>,
    in_flight: TaskTracker,
    closing: CancellationToken,
    streams_end: CancellationToken,
}

/// Who sends a message, and in which session.
struct MessageSender {
    caller: Caller,
    session: SessionId,
    /// What the SDK knows the session by, where it was opened.
    known: Option<String>,
}

/// A session that this caller has not opened.
struct ForeignSession;

/// Serves one request.
pub async fn serve(State(endpoint): State<Arc<Endpoint>>, request: Request) -> Response {
    endpoint.follows_tokens.call_once(|| {
        if endpoint.tokens.may_change() {
            tokio::spawn(end_sessions_without_token(Arc::downgrade(&endpoint), endpoint.tokens.clone()));
        }
    });
    let counted = (request.method() == Method::POST).then(|| endpoint.in_flight.token());
    let mut held = endpoint.buffers.begin();
    let response = endpoint.answer(request, &mut held).await;
    response.map(|body| guarded_body(body, InFlightRequest { _in_flight: counted, _held: held }))
}

/// Ends the sessions of callers who have no token that is good, for as long as the endpoint is there.
async fn end_sessions_without_token(endpoint: Weak<Endpoint>, mut tokens: KnownTokens) {
    loop {
        tokens.changed_within(LOOK_EVERY).await;
        let Some(endpoint) = endpoint.upgrade() else { return };
        for (id, caller) in endpoint.sessions.of_callers(|name| !tokens.is_good(name)) {
            let session = endpoint.context.names.of_session(&id);
            tracing::info!(target: "aqueduct::session", %session, caller = &*caller, "its caller has no token any more");
            endpoint.context.session_ends.request_end(&session);
            if let Err(error) = endpoint.sessions.close_session(&id).await {
                tracing::debug!(target: "aqueduct::http", %error, "a session had ended already");
            }
        }
    }
}

/// What counts as in flight until the body of its response is gone.
struct InFlightRequest {
    _in_flight: Option<TaskTrackerToken>,
    /// What its request holds: the values of a call are in memory for as long as it runs.
    _held: BufferShare,
}

impl BodyGuard for InFlightRequest {}

impl Endpoint {
    /// An endpoint for all clients of this dispatcher.
    pub fn new(dispatcher: &Arc<Dispatcher>, metrics: &Arc<Metrics>, settings: &HttpSettings) -> Endpoint {
        let context = Arc::new(HandlerContext {
            names: SessionNames::new(settings.machine.as_deref()),
            dispatcher: Arc::clone(dispatcher),
            metrics: Arc::clone(metrics),
            session_ends: SessionEnds::default(),
        });
        let sessions = Arc::new(HttpSessions::new(settings.max_sessions, settings.session_idle));
        let streams_end = CancellationToken::new();
        // Host and origin have been checked for all paths, and the size of the body before it comes here.
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .with_json_response(true)
            .with_max_request_body_bytes(usize::MAX)
            .with_cancellation_token(streams_end.clone());
        let closing = CancellationToken::new();
        let local = context.names.of_caller(&Caller::local());
        let server = AqlServer::new(Arc::clone(dispatcher), local, closing.clone());
        let direct = DirectCalls::new(
            server.clone(),
            Arc::clone(&sessions),
            Arc::clone(&context),
            streams_end.clone(),
        );
        let shared = Arc::clone(&context);
        let handler = move || Ok(server.for_connection(Arc::new(HttpHandler::new(Arc::clone(&shared)))));
        Endpoint {
            service: StreamableHttpService::new(handler, Arc::clone(&sessions), config),
            hangups: DisconnectWatch::new(Arc::clone(&sessions)),
            sessions,
            context,
            direct,
            tokens: KnownTokens::of(settings, dispatcher.clock()),
            follows_tokens: Once::new(),
            buffers: BodyBudget::new(settings.max_buffered_bytes),
            body_timeout: settings.request_timeout,
            ready: settings.ready.clone(),
            in_flight: TaskTracker::new(),
            closing,
            streams_end,
        }
    }

    /// The tokens that are known.
    pub fn tokens(&self) -> &KnownTokens {
        &self.tokens
    }

    /// True from the moment when no more requests are wanted.
    pub fn is_stopping(&self) -> bool {
        self.in_flight.is_closed()
    }

    /// Whether what calls need besides this listener is there; if not, why.
    pub async fn is_ready(&self) -> Result<(), String> {
        match &self.ready {
            Some(ready) => ready.check().await,
            None => Ok(()),
        }
    }

    /// Waits for the requests in flight, but not forever; then ends all streams and sessions.
    pub async fn finish(&self, grace: Duration) {
        self.in_flight.close();
        self.closing.cancel();
        if tokio::time::timeout(grace, self.in_flight.wait()).await.is_err() {
            tracing::warn!(target: "aqueduct::http", "calls were still running when the server stopped");
        }
        self.context.session_ends.end_all();
        self.streams_end.cancel();
        self.sessions.close_all().await;
    }

    async fn answer(&self, mut request: Request, held: &mut BufferShare) -> Response {
        // Only the guard makes a caller. What has not passed it is no one's, and nothing is done for it.
        let Some(caller) = request.extensions().get::<Caller>().cloned() else {
            return StatusCode::UNAUTHORIZED.into_response();
        };
        let mut known = None;
        let session = match self.unseal(request.headers_mut(), &caller) {
            Ok(Some(id)) => {
                let session = self.context.names.of_session(&id);
                known = Some(id);
                session
            }
            Ok(None) => self.context.names.of_caller(&caller),
            Err(ForeignSession) => {
                return (StatusCode::NOT_FOUND, "Not Found: Session not found").into_response();
            }
        };
        let (parts, body) = request.into_parts();
        if let Some(id) = &known
            && parts.headers.contains_key("last-event-id")
        {
            if parts.method == Method::GET
                && let Some(rest) = self.direct.resume(id, &parts.headers)
            {
                return rest;
            }
            self.hangups.returned(id);
        }
        let sender = MessageSender { caller, session, known };
        if parts.method != Method::POST {
            return Box::pin(self.answer_without_message(parts, &sender)).await;
        }
        let refuse = |rejected: RejectedBody| {
            self.context.metrics.refuse(rejected.reason);
            rejected.response
        };
        if let Some(rejected) = body_headers::refusal(&parts.headers) {
            return refuse(rejected);
        }
        let limits = self.context.dispatcher.limits();
        let bytes = match body::read(body, self.body_timeout, held, limits, &sender.session).await {
            Ok(bytes) => bytes,
            Err(rejected) => return refuse(*rejected),
        };
        if is_batch(&bytes) && sender.known.as_ref().is_some_and(|id| self.sessions.takes_batches(id)) {
            return Box::pin(self.answer_batch(&parts, &bytes, &sender)).await;
        }
        self.answer_message(parts, bytes, &sender).await
    }

    /// Serves a request that posts nothing: for a stream, or for the end of a session.
    async fn answer_without_message(&self, parts: Parts, sender: &MessageSender) -> Response {
        let ends_session = parts.method == Method::DELETE;
        if ends_session {
            self.context.session_ends.request_end(&sender.session);
        }
        let request = Request::from_parts(parts, Body::empty());
        let mut response = Box::pin(self.service.handle(request)).await.map(Body::new);
        // The SDK says that it was accepted, and some clients take that for a failure: it is done.
        if ends_session && response.status() == StatusCode::ACCEPTED {
            *response.status_mut() = StatusCode::NO_CONTENT;
        }
        self.seal(response.headers_mut(), &sender.caller);
        response
    }

    /// Serves one message.
    async fn answer_message(&self, parts: Parts, bytes: Bytes, sender: &MessageSender) -> Response {
        let MessageSender { caller, session, known } = sender;
        let ClientMessage { bytes, plain_call } =
            match body::message(bytes, self.context.dispatcher.limits(), session) {
                Ok(message) => message,
                Err(rejected) => {
                    self.context.metrics.refuse(rejected.reason);
                    return rejected.response;
                }
            };
        let begun = known.as_deref().zip(plain_call);
        if let Some(Ok(call)) = begun.map(|(id, call)| self.direct.begin(&parts, id, session, call)) {
            return call.respond().await;
        }
        let watch = known.as_deref().and_then(|id| self.hangups.watch(id, &bytes));
        let body = Body::from(progress::with_token_in_meta(bytes));
        // On the heap: it is most of what a request takes, and most requests do without the SDK.
        let handled = Box::pin(self.service.handle(Request::from_parts(parts, body)));
        let mut response = handled.await.map(Body::new);
        self.seal(response.headers_mut(), caller);
        immediate_response::joined(response).await.map(|body| guarded_body(body, watch))
    }

    /// Puts the SDK's identifier in place of the one that the caller was shown.
    fn unseal(&self, headers: &mut HeaderMap, caller: &Caller) -> Result<Option<String>, ForeignSession> {
        let Some(shown) = headers.get(HEADER) else { return Ok(None) };
        let shown = shown.to_str().map_err(|_| ForeignSession)?;
        let id = self.context.names.known(shown, caller).ok_or(ForeignSession)?;
        headers.insert(HEADER, HeaderValue::from_str(&id).map_err(|_| ForeignSession)?);
        Ok(Some(id))
    }

    fn seal(&self, headers: &mut HeaderMap, caller: &Caller) {
        let Some(id) = headers.get(HEADER).and_then(|id| id.to_str().ok()) else { return };
        if let Ok(shown) = HeaderValue::from_str(&self.context.names.shown(id, caller)) {
            headers.insert(HEADER, shown);
        }
    }
}
