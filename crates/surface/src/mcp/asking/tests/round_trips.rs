//! Clients without sessions: a call is answered by its questions, and sent again with the answers.

use super::Wire;
use crate::mcp::asking::PATIENCE;
use crate::mcp::asking::parking::MOST;
use crate::test_desk::{Desk, TOOL, inside, order};
use serde_json::{Value, json};

/// Sends a call of the newest version, with what more its parameters have.
async fn call(wire: &mut Wire, arguments: Value, more: Value) -> u64 {
    let about = "io.modelcontextprotocol";
    let meta = json!({
        format!("{about}/protocolVersion"): "2026-07-28",
        format!("{about}/clientCapabilities"): {"elicitation": {"form": {}}},
        format!("{about}/clientInfo"): {"name": "test", "version": "1"},
    });
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
    let desk = Desk::new();
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
    let desk = Desk::new();
    let mut wire = Wire::to(&desk);
    let (first, questions) = asked(&answer(&mut wire, order(1), json!({})).await);
    let other = json!({"requestState": first, "inputResponses": {"other": {"action": "accept"}}});
    let (second, same) = asked(&answer(&mut wire, order(1), other).await);
    assert_eq!(same, questions);
    let odd = json!({"requestState": second, "inputResponses": {"question_1": {"action": "shrug"}}});
    assert_eq!(inside(&answer(&mut wire, order(1), odd).await)["said"], json!(["cancelled"]));
}

/// Questions that belong together in a batch are put together.
#[tokio::test]
async fn batches_ask_together() {
    let desk = Desk::new();
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

/// Whoever does not come back in time has not answered: the call goes on without, to its end, and the state is worth nothing.
#[tokio::test(start_paused = true)]
async fn clients_that_do_not_come_back() {
    let mut desk = Desk::new();
    let mut wire = Wire::to(&desk);
    let (state, _) = asked(&answer(&mut wire, order(2), json!({})).await);
    let parked = tokio::time::Instant::now();
    assert_eq!(desk.next_end().await, Some(json!(["cancelled", "cancelled"])));
    assert!(parked.elapsed() >= PATIENCE);
    let late = answer(&mut wire, order(2), json!({"requestState": state})).await;
    assert_eq!(late["error"]["code"], -32602, "{late}");
}

/// A session has so many calls waiting; the questions of a further one are answered by nobody.
#[tokio::test]
async fn so_many_wait() {
    let desk = Desk::new();
    let mut wire = Wire::to(&desk);
    let mut last = Value::Null;
    for _ in 0..MOST {
        last = asked(&answer(&mut wire, order(1), json!({})).await).0;
    }
    assert_eq!(inside(&answer(&mut wire, order(1), json!({})).await)["said"], json!(["cancelled"]));
    let declined = json!({"requestState": last, "inputResponses": {"question_1": {"action": "decline"}}});
    assert_eq!(inside(&answer(&mut wire, order(1), declined).await)["said"], json!(["declined"]));
    asked(&answer(&mut wire, order(1), json!({})).await);
}

/// Calls that wait end with the server, and nobody is asked any more.
#[tokio::test]
async fn stopping_ends_what_waits() {
    let mut desk = Desk::new();
    let mut wire = Wire::to(&desk);
    asked(&answer(&mut wire, order(1), json!({})).await);
    wire.closing.cancel();
    assert_eq!(desk.next_end().await, None, "the call was dropped");
    assert_eq!(inside(&answer(&mut wire, order(1), json!({})).await)["said"], json!(["cancelled"]));
}

/// They end with the connection too, where that is the session.
#[tokio::test]
async fn the_end_of_the_session_ends_what_waits() {
    let mut desk = Desk::new();
    let mut wire = Wire::to(&desk);
    asked(&answer(&mut wire, order(1), json!({})).await);
    drop(wire);
    assert_eq!(desk.next_end().await, None, "the call was dropped");
}

/// A question with a schema that the protocol does not allow cannot be put.
#[tokio::test]
async fn questions_without_words() {
    let desk = Desk::new();
    let mut wire = Wire::to(&desk);
    let odd = json!({"operation": "order", "params": {"odd": true}});
    assert_eq!(inside(&answer(&mut wire, odd, json!({})).await)["said"], json!(["cancelled"]));
}
