//! Clients with sessions: `elicitation/create` while the call goes on.
//!
//! Messages are written and read by hand, so that exactly what is on the wire is compared. No one is left with a
//! question whose call has ended.

use super::Wire;
use crate::mcp::elicitation::ANSWER_TIMEOUT;
use crate::test_dispatcher::{TOOL, TestDispatcher, inside, order, schema};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::io::AsyncWriteExt;
use tokio_util::sync::CancellationToken;

/// Opens a session of a client that declares this.
async fn open(desk: &TestDispatcher, capabilities: Value) -> Wire {
    let mut wire = Wire::to(desk);
    greet(&mut wire, capabilities).await;
    wire
}

async fn greet(wire: &mut Wire, capabilities: Value) {
    let client = json!({"name": "test", "version": "1"});
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": client});
    wire.request("initialize", hello).await;
    wire.next().await;
    wire.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
}

async fn call(wire: &mut Wire, arguments: Value) -> u64 {
    wire.request("tools/call", json!({"name": TOOL, "arguments": arguments})).await
}

/// A question goes out as it was asked, whatever its schema holds, and any answer to it is understood.
#[tokio::test]
async fn questions_as_they_are() {
    let desk = TestDispatcher::new();
    let mut wire = open(&desk, json!({"elicitation": {}})).await;
    let content = json!({"count": 2, "note": "abc"});
    for (reply, said) in [
        (json!({"result": {"action": "accept", "content": content}}), content.clone()),
        (json!({"result": {"action": "accept"}}), json!({})),
        (json!({"result": {"action": "decline"}}), json!("declined")),
        (json!({"result": {"action": "cancel"}}), json!("cancelled")),
        (json!({"result": {"action": "shrug"}}), json!("cancelled")),
        (json!({"result": {}}), json!("cancelled")),
        (json!({"error": {"code": -32603, "message": "no window"}}), json!("cancelled")),
    ] {
        let id = call(&mut wire, order(1)).await;
        let question = wire.next().await;
        assert_eq!(question["method"], "elicitation/create", "{question}");
        assert_eq!(question["params"]["message"], "How many, 1?");
        assert_eq!(question["params"]["requestedSchema"], schema());
        assert_eq!(question["params"].get("mode"), None, "older clients know no modes");
        let mut answer = json!({"jsonrpc": "2.0", "id": question["id"]});
        answer.as_object_mut().unwrap().extend(reply.as_object().unwrap().clone());
        wire.send(answer).await;
        let answer = wire.next().await;
        assert_eq!((&answer["id"], &inside(&answer)["said"]), (&json!(id), &json!([said])), "{reply}");
    }
}

/// Who has not said that it takes forms is not asked, and the runner of the call knows.
#[tokio::test]
async fn nobody_to_ask() {
    for capabilities in [json!({}), json!({"elicitation": {"url": {}}})] {
        let desk = TestDispatcher::new();
        let mut wire = open(&desk, capabilities).await;
        call(&mut wire, order(1)).await;
        assert_eq!(inside(&wire.next().await)["said"], json!(["nobody"]));
    }
    let desk = TestDispatcher::new();
    let mut wire = open(&desk, json!({"elicitation": {"form": {}, "url": {}}})).await;
    call(&mut wire, order(1)).await;
    assert_eq!(wire.next().await["method"], "elicitation/create");
}

/// The end of a call takes its question back; no one is left with a window for nothing.
#[tokio::test]
async fn cancelled_calls_withdraw_their_questions() {
    let mut desk = TestDispatcher::new();
    let mut wire = open(&desk, json!({"elicitation": {}})).await;
    let id = call(&mut wire, order(1)).await;
    let question = wire.next().await;
    let params = json!({"requestId": id});
    wire.send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})).await;
    let withdrawn = wire.next().await;
    assert_eq!(withdrawn["method"], "notifications/cancelled", "{withdrawn}");
    assert_eq!(withdrawn["params"]["requestId"], question["id"]);
    assert_eq!(desk.next_end().await, None, "the call was dropped");
}

/// A question that may belong to another call stays open when the one that it was put through has ended.
#[tokio::test]
async fn questions_with_a_life_of_their_own_outlive_the_call() {
    let mut desk = TestDispatcher::new();
    let mut wire = open(&desk, json!({"elicitation": {}})).await;
    let id = call(&mut wire, json!({"operation": "order", "params": {"apart": true}})).await;
    let question = wire.next().await;
    assert_eq!(question["params"]["message"], "For another call?");
    desk.release();
    let answer = wire.next().await;
    assert_eq!((&answer["id"], &inside(&answer)["said"]), (&json!(id), &json!("later")), "{answer}");
    assert_eq!(desk.next_end().await, None, "the call ended without an answer");
    wire.send(json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "decline"}})).await;
    assert_eq!(desk.next_end().await, Some(json!(true)), "whoever asked was told");
}

/// Somebody who never answers has gone away; the call ends then, after its question.
#[tokio::test(start_paused = true)]
async fn answers_that_do_not_come() {
    let desk = TestDispatcher::new();
    let mut wire = open(&desk, json!({"elicitation": {}})).await;
    call(&mut wire, order(1)).await;
    let (question, asked) = (wire.next().await, tokio::time::Instant::now());
    let withdrawn = wire.next().await;
    assert_eq!(withdrawn["params"]["requestId"], question["id"], "{withdrawn}");
    assert!(asked.elapsed() >= ANSWER_TIMEOUT);
    assert_eq!(inside(&wire.next().await)["said"], json!(["cancelled"]));
}

/// A server that stops hears no answers: it waits for none and asks nothing more, and the call is answered.
#[tokio::test]
async fn stopping_waits_for_nobody() {
    let desk = TestDispatcher::new();
    let mut wire = open(&desk, json!({"elicitation": {}})).await;
    call(&mut wire, order(2)).await;
    let question = wire.next().await;
    wire.closing.cancel();
    assert_eq!(wire.next().await["params"]["requestId"], question["id"]);
    assert_eq!(inside(&wire.next().await)["said"], json!(["cancelled", "cancelled"]));
}

/// Over standard input and output too; and once the input has ended, no one is waited for.
#[tokio::test]
async fn over_standard_streams() {
    let desk = TestDispatcher::new();
    let (theirs, ours) = tokio::io::duplex(1 << 16);
    let (input, output) = tokio::io::split(ours);
    let dispatcher = Arc::clone(&desk.dispatcher);
    let serving = tokio::spawn(crate::stdio::serve(dispatcher, input, output, CancellationToken::new()));
    let mut wire = Wire::on(theirs, CancellationToken::new());
    greet(&mut wire, json!({"elicitation": {}})).await;
    call(&mut wire, order(1)).await;
    let question = wire.next().await;
    let declined = json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "decline"}});
    wire.send(declined).await;
    assert_eq!(inside(&wire.next().await)["said"], json!(["declined"]));
    call(&mut wire, order(1)).await;
    let question = wire.next().await;
    wire.write.shutdown().await.unwrap();
    assert_eq!(wire.next().await["params"]["requestId"], question["id"]);
    assert_eq!(inside(&wire.next().await)["said"], json!(["cancelled"]));
    serving.await.unwrap().unwrap();
}
