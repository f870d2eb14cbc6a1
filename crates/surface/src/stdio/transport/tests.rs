//! Tests of `transport`: clients that ask for more than they read.

use super::{SessionShutdown, StdioTransport};
use crate::stdio::output_queue::{MOST_UNSENT, QUEUE};
use crate::stdio::pending_requests::{MOST_IN_FLIGHT, PendingRequests};
use aqueduct_operations::call::SessionId;
use aqueduct_operations::limits::Limits;
use rmcp::RoleServer;
use rmcp::model::{CallToolResult, ContentBlock, RequestId, ServerJsonRpcMessage, ServerResult};
use rmcp::transport::Transport;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream};
use tokio_util::sync::CancellationToken;

/// A transport with the client's ends of its streams.
fn transport() -> (StdioTransport<DuplexStream>, DuplexStream, DuplexStream) {
    let (requests, input) = tokio::io::duplex(64 * 1024);
    let (output, responses) = tokio::io::duplex(1024);
    let ends = SessionShutdown {
        stop: CancellationToken::new(),
        closing: CancellationToken::new(),
        client_disconnected: Box::pin(std::future::pending()),
    };
    let transport = StdioTransport::new(input, output, Limits::default(), SessionId::new("s"), None, ends);
    (transport, requests, responses)
}

fn ping(id: usize) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}\n")
}

fn response(id: u32, length: usize) -> ServerJsonRpcMessage {
    let result = CallToolResult::success(vec![ContentBlock::text("x".repeat(length))]);
    ServerJsonRpcMessage::response(ServerResult::CallToolResult(result), RequestId::Number(id.into()))
}

/// A client that does not read its responses is not read either, until it does: what waits for it is bounded.
#[tokio::test]
async fn unread_responses_stop_the_reading() {
    let (mut transport, mut requests, mut responses) = transport();
    let length = 1024 * 1024;
    // As many as are written in one go, as many as wait in the queue, and more.
    for id in 0..(2 * QUEUE + MOST_UNSENT / length + 2) {
        tokio::spawn(Transport::<RoleServer>::send(&mut transport, response(id as u32, length)));
    }
    let unsent = transport.outgoing.as_ref().map(|output| Arc::clone(&output.unsent)).unwrap();
    while unsent.bytes.load(Ordering::Relaxed) <= MOST_UNSENT {
        tokio::task::yield_now().await;
    }
    requests.write_all(ping(1).as_bytes()).await.unwrap();
    let early = tokio::time::timeout(Duration::from_millis(300), transport.receive()).await;
    assert!(early.is_err(), "it was read: {early:?}");
    tokio::spawn(async move { responses.read_to_end(&mut Vec::new()).await });
    assert!(transport.receive().await.is_some(), "it is read once the responses are");
}

/// So many requests may be under way; the next is refused with what to do, until one of them has its response.
#[tokio::test]
async fn requests_under_way_are_bounded() {
    let (mut transport, mut requests, responses) = transport();
    let mut responses = BufReader::new(responses).lines();
    tokio::spawn(async move {
        for id in 0..=MOST_IN_FLIGHT {
            requests.write_all(ping(id).as_bytes()).await.unwrap();
        }
        requests.write_all(ping(MOST_IN_FLIGHT + 1).as_bytes()).await.unwrap();
        std::future::pending::<()>().await;
    });
    for _ in 0..MOST_IN_FLIGHT {
        assert!(transport.receive().await.is_some());
    }
    let refused = tokio::select! {
        taken = transport.receive() => panic!("it was taken: {taken:?}"),
        line = responses.next_line() => line.unwrap().unwrap(),
    };
    let wanted =
        format!("{{\"code\":-32000,\"message\":\"Too many requests: {MOST_IN_FLIGHT} of this client");
    assert!(refused.contains(&wanted) && refused.contains(&format!("\"id\":{MOST_IN_FLIGHT}")), "{refused}");
}

/// What runs without the SDK ends when it is cancelled, and when no one can get its response any more.
#[tokio::test]
async fn what_runs_here_can_be_ended() {
    let pending = PendingRequests::default();
    let mut tasks = Vec::new();
    for id in [1, 2] {
        let id = RequestId::Number(id);
        pending.start(id.clone()).unwrap();
        let task = tokio::spawn(std::future::pending::<()>());
        pending.runs_here(&id, task.abort_handle());
        tasks.push(task);
    }
    pending.cancel(&RequestId::Number(1));
    assert!(tasks.remove(0).await.unwrap_err().is_cancelled());
    assert!(pending.start(RequestId::Number(1)).is_ok(), "its id is free again");
    assert!(!tasks[0].is_finished());
    pending.cancel_all();
    assert!(tasks.remove(0).await.unwrap_err().is_cancelled());
}
