//! One living connection: requests go out, results come back as they were written.
//!
//! Invariant: a request ends, whatever the server does: with its response, when the server is quiet for too long, when
//! the connection is lost, or when the caller gives up; then the server is notified.

use crate::http;
use crate::in_flight::{CallsInFlight, InFlightGuard};
use crate::raw_results::RawResults;
use rmcp::RoleClient;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CancelledNotification, CancelledNotificationParam, ClientRequest,
    ErrorData, ListToolsRequest, PaginatedRequestParams, RequestId,
};
use rmcp::service::{Peer, PeerRequestOptions, RequestHandle, ServiceError};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// How many times the wait for a sign of life a call may take in all, whatever signs it gives.
const LONGEST_CALL: u32 = 10;

/// A connection.
#[derive(Debug)]
pub(crate) struct ServerConnection {
    /// The way to the server.
    pub(crate) peer: Peer<RoleClient>,
    /// The calls in flight.
    pub(crate) in_flight: Arc<CallsInFlight>,
    /// Results as they came.
    pub(crate) results: Arc<RawResults>,
    /// Cancelled when the connection is no more.
    pub(crate) lost: CancellationToken,
    /// A call has been answered.
    pub(crate) has_served: AtomicBool,
}

/// Why a request has no result.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RequestError {
    /// The server says no.
    #[error("{}", .0.message)]
    Server(ErrorData),
    /// The connection ended before the response came.
    #[error("the connection ended before the answer came")]
    Lost,
    /// No one listens there.
    #[error("it cannot be reached")]
    Unreachable,
    /// The server is quiet.
    #[error("no answer within {} ms", .0.as_millis())]
    TimedOut(Duration),
    /// It could not be sent, or what came back is no response.
    #[error("{0}")]
    Transport(String),
}

impl ServerConnection {
    /// Calls a tool; the wait starts again with every sign of life, up to ten times its length in all. It does not run
    /// while a person is asked.
    pub(crate) async fn call(
        &self,
        params: CallToolRequestParams,
        guard: &InFlightGuard<'_>,
        timeout: Duration,
    ) -> Result<Value, RequestError> {
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let handle = self.send(request).await?;
        guard.sent(handle.id.clone(), handle.progress_token.clone());
        let result = self.finish(handle, timeout, Some(guard)).await;
        if matches!(result, Ok(_) | Err(RequestError::Server(_))) {
            self.has_served.store(true, Ordering::Relaxed);
        }
        result
    }

    /// Asks for one page of the tools.
    pub(crate) async fn page(
        &self,
        cursor: Option<String>,
        timeout: Duration,
    ) -> Result<Value, RequestError> {
        let params = cursor.map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
        let request = ListToolsRequest { params, ..ListToolsRequest::default() };
        let handle = self.send(ClientRequest::ListToolsRequest(request)).await?;
        self.finish(handle, timeout, None).await
    }

    async fn send(&self, request: ClientRequest) -> Result<RequestHandle<RoleClient>, RequestError> {
        let sent = self.peer.send_cancellable_request(request, PeerRequestOptions::no_options());
        // Nothing has been sent yet.
        tokio::select! {
            biased;
            () = self.lost.cancelled() => Err(RequestError::Unreachable),
            handle = sent => handle.map_err(|_| RequestError::Unreachable),
        }
    }

    // Between sending and announcing nothing awaits: all of this runs on one thread, so no response can come before.
    async fn finish(
        &self,
        mut handle: RequestHandle<RoleClient>,
        timeout: Duration,
        guard: Option<&InFlightGuard<'_>>,
    ) -> Result<Value, RequestError> {
        let announced = self.results.announce(handle.id.clone());
        let mut cancel = CancelOnDrop { peer: Some(self.peer.clone()), id: handle.id.clone() };
        let longest = timeout.saturating_mul(LONGEST_CALL);
        let mut deadline = Instant::now() + timeout;
        let mut last = Instant::now() + longest;
        loop {
            let since = Instant::now();
            let is_asking = guard.is_some_and(InFlightGuard::is_asking);
            tokio::select! {
                biased;
                answer = &mut handle.rx => {
                    cancel.peer = None;
                    let answer = answer.map_err(|_| RequestError::Lost)?;
                    let typed = answer.map_err(|error| self.explain(error))?;
                    return match announced.take() {
                        Some(raw) => Ok(raw),
                        None => serde_json::to_value(typed).map_err(|error| RequestError::Transport(error.to_string())),
                    };
                }
                () = self.lost.cancelled() => {
                    cancel.peer = None;
                    return Err(RequestError::Lost);
                }
                () = activity(guard) => {
                    deadline = Instant::now() + timeout;
                    if is_asking {
                        last += since.elapsed();
                    }
                }
                () = tokio::time::sleep_until(deadline.min(last)), if !is_asking => {
                    return Err(RequestError::TimedOut(if last < deadline { longest } else { timeout }));
                }
            }
        }
    }

    fn explain(&self, error: ServiceError) -> RequestError {
        match error {
            ServiceError::McpError(error) => RequestError::Server(error),
            ServiceError::TransportClosed => RequestError::Lost,
            ServiceError::TransportSend(error) => match http::find_failure(&error) {
                Some(failure) if http::is_unreachable(failure) => {
                    self.lost.cancel();
                    RequestError::Unreachable
                }
                Some(failure) if http::is_interrupted(failure) => RequestError::Transport(
                    "the connection broke off during the call, which may or may not have been carried out"
                        .to_owned(),
                ),
                Some(failure) => RequestError::Transport(http::describe(failure)),
                None => RequestError::Transport(error.error.to_string()),
            },
            other => RequestError::Transport(other.to_string()),
        }
    }
}

async fn activity(guard: Option<&InFlightGuard<'_>>) {
    match guard {
        Some(guard) => guard.activity().await,
        None => std::future::pending().await,
    }
}

/// Tells the server that no caller waits for the response any more.
#[derive(Debug)]
struct CancelOnDrop {
    peer: Option<Peer<RoleClient>>,
    id: RequestId,
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        let (Some(peer), Ok(runtime)) = (self.peer.take(), tokio::runtime::Handle::try_current()) else {
            return;
        };
        let params = CancelledNotificationParam::new(Some(self.id.clone()), None);
        runtime.spawn(async move {
            if let Err(error) = peer.send_notification(CancelledNotification::new(params).into()).await {
                tracing::debug!(target: "aqueduct::mcp", %error, "a cancellation could not be sent");
            }
        });
    }
}
