//! Calls that need nothing of the SDK: they only read, and ask their client nothing on the way.
//!
//! A call in a session in; out, its response, as one piece of JSON when it is there at once, else as a stream (`slow_call`). The SDK
//! takes every call of a session to the session's own task and back, which is most of what a short call costs over HTTP. What is
//! answered here is answered to the letter as the SDK does. Everything else, a call with metadata included, goes through the SDK.

use super::session::HandlerContext;
use super::session_manager::{DirectRequest, HttpSessions};
use super::slow_call::SlowCalls;
use crate::mcp::AqlServer;
use crate::mcp::plain_call::PlainCall;
use crate::mcp::server::{PlainRead, cancelled};
use crate::mcp::session::CallSender;
use aqueduct_operations::call::{Caller, Scopes, SessionId};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures::future::BoxFuture;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, header};
use rmcp::model::{ProtocolVersion, RequestId};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How long a response is waited for before its stream is begun.
const MAX_DELAY: Duration = Duration::from_millis(20);

const JSON: &str = "application/json";
pub(super) const EVENT_STREAM: &str = "text/event-stream";

/// Answers such calls.
pub struct DirectCalls {
    server: AqlServer,
    sessions: Arc<HttpSessions>,
    context: Arc<HandlerContext>,
    slow: Arc<SlowCalls>,
    /// Cancelled when the server ends what still runs.
    streams_end: CancellationToken,
}

/// A call that runs.
pub struct DirectCall {
    message: BoxFuture<'static, Bytes>,
    session: String,
    slow: Arc<SlowCalls>,
}

impl DirectCalls {
    /// For the sessions of this manager.
    pub fn new(
        server: AqlServer,
        sessions: Arc<HttpSessions>,
        context: Arc<HandlerContext>,
        streams_end: CancellationToken,
    ) -> DirectCalls {
        DirectCalls { server, sessions, context, slow: Arc::default(), streams_end }
    }

    /// The rest of the stream of a call of this session, for a client that comes back with the last event that it saw.
    pub fn resume(&self, id: &str, headers: &HeaderMap) -> Option<Response> {
        self.slow.resume(id, headers.get("last-event-id")?.to_str().ok()?)
    }

    /// Begins a call of this session, which the SDK knows by `id`; gives it back when it has to go through the SDK.
    pub fn begin(
        &self,
        parts: &Parts,
        id: &str,
        session: &SessionId,
        call: PlainCall,
    ) -> Result<DirectCall, PlainCall> {
        if !is_plain(&parts.headers) {
            return Err(call);
        }
        let (Some(caller), Some(scopes)) =
            (parts.extensions.get::<Caller>(), parts.extensions.get::<Scopes>())
        else {
            return Err(call);
        };
        let sender = CallSender { session: session.clone(), caller: caller.clone(), scopes: scopes.clone() };
        let request = call.id.clone();
        let read = self.server.plain_read(call, sender)?;
        // A session is open from the first message after its handshake on.
        let Some(over) = self.context.session_ends.over(session) else { return Err(read.into_call()) };
        let Some(in_flight) = self.sessions.begin_direct(id, &request) else { return Err(read.into_call()) };
        let ends = CallEnds { in_flight, over, streams_end: self.streams_end.clone() };
        let message = Box::pin(ends.run(read, request));
        Ok(DirectCall { message, session: id.to_owned(), slow: Arc::clone(&self.slow) })
    }
}

/// What ends a call before its answer.
struct CallEnds {
    in_flight: DirectRequest,
    over: CancellationToken,
    streams_end: CancellationToken,
}

impl CallEnds {
    async fn run(self, read: PlainRead, request: RequestId) -> Bytes {
        let message = tokio::select! {
            biased;
            message = read.run() => message,
            () = self.in_flight.given_up() => cancelled(request),
            () = self.over.cancelled() => cancelled(request),
            () = self.streams_end.cancelled() => cancelled(request),
        };
        Bytes::from(message)
    }
}

impl DirectCall {
    /// The response. Dropped before it is there, it ends the call: no caller waits for it any more.
    pub async fn respond(mut self) -> Response {
        match tokio::time::timeout(MAX_DELAY, &mut self.message).await {
            Ok(message) => {
                ([(header::CONTENT_TYPE, HeaderValue::from_static(JSON))], message).into_response()
            }
            Err(_) => self.slow.begin(self.session, self.message),
        }
    }
}

/// True when these headers ask for nothing that only the SDK knows: it checks what is wrong with others, and says so.
fn is_plain(headers: &HeaderMap) -> bool {
    let text = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let takes_both =
        text(header::ACCEPT).is_some_and(|accept| accept.contains(JSON) && accept.contains(EVENT_STREAM));
    let is_json = text(header::CONTENT_TYPE).is_some_and(|kind| kind.starts_with(JSON));
    let has_sessions = |version: &HeaderValue| {
        let known = ProtocolVersion::KNOWN_VERSIONS.iter();
        known.filter(|known| **known < ProtocolVersion::V_2026_07_28).any(|known| version == known.as_str())
    };
    takes_both && is_json && headers.get("mcp-protocol-version").is_none_or(has_sessions)
}

#[cfg(test)]
mod tests;
