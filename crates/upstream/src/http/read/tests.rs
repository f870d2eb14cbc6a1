//! Tests of `read`.

use crate::error::{UnreadableKind, UpstreamError};
use crate::test_support::{call, data, failed, program_call, read, unreadable};
use crate::upstream::{Upstream, UpstreamSettings};
use aqueduct_operations::auth::Auth;
use aqueduct_operations::category::Category;
use aqueduct_operations::target::{AnswerKind, Method};
use aqueduct_testkit::api::{self, FakeApi};
use aqueduct_testkit::environment::TestEnvironment;
use aqueduct_testkit::operation::{get, operation, site, target, with_target};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// R7.1-1 R2.2-6 X-plugins-7 X-plugins-9 X-plugins-10: every 2xx gives its body, status and headers.
#[tokio::test]
async fn success() {
    for status in [200, 201, 202, 299] {
        let answer = read(api::Answer::json(status, json!({"a": [1, "b"]})).header("X-Rate", "5")).await;
        let answer = answer.unwrap();
        assert_eq!((answer.status, answer.data.as_str()), (status, r#"{"a":[1,"b"]}"#));
        assert_eq!(answer.content_type, "application/json");
        assert!(answer.headers.contains(&("x-rate".to_owned(), "5".to_owned())));
    }
}

/// Numbers keep every digit, those included that no machine number holds.
#[tokio::test]
async fn digits() {
    let text = r#"{"a":123456789012345678901234567890,"b":1.10}"#;
    assert_eq!(data(api::Answer::bytes(200, text)).await, text);
    let beyond = read(api::Answer::bytes(200, r#"{"a": 1e400, "b": [-2E999]}"#)).await.unwrap();
    assert_eq!(beyond.data.as_str(), r#"{"a":"1e400","b":["-2E999"]}"#);
    assert_eq!(beyond.numbers_as_text, 2);
}

/// R7.2-1 R2.2-6 R7.3-2 R8.2-13 X-plugins-9: any other status is a failure with the upstream's words.
#[tokio::test]
async fn failures() {
    for status in [304, 400, 401, 403, 404, 409, 418, 422, 429, 500, 502, 503, 504] {
        let body = if status == 304 {
            api::Answer::empty(304)
        } else {
            api::Answer::json(status, json!({"message": "no"}))
        };
        let failed = failed(body).await;
        assert_eq!(failed.status, status);
        assert_eq!(failed.words, if status == 304 { "304 Not Modified" } else { "no" });
        assert_eq!(failed.words_from_body, status != 304);
    }
    assert_eq!(failed(api::Answer::empty(302)).await.words, "302 Found");
    let switching = api::Answer::raw("HTTP/1.1 101 Switching Protocols\r\n\r\n");
    assert_eq!(failed(switching).await.words, "101 Switching Protocols");
}

/// R7.3-11: no body is null.
#[tokio::test]
async fn empty_bodies() {
    for answer in [
        api::Answer::empty(200),
        api::Answer::empty(204),
        api::Answer::empty(200).header("Content-Type", "application/octet-stream"),
        api::Answer::bytes(200, "\u{feff}\n"),
    ] {
        assert_eq!(data(answer).await, "null");
    }
}

/// R7.3-12: binary content is unexpected, even when it would parse.
#[tokio::test]
async fn binary() {
    for kind in ["image/png", "application/octet-stream", "application/pdf", "audio/mpeg", "application/zip"]
    {
        let binary = unreadable(api::Answer::bytes(200, "1").header("Content-Type", kind)).await;
        assert_eq!((binary.kind, binary.content_type.as_str()), (UnreadableKind::Binary, kind));
        assert_eq!(binary.body_preview, "");
    }
    for kind in ["application/problem+json", "text/plain", "application/json; charset=utf-8"] {
        assert_eq!(data(api::Answer::bytes(200, "1").header("Content-Type", kind)).await, "1");
    }
}

/// R7.3-13: a byte order mark is dropped.
#[tokio::test]
async fn byte_order_mark() {
    assert_eq!(data(api::Answer::bytes(200, "\u{feff}{\"a\":1}")).await, r#"{"a":1}"#);
}

#[tokio::test]
async fn charsets() {
    let latin = api::Answer::bytes(200, b"\"caf\xe9\"".to_vec())
        .header("Content-Type", "application/json; charset=\"ISO-8859-1\"");
    assert_eq!(data(latin).await, "\"café\"");
    let broken = unreadable(api::Answer::bytes(200, b"\"caf\xe9\"".to_vec())).await;
    assert_eq!(broken.kind, UnreadableKind::Encoding);
}

/// The outcome of a call that may be answered with anything.
async fn any(answer: api::Answer) -> Result<crate::UpstreamResponse, UpstreamError> {
    let api = FakeApi::always(answer).await;
    let operation = with_target(get("g", &api.base_url(), "/x"), |target| target.answer = AnswerKind::Any);
    call(&operation, &[], json!({})).await
}

async fn any_data(answer: api::Answer) -> String {
    any(answer).await.unwrap().data.as_str().to_owned()
}

fn of_type(kind: &str, bytes: &[u8]) -> api::Answer {
    api::Answer::bytes(200, bytes).header("Content-Type", kind)
}

/// S-openapi-17: JSON, text or nothing, by the content type; what does not name one is what it looks like.
#[tokio::test]
async fn text_where_it_is_declared() {
    assert_eq!(any_data(api::Answer::text(200, "a \"b\"\n")).await, r#""a \"b\"\n""#);
    assert_eq!(any_data(api::Answer::text(200, "\n")).await, r#""\n""#);
    assert_eq!(any_data(api::Answer::text(200, "12")).await, "\"12\"");
    assert_eq!(any_data(api::Answer::html(200, "<p>")).await, "\"<p>\"");
    assert_eq!(any_data(of_type("text/csv; charset=latin1", b"caf\xe9")).await, "\"café\"");
    assert_eq!(any_data(of_type("application/xml", b"<a/>")).await, "\"<a/>\"");
    assert_eq!(any_data(api::Answer::json(200, json!({"a": 1}))).await, r#"{"a":1}"#);
    assert_eq!(any_data(api::Answer::bytes(200, r#"{"a":1}"#)).await, r#"{"a":1}"#);
    assert_eq!(any_data(api::Answer::bytes(200, "{a")).await, "\"{a\"");
    assert_eq!(any_data(api::Answer::empty(204)).await, "null");
    assert_eq!(any_data(of_type("image/png", b"")).await, "null");
    match any(of_type("application/json", b"{a")).await {
        Err(UpstreamError::Unreadable(unreadable)) => assert_eq!(unreadable.kind, UnreadableKind::Json),
        other => panic!("{other:?}"),
    }
}

/// S-openapi-17 C4.7.4-1 C4.7.4-2: anything else is base64 with padding, beside its encoding and its media type.
#[tokio::test]
async fn bytes_where_they_are_declared() {
    let of = |content: &str, mime_type: &str| {
        json!({"content": content, "encoding": "base64", "mime_type": mime_type}).to_string()
    };
    assert_eq!(any_data(of_type("Image/PNG; q=1", b"\x89PNG")).await, of("iVBORw==", "image/png"));
    assert_eq!(any_data(of_type("text/plain", b"\xff")).await, of("/w==", "text/plain"));
    assert_eq!(any_data(api::Answer::bytes(200, b"\xff")).await, of("/w==", "application/octet-stream"));
}

/// S-openapi-17 R11.2-1: bytes tell no credential back either.
#[tokio::test]
async fn bytes_without_credentials() {
    let api = FakeApi::always(of_type("application/zip", b"\xfft0ken-value")).await;
    let operation = with_target(get("g", &api.base_url(), "/x"), |target| {
        target.answer = AnswerKind::Any;
        let mut site = crate::test_support::site(&api.base_url());
        site.auth = Auth::Bearer { token_env: "T".into(), prefix: String::new() };
        target.site = site.into();
    });
    let answer = call(&operation, &[("T", "t0ken-value")], json!({})).await.unwrap();
    let expected = STANDARD.encode(b"\xff[REDACTED]");
    let data: Value = serde_json::from_str(answer.data.as_str()).unwrap();
    assert_eq!(data["content"], json!(expected));
}

/// C4.7.5-2: the limit holds for what bytes become, not only for what came.
#[tokio::test]
async fn bytes_over_the_limit() {
    let api = FakeApi::always(of_type("image/png", &[1; 90])).await;
    let operation = with_target(get("g", &api.base_url(), "/x"), |target| target.answer = AnswerKind::Any);
    for (limit, actual) in [(120, None), (119, Some(120)), (89, Some(90))] {
        let settings = UpstreamSettings { max_response_size: limit, ..UpstreamSettings::default() };
        let upstream = Upstream::new(settings, Arc::new(TestEnvironment::default()));
        let read = program_call(&upstream, &operation, &Map::new()).await;
        let expected = actual.map(|actual| UpstreamError::TooLarge { limit, actual });
        assert_eq!(read.err(), expected);
    }
}

/// A failure is told by its words, or by its status where the body has none.
#[tokio::test]
async fn failures_in_text_and_bytes() {
    for (answer, words) in [
        (api::Answer::text(404, "nothing\nhere"), "nothing here"),
        (api::Answer::html(404, "<p>nothing here</p>"), "nothing here"),
        (api::Answer::bytes(404, "\0").header("Content-Type", "image/png"), "404 Not Found"),
        (api::Answer::bytes(404, r#"{"message":"gone"}"#), "gone"),
    ] {
        match any(answer).await {
            Err(UpstreamError::Status(status)) => {
                assert_eq!((status.words.as_str(), status.excerpt), (words, None));
            }
            other => panic!("{other:?}"),
        }
    }
}

/// S-openapi-17: a HEAD is answered by its head, however large and compressed the body would be.
#[tokio::test]
async fn heads() {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\nContent-Encoding: gzip\r\nX-A: 1\r\n\
                    Set-Cookie: s=1\r\nx-a: 2\r\n\r\n";
    let api = FakeApi::always(api::Answer::raw(head)).await;
    let look = operation("look", Category::Read, target(site(&api.base_url()), Method::Head, "/x"));
    let answer = call(&look, &[], json!({})).await.unwrap();
    let data: Value = serde_json::from_str(answer.data.as_str()).unwrap();
    assert_eq!((&data["status"], &data["headers"]["x-a"]), (&json!(200), &json!("1, 2")));
    assert_eq!(data["headers"].get("set-cookie"), None);
    let api = FakeApi::always(api::Answer::empty(404)).await;
    let look = operation("look", Category::Read, target(site(&api.base_url()), Method::Head, "/x"));
    assert_eq!(call(&look, &[], json!({})).await.unwrap_err().http_status(), Some(404));
}
