//! Tests of `lines`.

use super::LineTransport;
use crate::raw_results::RawResults;
use futures::FutureExt;
use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use std::sync::Arc;
use tokio::io::AsyncWriteExt;
use tokio_util::sync::CancellationToken;

type Streams = LineTransport<tokio::io::DuplexStream, tokio::io::DuplexStream>;

fn lines() -> (Streams, tokio::io::DuplexStream, tokio::io::DuplexStream, CancellationToken) {
    let (reader, theirs_out) = tokio::io::duplex(64);
    let (theirs_in, writer) = tokio::io::duplex(64);
    let lost = CancellationToken::new();
    (
        LineTransport::new(reader, writer, Arc::new(RawResults::default()), lost.clone()),
        theirs_out,
        theirs_in,
        lost,
    )
}

/// PEERS 7: what a server prints besides messages does no harm, and its end is noticed.
#[tokio::test]
async fn banners_are_passed_over_and_the_end_is_told() {
    let (mut lines, mut out, _in, lost) = lines();
    let write = tokio::spawn(async move {
        out.write_all(
            b"Starting server...\n\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\r\n{\"half",
        )
        .await
        .unwrap();
    });
    assert!(matches!(lines.receive().await, Some(JsonRpcMessage::Notification(_))));
    assert!(!lost.is_cancelled());
    assert!(lines.receive().await.is_none());
    assert!(lost.is_cancelled());
    write.await.unwrap();
}

/// A long message is read elsewhere, and is not lost when the caller that waits for it leaves and comes back.
#[tokio::test]
async fn a_long_line_outlives_the_wait_for_it() {
    let (mut lines, mut out, _in, _lost) = lines();
    let text = "x".repeat(2 * aqueduct_operations::size::LARGE);
    let message = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{\"text\":\"{text}\"}}}}\n");
    let announced = Arc::clone(&lines.results);
    let announced = announced.announce(rmcp::model::NumberOrString::Number(1));
    tokio::spawn(async move { out.write_all(message.as_bytes()).await });
    let mut rounds = 0;
    let received = loop {
        if let Some(received) = lines.receive().now_or_never() {
            break received;
        }
        rounds += 1;
        tokio::task::yield_now().await;
    };
    assert!(matches!(received, Some(ServerJsonRpcMessage::Response(_))) && rounds > 0);
    assert_eq!(announced.take().unwrap()["text"], text);
}

#[tokio::test]
async fn a_line_without_end_is_given_up() {
    let (reader, writer) = (tokio::io::repeat(b' '), tokio::io::sink());
    let lost = CancellationToken::new();
    let mut lines = LineTransport::new(reader, writer, Arc::new(RawResults::default()), lost.clone());
    assert!(lines.receive().await.is_none() && lost.is_cancelled());
}

/// A server that starts slowly answers the first question of the handshake after the second was asked.
#[tokio::test]
async fn late_answers_to_the_handshake_are_passed_over() {
    let (mut lines, mut out, mut theirs_in, _lost) = lines();
    tokio::spawn(async move { tokio::io::copy(&mut theirs_in, &mut tokio::io::sink()).await });
    for (id, method) in [(0, "server/discover"), (1, "initialize")] {
        let request = serde_json::json!({"jsonrpc": "2.0", "id": id, "method": method, "params":
                {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}});
        let request: ClientJsonRpcMessage = serde_json::from_value(request).unwrap();
        lines.send(request).await.unwrap();
    }
    let answers = b"{\"jsonrpc\":\"2.0\",\"id\":0,\"error\":{\"code\":1,\"message\":\"\"}}\n\
            {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";
    tokio::spawn(async move { out.write_all(answers).await });
    assert!(matches!(lines.receive().await, Some(ServerJsonRpcMessage::Response(_))));
}
