//! Calls that go on while their client waits on a stream, which it can pick up again where its connection broke.
//!
//! A running call in; out, a stream of events with its response as the last. A client that hangs up has a moment to come back with the
//! last event that it saw; then its call ends.

use super::direct_call::EVENT_STREAM;
use super::disconnect::RETURN_TIME;
use super::guarded_body::{BodyGuard, guarded_body};
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures::FutureExt;
use futures::future::{BoxFuture, Shared};
use http::header;
use http_body_util::StreamBody;
use hyper::body::Frame;
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;

/// How often a stream shows that it is alive.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// How the names of events begin. Those of the SDK are numbers.
const EVENT: &str = "call-";

/// The calls whose clients wait on a stream.
#[derive(Debug, Default)]
pub struct SlowCalls {
    waiting: Mutex<WaitingCalls>,
}

#[derive(Debug, Default)]
struct WaitingCalls {
    calls: HashMap<CallKey, WaitingCall>,
    begun: u64,
}

/// A call: its session, and its number.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct CallKey {
    session: String,
    number: u64,
}

#[derive(Debug)]
struct WaitingCall {
    message: Shared<BoxFuture<'static, Bytes>>,
    /// How many streams have been given out for it: a stream that hung up looks whether there is another one since.
    streams: u64,
}

impl SlowCalls {
    /// The stream of a call of this session.
    pub fn begin(self: &Arc<Self>, session: String, message: BoxFuture<'static, Bytes>) -> Response {
        let mut waiting = self.lock();
        let key = CallKey { session, number: waiting.begun };
        waiting.begun += 1;
        let call = WaitingCall { message: message.shared(), streams: 0 };
        waiting.calls.insert(key.clone(), call);
        drop(waiting);
        self.stream(key).unwrap_or_else(|| http::StatusCode::INTERNAL_SERVER_ERROR.into_response())
    }

    /// The stream of the call of this session whose event this is.
    pub fn resume(self: &Arc<Self>, session: &str, event: &str) -> Option<Response> {
        let number = event.strip_prefix(EVENT)?.parse().ok()?;
        self.stream(CallKey { session: session.to_owned(), number })
    }

    fn stream(self: &Arc<Self>, key: CallKey) -> Option<Response> {
        let (message, stream) = {
            let mut waiting = self.lock();
            let call = waiting.calls.get_mut(&key)?;
            call.streams += 1;
            (call.message.clone(), call.streams)
        };
        let name = format!("id: {EVENT}{}\nretry: {}\ndata:\n\n", key.number, (RETURN_TIME / 4).as_millis());
        let first = futures::stream::iter([Bytes::from(name)]);
        let rest = futures::stream::unfold(Some(message), async |waiting| {
            let mut message = waiting?;
            Some(match tokio::time::timeout(KEEP_ALIVE, &mut message).await {
                Ok(message) => (event(&message), None),
                Err(_) => (Bytes::from_static(b":\n\n"), Some(message)),
            })
        });
        let events = futures::StreamExt::chain(first, rest);
        let frames = futures::StreamExt::map(events, |event| Ok::<_, Infallible>(Frame::data(event)));
        let guard = StreamGuard { calls: Arc::clone(self), key, stream, is_over: false };
        let body = guarded_body(Body::new(StreamBody::new(frames)), guard);
        let headers = [(header::CONTENT_TYPE, EVENT_STREAM), (header::CACHE_CONTROL, "no-cache")];
        Some((headers, body).into_response())
    }

    /// Waits for the client of this stream to come back, while its call goes on; ends the call when it does not.
    async fn wait_for_return(&self, key: &CallKey, stream: u64) {
        let running = self.lock().calls.get(key).map(|call| call.message.clone());
        let Some(running) = running else { return };
        let going_on = async {
            running.await;
            std::future::pending::<()>().await;
        };
        // Both end with this: the call, if no one else waits for it.
        _ = tokio::time::timeout(RETURN_TIME, going_on).await;
        let mut waiting = self.lock();
        if waiting.calls.get(key).is_some_and(|call| call.streams == stream) {
            waiting.calls.remove(key);
        }
    }

    fn lock(&self) -> MutexGuard<'_, WaitingCalls> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sees to what becomes of a call when its stream is gone.
struct StreamGuard {
    calls: Arc<SlowCalls>,
    key: CallKey,
    stream: u64,
    is_over: bool,
}

impl BodyGuard for StreamGuard {
    fn ended(&mut self) {
        self.is_over = true;
    }
}

impl Drop for StreamGuard {
    fn drop(&mut self) {
        if self.is_over {
            self.calls.lock().calls.remove(&self.key);
        } else if let Ok(runtime) = Handle::try_current() {
            let (calls, key, stream) = (Arc::clone(&self.calls), self.key.clone(), self.stream);
            runtime.spawn(async move { calls.wait_for_return(&key, stream).await });
        }
    }
}

/// JSON has no line breaks of its own.
fn event(message: &[u8]) -> Bytes {
    [b"data: ", message, b"\n\n"].concat().into()
}
