//! Clients without sessions: a call is answered by its questions, and sent again with the answers.
//!
//! Messages are written and read by hand, so that exactly what is on the wire is compared. A state is worth one
//! answer, and a call that waits ends with whatever it waits for.

use super::Wire;
use crate::mcp::elicitation::ANSWER_TIMEOUT;
use crate::mcp::elicitation::parking::MAX_PARKED;
use crate::test_dispatcher::{TOOL, TestDispatcher, inside, order};
use serde_json::{Value, json};
use std::time::Duration;

/// Sends a call of the newest version, with what more its parameters have.
async fn call(wire: &mut Wire, arguments: Value, more: Value) -> u64 {
    call_with_progress(wire, arguments, more, None).await
}

async fn call_with_progress(wire: &mut Wire, arguments: Value, more: Value, token: Option<&str>) -> u64 {
    let about = "io.modelcontextprotocol";
    let mut meta = json!({
        format!("{about}/protocolVersion"): "2026-07-28",
        format!("{about}/clientCapabilities"): {"elicitation": {"form": {}}},
        format!("{about}/clientInfo"): {"name": "test", "version": "1"},
    });
    if let Some(token) = token {
        meta["progressToken"] = json!(token);
    }
    let mut params = json!({"name": TOOL, "arguments": arguments, "_meta": meta});
    params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    wire.request("tools/call", params).await
}

async fn answer(wire: &mut Wire, arguments: Value, more: Value) -> Value {
    let id = call(wire, arguments, more).await;
    let answer = wire.next().await;
    assert_eq!(answer["id"], id, "{answer}");
    answer
}

/// The state and the questions of an answer that is not the last.
fn asked(answer: &Value) -> (Value, Value) {
    assert_eq!(answer["result"]["resultType"], "input_required", "{answer}");
    let (state, requests) = (&answer["result"]["requestState"], &answer["result"]["inputRequests"]);
    (state.clone(), requests.clone())
}

/// The call goes on where it was, question by question; each state is worth one answer.
#[tokio::test]
async fn one_answer_for_each_state() {
    let desk = TestDispatcher::new();
    let mut wire = Wire::to(&desk);
    let (first, questions) = asked(&answer(&mut wire, order(2), json!({})).await);
    let question = &questions["question_1"];
    assert_eq!(
        (&question["method"], &question["params"]["message"]),
        (&json!("elicitation/create"), &json!("How many, 1?"))
    );
    assert_eq!(question["params"]["requestedSchema"]["required"], json!(["count"]));
    let accepted = json!({"action": "accept", "content": {"count": 1}});
    let again = json!({"requestState": first, "inputResponses": {"question_1": accepted}});
    let (second, questions) = asked(&answer(&mut wire, order(2), again.clone()).await);
    assert_ne!(first, second);
    assert_eq!(questions["question_2"]["params"]["message"], "How many, 2?");
    assert_eq!(questions.as_object().unwrap().len(), 1);
    let replayed = answer(&mut wire, order(2), again).await;
    assert_eq!(replayed["error"]["code"], -32602, "{replayed}");
    let last = json!({"requestState": second, "inputResponses": {"question_2": {"action": "decline"}}});
    assert_eq!(inside(&answer(&mut wire, order(2), last).await)["said"], json!([{"count": 1}, "declined"]));
    let invented = answer(&mut wire, order(1), json!({"requestState": "abc"})).await;
    assert_eq!(invented["error"]["code"], -32602, "{invented}");
}

/// What is not answered is asked again; what is no answer counts as none.
#[tokio::test]
async fn answers_that_are_none() {
    let desk = TestDispatcher::new();
    let mut wire = Wire::to(&desk);
    let (first, questions) = asked(&answer(&mut wire, order(1), json!({})).await);
    let other = json!({"requestState": first, "inputResponses": {"other": {"action": "accept"}}});
    let (second, same) = asked(&answer(&mut wire, order(1), other).await);
    assert_eq!(same, questions);
    let odd = json!({"requestState": second, "inputResponses": {"question_1": {"action": "shrug"}}});
    assert_eq!(inside(&answer(&mut wire, order(1), odd).await)["said"], json!(["cancelled"]));
}

/// Questions that have come up together are put together; those left open keep their names.
#[tokio::test]
async fn asked_together() {
    let desk = TestDispatcher::new();
    let mut wire = Wire::to(&desk);
    let both = json!({"operation": "order", "params": {"times": 2, "together": true}});
    let (state, questions) = asked(&answer(&mut wire, both.clone(), json!({})).await);
    assert_eq!(questions["question_1"]["params"]["message"], "How many, 1?");
    assert_eq!(questions["question_2"]["params"]["message"], "How many, 2?");
    let first = json!({"requestState": state, "inputResponses": {"question_1": {"action": "decline"}}});
    let (state, left) = asked(&answer(&mut wire, both.clone(), first).await);
    assert_eq!(left, json!({"question_2": questions["question_2"]}));
    let accepted = json!({"action": "accept", "content": {"count": 3}});
    let second = json!({"requestState": state, "inputResponses": {"question_2": accepted}});
    assert_eq!(inside(&answer(&mut wire, both, second).await)["said"], json!(["declined", {"count": 3}]));
}

/// Operations of a batch ask like any other.
#[tokio::test]
async fn batches_ask() {
    let desk = TestDispatcher::new();
    let mut wire = Wire::to(&desk);
    let batch = json!({"operation": "batch", "params": {"operations": [order(1), order(1)]}});
    let mut open = asked(&answer(&mut wire, batch.clone(), json!({})).await);
    let last = loop {
        let names = open.1.as_object().unwrap().keys();
        let responses: Value = names
            .map(|name| (name.clone(), json!({"action": "accept", "content": {"count": 5}})))
            .collect::<serde_json::Map<_, _>>()
            .into();
        let more = json!({"requestState": open.0, "inputResponses": responses});
        let answer = answer(&mut wire, batch.clone(), more).await;
        if answer["result"]["resultType"] != "input_required" {
            break answer;
        }
        open = asked(&answer);
    };
    let text = last["result"]["content"][0]["text"].as_str().unwrap();
    assert_eq!(text.matches("{\"count\":5}").count(), 2, "{text}");
}

/// Anyone who does not come back in time has not answered: the call goes on without, to its end, and the state is worth nothing.
#[tokio::test(start_paused = true)]
async fn clients_that_do_not_come_back() {
    let mut desk = TestDispatcher::new();
    let mut wire = Wire::to(&desk);
    let (state, _) = asked(&answer(&mut wire, order(2), json!({})).await);
    let parked = tokio::time::Instant::now();
    assert_eq!(desk.next_end().await, Some(json!(["cancelled", "cancelled"])));
    assert!(parked.elapsed() >= ANSWER_TIMEOUT);
    let late = answer(&mut wire, order(2), json!({"requestState": state})).await;
    assert_eq!(late["error"]["code"], -32602, "{late}");
}

/// A session has so many calls waiting; the questions of a further one are answered by no one.
#[tokio::test]
async fn so_many_wait() {
    let desk = TestDispatcher::new();
    let mut wire = Wire::to(&desk);
    let mut last = Value::Null;
    for _ in 0..MAX_PARKED {
        // One source may ask ten times in a minute.
        desk.clock.advance(Duration::from_secs(60));
        last = asked(&answer(&mut wire, order(1), json!({})).await).0;
    }
    desk.clock.advance(Duration::from_secs(60));
    assert_eq!(inside(&answer(&mut wire, order(1), json!({})).await)["said"], json!(["cancelled"]));
    let declined = json!({"requestState": last, "inputResponses": {"question_1": {"action": "decline"}}});
    assert_eq!(inside(&answer(&mut wire, order(1), declined).await)["said"], json!(["declined"]));
    asked(&answer(&mut wire, order(1), json!({})).await);
}

/// Calls that wait end with the server, and no person is asked any more.
#[tokio::test]
async fn stopping_ends_what_waits() {
    let mut desk = TestDispatcher::new();
    let mut wire = Wire::to(&desk);
    asked(&answer(&mut wire, order(1), json!({})).await);
    wire.closing.cancel();
    assert_eq!(desk.next_end().await, None, "the call was dropped");
    assert_eq!(inside(&answer(&mut wire, order(1), json!({})).await)["said"], json!(["cancelled"]));
}

/// They end with the connection too, where that is the session.
#[tokio::test]
async fn the_end_of_the_session_ends_what_waits() {
    let mut desk = TestDispatcher::new();
    let mut wire = Wire::to(&desk);
    asked(&answer(&mut wire, order(1), json!({})).await);
    drop(wire);
    assert_eq!(desk.next_end().await, None, "the call was dropped");
}

/// A question with a schema that the protocol does not allow cannot be put.
#[tokio::test]
async fn questions_without_words() {
    let desk = TestDispatcher::new();
    let mut wire = Wire::to(&desk);
    let odd = json!({"operation": "order", "params": {"odd": true}});
    assert_eq!(inside(&answer(&mut wire, odd, json!({})).await)["said"], json!(["cancelled"]));
}

/// A client that cancels the call it has sent again cancels the call itself.
#[tokio::test]
async fn cancelled_on_the_second_leg() {
    let mut desk = TestDispatcher::new();
    let mut wire = Wire::to(&desk);
    let held = json!({"operation": "order", "params": {"times": 1, "hold": true}});
    let (state, _) = asked(&answer(&mut wire, held.clone(), json!({})).await);
    let declined = json!({"requestState": state, "inputResponses": {"question_1": {"action": "decline"}}});
    let id = call(&mut wire, held, declined).await;
    desk.holding().await;
    let params = json!({"requestId": id});
    wire.send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})).await;
    assert_eq!(desk.next_end().await, None, "the call was dropped");
}

/// How far a call is goes out under the token of the request that waits for it, and not at all when it has none.
#[tokio::test]
async fn progress_of_the_leg_that_waits() {
    let desk = TestDispatcher::new();
    let mut wire = Wire::to(&desk);
    let mut more = json!({});
    for token in [Some("first"), Some("second"), None] {
        let id = call_with_progress(&mut wire, order(2), more, token).await;
        let mut tokens = Vec::new();
        let answer = loop {
            let message = wire.next().await;
            if message["id"] == id {
                break message;
            }
            tokens.push(message["params"]["progressToken"].clone());
        };
        match token {
            Some("first") => assert!(!tokens.is_empty()),
            None => assert_eq!(tokens, [] as [Value; 0]),
            Some(_) => {}
        }
        assert!(tokens.iter().all(|each| *each == json!(token)), "{tokens:?}");
        if token.is_none() {
            assert_eq!(inside(&answer)["said"], json!(["declined", "declined"]));
            break;
        }
        let (state, questions) = asked(&answer);
        let name = questions.as_object().unwrap().keys().next().unwrap();
        more = json!({"requestState": state, "inputResponses": {name: {"action": "decline"}}});
    }
}
