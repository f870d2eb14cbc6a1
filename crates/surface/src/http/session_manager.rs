//! The SDK's sessions, with what it leaves open: who makes room when there are too many, and requests with ids that are alike.
//!
//! Stands between the SDK's service and its own manager of sessions, which does the rest. A session that had to make room is no
//! longer known, so its client gets 404, as the protocol has it, and begins anew.

mod ids;
mod table;

use super::disconnect::RETURN_TIME;
use super::session::client;
use futures::{Stream, StreamExt};
pub use ids::DirectRequest;
use ids::RequestIds;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ErrorData, GetExtensions, JsonRpcMessage, ProtocolVersion,
    RequestId, ServerJsonRpcMessage, ServerResult,
};
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError, SessionConfig,
};
use rmcp::transport::streamable_http_server::session::{ServerSseMessage, SessionId, SessionManager};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};
use table::SessionTable;
use tokio::runtime::Handle;

/// All sessions.
#[derive(Debug)]
pub struct HttpSessions {
    inner: Arc<LocalSessionManager>,
    table: SessionTable,
    /// How long the SDK may hear nothing of a session that is in use.
    unheard: Duration,
}

impl HttpSessions {
    /// Room for this many sessions, each of which lives for so long without a request.
    pub fn new(most: u64, idle: Duration) -> HttpSessions {
        let mut config = SessionConfig::default();
        config.keep_alive = Some(idle);
        // Who comes back for the rest of a stream comes before its call is given up.
        config.sse_retry = Some(RETURN_TIME / 4);
        let mut inner = LocalSessionManager::default();
        inner.session_config = config;
        HttpSessions { inner: Arc::new(inner), table: SessionTable::new(most), unheard: idle / 4 }
    }

    /// Ends all of them.
    pub async fn close_all(&self) {
        let open: Vec<_> = self.inner.sessions.read().await.keys().cloned().collect();
        for id in open {
            if let Err(error) = self.close_session(&id).await {
                tracing::debug!(target: "aqueduct::http", %error, "a session had ended already");
            }
        }
    }

    /// The sessions of callers by name that this is true of, with the name.
    pub fn of_callers(&self, is_meant: impl Fn(&str) -> bool) -> Vec<(SessionId, Arc<str>)> {
        self.table.of_callers(is_meant)
    }

    /// Begins a call that does not go through the SDK. None when it has to: in a session that is not open, and now and then in one
    /// that is, which the SDK would take for idle otherwise.
    pub fn begin_direct(&self, session: &str, request: &RequestId) -> Option<DirectRequest> {
        let ids = self.table.used_directly(session, Instant::now(), self.unheard)?;
        Some(ids.begin_direct(request))
    }

    /// True for a session that is open, and speaks the protocol that has batches.
    pub fn takes_batches(&self, session: &str) -> bool {
        self.table.takes_batches(session)
    }

    /// Ends a session without waiting for it: the next request must not wait for the present one.
    fn end(&self, id: SessionId) {
        let inner = Arc::clone(&self.inner);
        tokio::spawn(async move {
            if let Err(error) = inner.close_session(&id).await {
                tracing::debug!(target: "aqueduct::http", %error, "a session had ended already");
            }
        });
    }

    fn ids(&self, id: &SessionId) -> Result<Arc<RequestIds>, LocalSessionManagerError> {
        let not_found = || LocalSessionManagerError::SessionNotFound(id.clone());
        self.table.used(id, Instant::now()).ok_or_else(not_found)
    }
}

type Inner = LocalSessionManager;

impl SessionManager for HttpSessions {
    type Error = LocalSessionManagerError;
    type Transport = <Inner as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        self.inner.create_session().await
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Self::Error> {
        let (client, request) = match &message {
            JsonRpcMessage::Request(request) => {
                (client(request.request.extensions()), Some(request.id.clone()))
            }
            _ => (super::rate_limiter::ClientKey::Unknown, None),
        };
        match self.table.admit(id, client, Instant::now()) {
            Ok(None) => {}
            Ok(Some((evicted, client))) => {
                let caller = client.caller();
                tracing::info!(target: "aqueduct::session", caller = caller.name(), "the session that was idle for longest makes room");
                self.end(evicted);
            }
            Err(full) => {
                self.end(id.clone());
                let error = ErrorData::internal_error(full.to_string(), None);
                return Ok(ServerJsonRpcMessage::error(error, request));
            }
        }
        let answer = self.inner.initialize_session(id, message).await?;
        if let JsonRpcMessage::Response(response) = &answer
            && let ServerResult::InitializeResult(result) = &response.result
            && result.protocol_version == ProtocolVersion::V_2025_03_26
        {
            self.table.allow_batches(id);
        }
        Ok(answer)
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Self::Error> {
        Ok(self.table.used(id, Instant::now()).is_some() && self.inner.has_session(id).await?)
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Self::Error> {
        self.table.close(id);
        self.inner.close_session(id).await
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        mut message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let ids = self.ids(id)?;
        let mut began = None;
        if let JsonRpcMessage::Request(request) = &mut message {
            let name = ids.begin(&request.id);
            began = Some(std::mem::replace(&mut request.id, name));
        }
        match self.inner.create_stream(id, message).await {
            Ok(stream) => Ok(ResponseStream { stream: Some(stream), ids, is_answered: false }),
            Err(error) => {
                began.iter().for_each(|own| drop(ids.give_up(own)));
                Err(error)
            }
        }
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<(), Self::Error> {
        let ids = self.ids(id)?;
        for message in inward(&ids, message) {
            self.inner.accept_message(id, message).await?;
        }
        Ok(())
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let ids = self.ids(id)?;
        Ok(self.inner.create_standalone_stream(id).await?.map(move |event| outward(&ids, event)))
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let ids = self.ids(id)?;
        Ok(self.inner.resume(id, last_event_id).await?.map(move |event| outward(&ids, event)))
    }
}

/// Who gives up a request gives up all that go by its id.
fn inward(ids: &RequestIds, message: ClientJsonRpcMessage) -> Vec<ClientJsonRpcMessage> {
    let abandoned = match &message {
        JsonRpcMessage::Notification(it) => match &it.notification {
            ClientNotification::CancelledNotification(cancelled) => cancelled.params.request_id.clone(),
            _ => None,
        },
        _ => None,
    };
    let Some(abandoned) = abandoned else { return vec![message] };
    let named = |name| {
        let mut message = message.clone();
        if let JsonRpcMessage::Notification(it) = &mut message
            && let ClientNotification::CancelledNotification(cancelled) = &mut it.notification
        {
            cancelled.params.request_id = Some(name);
        }
        message
    };
    ids.give_up(&abandoned).into_iter().map(named).collect()
}

fn outward(ids: &RequestIds, mut event: ServerSseMessage) -> ServerSseMessage {
    if let Some(message) = &mut event.message {
        ids.outward(message);
    }
    event
}

/// What a request is answered, until the response itself. A client that hangs up does not end its call: the response is waited for
/// here then, so that it is known until when the call is in flight.
struct ResponseStream<S: Stream<Item = ServerSseMessage> + Send + Unpin + 'static> {
    stream: Option<S>,
    ids: Arc<RequestIds>,
    is_answered: bool,
}

impl<S: Stream<Item = ServerSseMessage> + Send + Unpin + 'static> Stream for ResponseStream<S> {
    type Item = ServerSseMessage;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<ServerSseMessage>> {
        let Some(stream) = &mut self.stream else { return Poll::Ready(None) };
        let event = ready!(stream.poll_next_unpin(context)).map(|event| outward(&self.ids, event));
        let is_answer = |message: &ServerJsonRpcMessage| {
            matches!(message, JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_))
        };
        let message = event.as_ref().and_then(|event| event.message.as_deref());
        self.is_answered |= event.is_none() || message.is_some_and(is_answer);
        Poll::Ready(event)
    }
}

impl<S: Stream<Item = ServerSseMessage> + Send + Unpin + 'static> Drop for ResponseStream<S> {
    fn drop(&mut self) {
        let Some(mut stream) = self.stream.take().filter(|_| !self.is_answered) else { return };
        let ids = Arc::clone(&self.ids);
        // Without a runtime the server is gone, and with it the session.
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async move {
                while let Some(event) = stream.next().await {
                    outward(&ids, event);
                }
            });
        }
    }
}
