//! Tests of `response`.

use crate::test_support::read;
use aqueduct_testkit::api::Answer;
use serde_json::json;

#[tokio::test]
async fn headers_are_found_by_name() {
    let sent = Answer::json(200, json!(1)).header("X-A", "1").header("x-a", "2").header("ETag", " W/\"v\"");
    let answer = read(sent).await.unwrap();
    assert_eq!((answer.header("x-A"), answer.header("x-b")), (Some("1"), None));
    assert_eq!((answer.etag(), answer.next_link()), (Some("W/\"v\""), None));
    assert_eq!(read(Answer::json(200, json!(1)).header("ETag", "")).await.unwrap().etag(), None);
}
