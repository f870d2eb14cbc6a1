//! Answers that take long are streams: they can be picked up again, and tell on the way how far the call is.

use super::server::{Answer as Answered, HttpServer, call, read_answer, read_until};
use crate::outside::harness::DEADLINE;
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::time::timeout;

/// Product 2 comes late, the rest at once.
async fn upstream() -> FakeApi {
    FakeApi::start(|request| match request.path() {
        "/products/2" => Answer::after(Duration::from_millis(500), Answer::json(200, json!({"id": 2}))),
        _ => Answer::json(200, json!({"id": 3})),
    })
    .await
}

fn get_product(id: i64) -> Value {
    call(id, "mcp_aql_read", "get_product", json!({"product_id": id}))
}

#[tokio::test]
async fn quick_answers_are_json_and_slow_ones_streams() {
    let api = upstream().await;
    let server = HttpServer::shop(&api.base_url(), "").await;
    let session = server.open("2025-11-25", &[]).await;
    let slow = server.in_session(&session, &[], &get_product(2)).await;
    assert_eq!(slow.header("content-type"), Some("text/event-stream"), "{slow:?}");
    assert_eq!(slow.inside()["data"]["id"], 2);
    // On a loaded machine an answer that takes no time may still be late.
    let quick = async {
        loop {
            let quick = server.in_session(&session, &[], &get_product(3)).await;
            assert_eq!(quick.inside()["data"]["id"], 3);
            if quick.header("content-type") == Some("application/json") {
                return;
            }
        }
    };
    timeout(DEADLINE, quick).await.expect("one of them is quick");
}

/// A client whose connection breaks in the middle of a call gets the answer when it comes back with the last event it saw.
#[tokio::test]
async fn a_broken_stream_is_picked_up_again() {
    let mut with_metadata = get_product(2);
    with_metadata["params"]["_meta"] = json!({});
    for message in [get_product(2), with_metadata] {
        let api = upstream().await;
        let server = HttpServer::shop(&api.base_url(), "").await;
        let session = server.open("2025-11-25", &[]).await;
        let headers = [("mcp-session-id", session.as_str())];
        let mut stream = server.connect().await;
        stream.write_all(&server.posted(&headers, message.to_string().as_bytes())).await.unwrap();
        let begun = read_until(&mut stream, "\n\n").await;
        let last =
            begun.lines().find_map(|line| line.strip_prefix("id:")).expect("an event to come back to").trim();
        drop(stream);
        let other = server.open("2025-11-25", &[]).await;
        let stolen = [("accept", "text/event-stream"), ("mcp-session-id", &*other), ("last-event-id", last)];
        let mut stealing = server.connect().await;
        stealing.write_all(&server.request("GET", "/mcp", &stolen, b"")).await.unwrap();
        let back = [("accept", "text/event-stream"), headers[0], ("last-event-id", last)];
        let mut stream = server.connect().await;
        stream.write_all(&server.request("GET", "/mcp", &back, b"")).await.unwrap();
        let answer = read_until(&mut stream, "\"id\\\":2").await;
        assert!(answer.contains("text/event-stream"), "{answer}");
        assert_eq!(api.requests().len(), 1);
        assert_eq!(server.ask("DELETE", "/mcp", &[("mcp-session-id", &other)]).await.status, 204);
        let stolen = read_answer(&mut stealing).await;
        assert!(!stolen.body.contains("id\\\":2"), "another session has no part in it: {stolen:?}");
    }
}

fn told(answer: &Answered) -> Vec<Value> {
    let data = answer.body.lines().filter_map(|line| line.strip_prefix("data:"));
    let messages = data.filter_map(|text| serde_json::from_str::<Value>(text).ok());
    messages.filter(|message| message["method"] == "notifications/progress").collect()
}

/// M5.1-1 M5.2-2 M7.2-4: a client hears how far an execution is while the API still works on it.
#[tokio::test]
async fn slow_executions_tell_on_the_way() {
    let api = FakeApi::always(Answer::hang()).await;
    let server = HttpServer::shop(&api.base_url(), "").await;
    let session = server.open("2025-11-25", &[]).await;
    let headers = [("mcp-session-id", session.as_str())];
    let mut recount = call(7, "mcp_aql_execute", "execute_recount", json!({"order_id": "7"}));
    recount["params"]["_meta"] = json!({"progressToken": "mine"});
    let mut stream = server.connect().await;
    stream.write_all(&server.posted(&headers, recount.to_string().as_bytes())).await.unwrap();
    let hearing = read_until(&mut stream, "\"progress\":10");
    let seen = timeout(Duration::from_secs(15), hearing).await.expect("long before the call is given up");
    assert!(seen.contains("\"progress\":5") && !seen.contains("\"result\""), "{seen}");
}

/// M5.1-2 M5.1-3 M5.2-1 M5.2-3 M5.3-1 M5.3-2 M5.4-3 M5.4-5 M5.4-6: an execution tells how far it is to a client that gave a token for it, in its
/// arguments or beside them, in every version of the protocol, and before its answer.
#[tokio::test]
async fn executions_tell_how_far_they_are() {
    let api = upstream().await;
    let server = HttpServer::shop(&api.base_url(), "").await;
    let session = server.open("2025-11-25", &[]).await;
    let mut recount = call(7, "mcp_aql_execute", "execute_recount", json!({"order_id": "7"}));
    let silent = server.in_session(&session, &[], &recount).await;
    assert_eq!((silent.inside()["success"].clone(), told(&silent)), (json!(true), vec![]), "{silent:?}");
    recount["params"]["arguments"]["_meta"] = json!({"progressToken": "mine"});
    let in_session = server.in_session(&session, &[], &recount).await;
    let stateless = server.stateless(&[], &recount).await;
    let meta = recount["params"]["arguments"]["_meta"].take();
    recount["params"]["arguments"].as_object_mut().unwrap().remove("_meta");
    recount["params"]["_meta"] = meta;
    let beside = server.in_session(&session, &[], &recount).await;
    for answer in [&in_session, &stateless, &beside] {
        assert_eq!(answer.inside()["success"], true, "{answer:?}");
        let told = told(answer);
        let done: Vec<_> = told.iter().map(|step| step["params"]["progress"].as_f64().unwrap()).collect();
        assert_eq!(done, [5.0, 10.0, 95.0, 100.0], "{answer:?}");
        for step in told {
            assert_eq!((&step["jsonrpc"], step.get("id")), (&json!("2.0"), None));
            let params = &step["params"];
            assert_eq!((&params["progressToken"], &params["total"]), (&json!("mine"), &json!(100.0)));
            assert!(params["message"].is_string(), "{step}");
        }
    }
    let mut read = get_product(3);
    read["params"]["_meta"] = json!({"progressToken": 1});
    assert_eq!(
        told(&server.in_session(&session, &[], &read).await),
        [] as [Value; 0],
        "reads are over too soon"
    );
}
