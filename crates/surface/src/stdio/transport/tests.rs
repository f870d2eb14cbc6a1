//! Tests of `transport`: clients that ask for more than they read, or cancel what they asked for.

use super::{SessionShutdown, StdioTransport};
use crate::stdio::output_queue::{MOST_UNSENT, QUEUE};
use crate::stdio::pending_requests::{MOST_IN_FLIGHT, PendingRequests};
use aqueduct_operations::call::SessionId;
use aqueduct_operations::limits::Limits;
use rmcp::RoleServer;
use rmcp::model::{
    CallToolResult, ClientNotification, ContentBlock, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
    ServerResult,
};
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

/// Has these pings sent, and taken.
async fn take_pings(
    transport: &mut StdioTransport<DuplexStream>,
    requests: &mut DuplexStream,
    ids: impl Iterator<Item = usize>,
) {
    for id in ids {
        requests.write_all(ping(id).as_bytes()).await.unwrap();
        assert!(transport.receive().await.is_some());
    }
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
    let count = 2 * QUEUE + MOST_UNSENT / length + 2;
    take_pings(&mut transport, &mut requests, 10..10 + count).await;
    for id in 10..10 + count {
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

/// What a batch has been answered counts while the batch waits for more: the next line is read when it is complete.
#[tokio::test]
async fn responses_of_a_batch_that_wait_stop_the_reading() {
    let (mut transport, mut requests, mut responses) = transport();
    transport.takes_batches.store(true, Ordering::Relaxed);
    let batch = format!("[{},{}]\n", ping(1).trim_end(), ping(2).trim_end());
    requests.write_all(batch.as_bytes()).await.unwrap();
    for _ in 0..2 {
        assert!(transport.receive().await.is_some());
    }
    let large = Transport::<RoleServer>::send(&mut transport, response(1, MOST_UNSENT));
    large.await.unwrap();
    requests.write_all(ping(3).as_bytes()).await.unwrap();
    let early = tokio::time::timeout(Duration::from_millis(300), transport.receive()).await;
    assert!(early.is_err(), "it was read: {early:?}");
    tokio::spawn(async move { responses.read_to_end(&mut Vec::new()).await });
    let last = Transport::<RoleServer>::send(&mut transport, response(2, 10));
    last.await.unwrap();
    assert!(transport.receive().await.is_some(), "it is read once the batch has gone out");
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
        let id = pending.start(&RequestId::Number(id)).unwrap();
        let task = tokio::spawn(std::future::pending::<()>());
        pending.runs_here(&id, task.abort_handle());
        tasks.push(task);
    }
    pending.cancel(&RequestId::Number(1));
    assert!(tasks.remove(0).await.unwrap_err().is_cancelled());
    assert!(pending.start(&RequestId::Number(1)).is_ok(), "its id is free again");
    assert!(!tasks[0].is_finished());
    pending.cancel_all();
    assert!(tasks.remove(0).await.unwrap_err().is_cancelled());
}

fn text_response(id: RequestId, text: &str) -> ServerJsonRpcMessage {
    let result = CallToolResult::success(vec![ContentBlock::text(text)]);
    ServerJsonRpcMessage::response(ServerResult::CallToolResult(result), id)
}

/// The id by which the next request goes inside.
async fn taken_id(transport: &mut StdioTransport<DuplexStream>) -> RequestId {
    match transport.receive().await {
        Some(JsonRpcMessage::Request(request)) => request.id,
        other => panic!("{other:?}"),
    }
}

/// The response of a call that was cancelled is not taken for that of a later one with its id: inside they have names of their own,
/// and the client sees its own id.
#[tokio::test]
async fn a_later_request_of_the_same_id() {
    let (mut transport, mut requests, responses) = transport();
    let mut responses = BufReader::new(responses).lines();
    let cancel =
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":5}}\n";
    let mut names = Vec::new();
    for _ in 0..3 {
        requests.write_all(ping(5).as_bytes()).await.unwrap();
        names.push(taken_id(&mut transport).await);
        if names.len() == 3 {
            break;
        }
        requests.write_all(cancel.as_bytes()).await.unwrap();
        let Some(JsonRpcMessage::Notification(told)) = transport.receive().await else { panic!() };
        let ClientNotification::CancelledNotification(told) = told.notification else { panic!("{told:?}") };
        assert_eq!(told.params.request_id.as_ref(), names.last(), "the SDK knows it by its name");
    }
    for (name, text) in names.into_iter().zip(["first", "second", "third"]) {
        Transport::<RoleServer>::send(&mut transport, text_response(name, text)).await.unwrap();
    }
    let line = responses.next_line().await.unwrap().unwrap();
    assert!(line.contains("\"id\":5") && line.contains("third"), "{line}");
    let more = tokio::time::timeout(Duration::from_millis(100), responses.next_line()).await;
    assert!(more.is_err(), "{more:?}");
}

/// A response that waits for a place in the queue is dropped when its request is cancelled, and does not hold up the end.
#[tokio::test]
async fn cancelled_while_its_response_waits() {
    let (mut transport, mut requests, mut responses) = transport();
    let length = 2 * 1024;
    // One is being written, and the queue is full.
    let count = QUEUE + 10;
    take_pings(&mut transport, &mut requests, 0..count).await;
    for id in 0..count {
        let sending =
            tokio::spawn(Transport::<RoleServer>::send(&mut transport, response(id as u32, length)));
        while !sending.is_finished() && !transport.in_flight.waits(id as i64) {
            tokio::task::yield_now().await;
        }
    }
    let last = RequestId::Number(count as i64 - 1);
    assert!(transport.in_flight.waits(count as i64 - 1), "it has a place");
    let deadline = tokio::time::Instant::now() + Duration::from_secs(60);
    let ended = tokio::time::timeout(Duration::from_secs(5), transport.in_flight.wait_until_empty(deadline));
    assert!(ended.await.is_ok(), "all have their responses");
    assert_eq!(transport.cancel(&last), Some(last));
    let reading = tokio::spawn(async move {
        let mut all = String::new();
        responses.read_to_string(&mut all).await.unwrap();
        all
    });
    Transport::<RoleServer>::close(&mut transport).await.unwrap();
    let all = reading.await.unwrap();
    assert_eq!(all.lines().count(), count - 1);
    assert!(!all.contains(&format!("\"id\":{}", count - 1)), "it was cancelled");
}
