//! Tests of `prompt`.

use super::{MAX_DELAY, joined};
use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http_body_util::{BodyExt, StreamBody};
use hyper::body::Frame;
use std::convert::Infallible;
use std::time::Duration;

const START: &str = "data:\nid: 0\nretry: 3000\n\n";
const ANSWER: &str = "data: {\"id\":1,\"result\":{}}\nid: 1\n\n";
const NOTICE: &str = "data: {\"method\":\"notifications/progress\"}\n\n";

async fn after(pieces: &'static [(u64, &'static str)]) -> (String, String) {
    let stream = futures::stream::unfold(pieces.iter(), async |mut pieces| {
        let (wait, text) = pieces.next()?;
        tokio::time::sleep(Duration::from_millis(*wait)).await;
        Some((Ok::<_, Infallible>(Frame::data(Bytes::from_static(text.as_bytes()))), pieces))
    });
    let body = Body::new(StreamBody::new(stream));
    let response = Response::builder().header("content-type", "text/event-stream").body(body).unwrap();
    let response = joined(response).await;
    let kind = response.headers()["content-type"].to_str().unwrap().to_owned();
    let text = response.into_body().collect().await.unwrap().to_bytes();
    (kind, String::from_utf8(text.to_vec()).unwrap())
}

#[tokio::test(start_paused = true)]
async fn quick_answers_are_json() {
    let json = ("application/json".to_owned(), "{\"id\":1,\"result\":{}}".to_owned());
    assert_eq!(after(&[(0, START), (1, ANSWER)]).await, json);
    assert_eq!(after(&[(0, ANSWER)]).await, json);
}

/// Nothing is lost or put in another order.
#[tokio::test(start_paused = true)]
async fn the_rest_stays_a_stream() {
    assert!(MAX_DELAY < Duration::from_millis(50));
    let stream = |text: String| ("text/event-stream".to_owned(), text);
    assert_eq!(after(&[(0, START), (50, ANSWER)]).await, stream(format!("{START}{ANSWER}")));
    let all = stream([START, NOTICE, ANSWER].concat());
    assert_eq!(after(&[(0, START), (1, NOTICE), (1, ANSWER)]).await, all);
    assert_eq!(after(&[(0, START)]).await, stream(START.to_owned()));
    assert_eq!(after(&[]).await, stream(String::new()));
}

#[tokio::test]
async fn other_responses_pass() {
    let response = Response::builder().status(202).body(Body::from("x")).unwrap();
    let passed = joined(response).await;
    assert_eq!((passed.status().as_u16(), passed.headers().len()), (202, 0));
}
