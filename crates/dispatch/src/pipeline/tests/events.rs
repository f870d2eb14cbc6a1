//! Operations that give events, over a protocol with one answer for a request: they are collected up to a bound, and each
//! is told as progress when it comes.

use crate::test_server::{Setup, adapter, data_of};
use aqueduct_operations::progress::Progress;
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};

fn stream(frames: &str) -> Answer {
    Answer::bytes(200, frames).header("content-type", "text/event-stream")
}

async fn listened(frames: &str) -> (Value, Vec<Progress>) {
    answered(stream(frames)).await
}

async fn answered(answer: Answer) -> (Value, Vec<Progress>) {
    let api = FakeApi::always(answer).await;
    let blocks = "operations:\n  read:\n    - name: listen\n      maps_to: GET /events\n      description: Listen\n      response: \
                  {content_type: text/event-stream}";
    let server = Setup::default().serve(&[adapter("news", &api.base_url(), blocks)]);
    server.call_telling(json!({"operation": "listen"})).await
}

/// S-openapi-9 S-openapi-35, decision 30: events come together, JSON where it is JSON, each told on the way.
#[tokio::test]
async fn collected_with_progress() {
    let (answer, told) =
        listened(": hello\nevent: tick\nid: 7\ndata: {\"n\": 1}\n\ndata: plain\ndata: words\n\n").await;
    assert_eq!(
        data_of(answer),
        json!({"events": [{"event": "tick", "id": "7", "data": {"n": 1}}, {"data": "plain\nwords"}], "complete": true})
    );
    let words: Vec<&str> = told.iter().map(|each| each.message.as_str()).collect();
    assert!(words.contains(&"Event 1: tick") && words.contains(&"Event 2: message"), "{words:?}");
    assert!(told.windows(2).all(|pair| pair[0].done < pair[1].done), "{told:?}");
}

/// A stream that goes on is cut, and said to be.
#[tokio::test]
async fn cut_after_a_hundred() {
    let frames: String = (0..150).map(|n| format!("data: {n}\n\n")).collect();
    let (answer, _) = listened(&frames).await;
    assert_eq!(answer["warnings"][0]["code"], "EVENTS_TRUNCATED", "{answer}");
    let data = data_of(answer);
    assert_eq!((data["events"].as_array().unwrap().len(), &data["complete"]), (100, &json!(false)));
}

/// A stream that breaks off has given what came before; only one that gave nothing is a failure.
#[tokio::test]
async fn broken_off() {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 1000\r\n\r\n";
    let (answer, _) = answered(Answer::raw(format!("{head}data: 1\n\ndata: 2\n\ndata: 3"))).await;
    assert_eq!(answer["warnings"][0]["code"], "EVENTS_TRUNCATED", "{answer}");
    assert_eq!(data_of(answer), json!({"events": [{"data": 1}, {"data": 2}], "complete": false}));
    let (answer, _) = answered(Answer::raw(head)).await;
    assert_eq!(answer["success"], false, "{answer}");
}
