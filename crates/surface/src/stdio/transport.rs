//! The SDK's transport over a pair of byte streams.
//!
//! Requests are counted in and answers out; calls that only read run here, without the SDK (`direct_reads`). When the input ends
//! or the server stops, the end is reported to the SDK only when every call in flight has been answered, the grace has passed,
//! or no one reads the responses any more. One task owns the output.

use super::batches::OpenBatches;
use super::direct_reads::DirectReads;
use super::output_queue::{OutputQueue, line_of};
use super::pending_requests::PendingRequests;
use super::read_threads::ReadThreads;
use super::standard::ClientDisconnected;
use crate::mcp::batch;
use crate::mcp::encoded::encoded;
use crate::mcp::inner_ids::own_id;
use crate::mcp::plain_call::{self, PlainCall};
use crate::mcp::server::PlainRead;
use crate::mcp::unreadable::{
    RequestRefusal, answer_to_oversized, answer_to_refused, answer_to_unreadable, answer_to_unrun,
    is_initialize, most_bytes, other_message,
};
use aqueduct_egress::lines::{BoundedLine, BoundedLines};
use aqueduct_operations::call::SessionId;
use aqueduct_operations::limits::Limits;
use futures::FutureExt;
use rmcp::RoleServer;
use rmcp::model::{
    ClientNotification, ClientRequest, JsonRpcMessage, ProtocolVersion, RequestId, ServerResult,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Longest wait for calls in flight once the input has ended.
const GRACE: Duration = Duration::from_secs(60);

/// Longest wait for a client to read the last responses.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);

pub struct StdioTransport<R> {
    lines: BoundedLines<R>,
    limits: Limits,
    session: SessionId,
    /// Without it every call goes through the SDK.
    direct: Option<DirectReads>,
    threads: ReadThreads,
    ends: SessionShutdown,
    input_ended: Option<Instant>,
    seen_request: bool,
    in_flight: Arc<PendingRequests>,
    /// The session speaks the protocol that has batches.
    takes_batches: Arc<AtomicBool>,
    /// The handshake was answered, with a version that has sessions.
    has_session: Arc<AtomicBool>,
    batches: Arc<OpenBatches>,
    /// Messages of a batch that the SDK has not got yet.
    ready: VecDeque<RxJsonRpcMessage<RoleServer>>,
    outgoing: Option<OutputQueue>,
    writer: Option<JoinHandle<()>>,
    /// The client no longer reads: nothing may be done for it, since it would never get the response.
    output_gone: CancellationToken,
    /// Either stream failed, where a client that leaves properly just ends its input.
    broken: CancellationToken,
}

/// How a session comes to its end.
pub struct SessionShutdown {
    /// Cancelled to stop the server.
    pub stop: CancellationToken,
    /// Cancelled here, when no more requests will come.
    pub closing: CancellationToken,
    /// Ends when no one can read the output any more.
    pub client_disconnected: ClientDisconnected,
}

impl<R: AsyncRead + Send + Unpin> StdioTransport<R> {
    pub fn new(
        input: R,
        output: impl AsyncWrite + Send + Unpin + 'static,
        limits: Limits,
        session: SessionId,
        direct: Option<DirectReads>,
        ends: SessionShutdown,
    ) -> StdioTransport<R> {
        let broken = CancellationToken::new();
        let output_gone = CancellationToken::new();
        let (outgoing, writer) = OutputQueue::to(output, output_gone.clone());
        StdioTransport {
            lines: BoundedLines::new(input, most_bytes(&limits)),
            limits,
            session,
            direct,
            threads: ReadThreads::of_this_runtime(),
            ends,
            input_ended: None,
            seen_request: false,
            in_flight: Arc::default(),
            takes_batches: Arc::default(),
            has_session: Arc::default(),
            batches: Arc::new(OpenBatches::counted_in(Arc::clone(&outgoing.unsent))),
            ready: VecDeque::new(),
            outgoing: Some(outgoing),
            writer: Some(writer),
            output_gone,
            broken,
        }
    }

    /// Cancelled once the session can only end abruptly.
    pub fn broken(&self) -> CancellationToken {
        self.broken.clone()
    }

    /// Cancelled once no one reads the responses any more.
    pub fn output_gone(&self) -> CancellationToken {
        self.output_gone.clone()
    }

    /// Turns a line into messages, or answers it here.
    fn take(&mut self, line: BoundedLine) {
        let answer = match line {
            BoundedLine::Whole(bytes) if bytes.iter().all(u8::is_ascii_whitespace) => None,
            BoundedLine::Whole(bytes)
                if self.takes_batches.load(Ordering::Relaxed) && batch::is_batch(&bytes) =>
            {
                self.take_batch(&bytes)
            }
            BoundedLine::Whole(bytes) => match self.take_line(&bytes) {
                TakenMessage::ForSdk(message) => {
                    self.ready.push_back(*message);
                    None
                }
                TakenMessage::Answered(answer) => answer.map(|answer| answer.to_string().into_bytes()),
            },
            BoundedLine::TooLong { head, length } => {
                let answer = answer_to_oversized(&head, length, &self.limits, &self.session);
                answer.map(|answer| answer.to_string().into_bytes())
            }
        };
        if let Some(answer) = answer {
            self.send_soon(answer);
        }
    }

    /// The message of a whole line. A call that only reads runs here.
    fn take_line(&mut self, bytes: &[u8]) -> TakenMessage {
        let Some(call) = plain_call::read(bytes) else { return self.take_read(other_message(bytes), bytes) };
        let begun = match &self.direct {
            Some(direct) => direct.begin(call),
            None => Err(call),
        };
        match begun {
            Ok(read) => TakenMessage::Answered(self.run(read)),
            Err(call) => self.take_read(Some(call.into_message()), bytes),
        }
    }

    /// Runs a call that only reads, and sends its response. Gives the answer where it is refused.
    fn run(&mut self, read: PlainRead) -> Option<Value> {
        let name = match self.in_flight.start(read.id()) {
            Ok(name) => name,
            Err(reason) => return Some(answer_to_refused(&read.id().clone().into_json_value(), reason)),
        };
        let output = self.outgoing.clone()?;
        let (in_flight, of_task) = (Arc::clone(&self.in_flight), name.clone());
        let running = async move {
            let response = read.run().await;
            if !respond(&output, &in_flight, &of_task, response, Some).await {
                tracing::debug!(target: "aqueduct::stdio", "the output is closed");
            }
        };
        let task = match self.threads.elsewhere(self.in_flight.running()) {
            Some(other) => other.spawn(running),
            None => tokio::spawn(running),
        };
        self.in_flight.runs_here(&name, task.abort_handle());
        None
    }

    /// The message of an item of a batch.
    fn take_item(&mut self, bytes: &[u8]) -> TakenMessage {
        let message = plain_call::read(bytes).map(PlainCall::into_message).or_else(|| other_message(bytes));
        self.take_read(message, bytes)
    }

    /// The message that was read from these bytes, or what is answered to them here.
    fn take_read(&mut self, message: Option<RxJsonRpcMessage<RoleServer>>, bytes: &[u8]) -> TakenMessage {
        let Some(message) = message else {
            return TakenMessage::Answered(answer_to_unreadable(bytes, &self.limits, &self.session));
        };
        match self.accept(message) {
            AcceptedMessage::Message(message) => TakenMessage::ForSdk(message),
            AcceptedMessage::Ignored => TakenMessage::Answered(None),
            AcceptedMessage::Refused(RefusedRequest { id, reason }) => {
                TakenMessage::Answered(Some(answer_to_refused(&id.into_json_value(), reason)))
            }
        }
    }

    /// Takes the messages of a batch. Gives the line of its responses where none is to come from the SDK.
    fn take_batch(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        let items = match batch::items(bytes) {
            Some(Ok(items)) => items,
            refused => {
                let unreadable = || answer_to_unreadable(bytes, &self.limits, &self.session);
                let answer = refused.and_then(Result::err).or_else(unreadable)?;
                return Some(answer.to_string().into_bytes());
            }
        };
        let number = self.batches.begin();
        for item in items.into_iter().map(|item| item.get().as_bytes()) {
            let taken = if is_initialize(item) {
                let why = "Invalid request: 'initialize' is no part of a batch. Send it by itself";
                TakenMessage::Answered(answer_to_unrun(item, why))
            } else {
                self.take_item(item)
            };
            match taken {
                TakenMessage::ForSdk(message) => {
                    if let JsonRpcMessage::Request(request) = &*message {
                        self.batches.expect(number, request.id.clone());
                    }
                    self.ready.push_back(*message);
                }
                TakenMessage::Answered(Some(answer)) => {
                    self.batches.keep(number, answer.to_string().into_bytes());
                }
                TakenMessage::Answered(None) => {}
            }
        }
        self.batches.end(number)
    }

    /// Sends a line on a task of its own, as the SDK sends: the present read may be given up at any time.
    fn send_soon(&self, message: Vec<u8>) {
        let Some(output) = self.outgoing.clone() else { return };
        tokio::spawn(async move {
            // A closed queue means that the client is gone, and the next read ends the session.
            if !output.send(line_of(message)).await {
                tracing::debug!(target: "aqueduct::stdio", "the output is closed");
            }
        });
    }

    /// The next line; nothing at the end of the input. None is read while the client leaves many responses unread.
    async fn next_line(&mut self) -> Option<BoundedLine> {
        if let Some(output) = &mut self.outgoing {
            output.unsent.wait_until_few().await;
        }
        self.lines.next().await.unwrap_or_else(|error| {
            tracing::warn!(target: "aqueduct::stdio", %error, "reading the input failed");
            self.broken.cancel();
            None
        })
    }

    /// Counts a message in. Inside, a request goes by its name.
    fn accept(&mut self, mut message: RxJsonRpcMessage<RoleServer>) -> AcceptedMessage {
        match &mut message {
            JsonRpcMessage::Request(request) => {
                self.seen_request = true;
                let started = match &request.request {
                    // What it asks for names it.
                    ClientRequest::SubscriptionsListenRequest(_) => {
                        self.in_flight.start_by_own_id(&request.id)
                    }
                    _ => self.in_flight.start(&request.id),
                };
                match started {
                    Ok(name) => request.id = name,
                    Err(reason) => {
                        return AcceptedMessage::Refused(RefusedRequest { id: request.id.clone(), reason });
                    }
                }
            }
            JsonRpcMessage::Notification(notification) => match &mut notification.notification {
                // A cancelled request is never answered.
                ClientNotification::CancelledNotification(cancelled) => {
                    if let Some(id) = &mut cancelled.params.request_id
                        && let Some(name) = self.cancel(id)
                    {
                        *id = name;
                    }
                }
                ClientNotification::InitializedNotification(_)
                    if self.has_session.load(Ordering::Relaxed) =>
                {
                    self.direct.iter_mut().for_each(DirectReads::open);
                }
                _ => {}
            },
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => {}
        }
        // The SDK gives up on a session that begins with anything but a request.
        if self.seen_request { AcceptedMessage::Message(Box::new(message)) } else { AcceptedMessage::Ignored }
    }

    /// Gives the name by which the request went, if it was still to be answered.
    fn cancel(&self, id: &RequestId) -> Option<RequestId> {
        let name = self.in_flight.cancel(id)?;
        if let Some(others) = self.batches.give_up(&name) {
            self.send_soon(others);
        }
        Some(name)
    }
}

/// Answers the request of this name with what `put` makes of its response, if anything; nothing goes out where it is cancelled by the
/// time there is a place for it. Before the response goes out, its id is free: a client that has read it may use it again at once.
/// False when nothing can be written any more.
async fn respond(
    output: &OutputQueue,
    in_flight: &PendingRequests,
    name: &RequestId,
    response: Vec<u8>,
    put: impl FnOnce(Vec<u8>) -> Option<Vec<u8>>,
) -> bool {
    let place = match output.free_place() {
        Some(place) => place,
        None => {
            in_flight.wait_for_place(name);
            let Some(place) = output.place(response.len()).await else { return false };
            place
        }
    };
    in_flight.answer(name, || {
        if let Some(message) = put(response) {
            place.send(line_of(message));
        }
    });
    true
}

/// What becomes of a line, or of an item of a batch.
enum TakenMessage {
    /// The SDK gets it.
    ForSdk(Box<RxJsonRpcMessage<RoleServer>>),
    /// It is answered here, if at all.
    Answered(Option<Value>),
}

/// What becomes of a message.
enum AcceptedMessage {
    /// The SDK gets it.
    Message(Box<RxJsonRpcMessage<RoleServer>>),
    /// Nothing.
    Ignored,
    /// It is answered here, and not run.
    Refused(RefusedRequest),
}

/// A request that the SDK does not get, and why.
struct RefusedRequest {
    id: RequestId,
    reason: RequestRefusal,
}

impl<R: AsyncRead + Send + Unpin> Transport<RoleServer> for StdioTransport<R> {
    type Error = io::Error;

    fn send(
        &mut self,
        mut item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        let outgoing = self.outgoing.clone();
        let (in_flight, batches) = (Arc::clone(&self.in_flight), Arc::clone(&self.batches));
        if let Some(version) = negotiated(&item) {
            self.takes_batches.store(*version == ProtocolVersion::V_2025_03_26, Ordering::Relaxed);
            self.has_session.store(*version < ProtocolVersion::V_2026_07_28, Ordering::Relaxed);
        }
        let answered = answered(&mut item);
        async move {
            let message = encoded(&item)?;
            let Some(output) = outgoing else { return Err(io::ErrorKind::NotConnected.into()) };
            let sent = match answered {
                Some(name) => {
                    respond(&output, &in_flight, &name, message, |message| batches.answer(&name, message))
                        .await
                }
                None => output.send(line_of(message)).await,
            };
            if sent { Ok(()) } else { Err(io::ErrorKind::NotConnected.into()) }
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(message) = self.ready.pop_front() {
                return Some(message);
            }
            if let Some(ended) = self.input_ended {
                // A response that no one reads is not waited for.
                tokio::select! {
                    () = self.in_flight.wait_until_empty(ended + GRACE) => {}
                    () = self.output_gone.cancelled() => self.broken.cancel(),
                    () = &mut self.ends.client_disconnected => {
                        self.broken.cancel();
                        self.output_gone.cancel();
                    }
                }
                return None;
            }
            let is_over = self.ends.stop.is_cancelled() || self.output_gone.is_cancelled();
            // Where a line is there already, no end has to be waited for beside it.
            let at_once = if is_over { None } else { self.next_line().now_or_never() };
            let line = match at_once {
                Some(line) => line,
                None => {
                    let (stop, output_gone) = (self.ends.stop.clone(), self.output_gone.clone());
                    tokio::select! {
                        biased;
                        () = output_gone.cancelled() => {
                            self.broken.cancel();
                            return None;
                        }
                        () = stop.cancelled() => None,
                        line = self.next_line() => line,
                    }
                }
            };
            match line {
                None => {
                    self.ends.closing.cancel();
                    self.input_ended = Some(Instant::now());
                }
                Some(line) => self.take(line),
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.outgoing = None;
        self.in_flight.cancel_all();
        let Some(mut writer) = self.writer.take() else { return Ok(()) };
        match tokio::time::timeout(WRITE_TIMEOUT, &mut writer).await {
            Ok(ended) => ended.map_err(io::Error::other),
            Err(_) => {
                tracing::warn!(target: "aqueduct::stdio", "the client does not read its answers");
                writer.abort();
                Ok(())
            }
        }
    }
}

/// The name of the request that this answers. The message has the client's own id from now on.
fn answered(item: &mut TxJsonRpcMessage<RoleServer>) -> Option<RequestId> {
    let id = match item {
        JsonRpcMessage::Response(response) => &mut response.id,
        JsonRpcMessage::Error(error) => error.id.as_mut()?,
        JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => return None,
    };
    Some(match own_id(id) {
        Some(own) => std::mem::replace(id, own),
        None => id.clone(),
    })
}

/// The version of the protocol that a response to the handshake names.
fn negotiated(item: &TxJsonRpcMessage<RoleServer>) -> Option<&ProtocolVersion> {
    match item {
        JsonRpcMessage::Response(response) => match &response.result {
            ServerResult::InitializeResult(result) => Some(&result.protocol_version),
            _ => None,
        },
        _ => None,
    }
}

// No one may get their responses any more.
impl<R> Drop for StdioTransport<R> {
    fn drop(&mut self) {
        self.in_flight.cancel_all();
    }
}

#[cfg(test)]
mod tests;
