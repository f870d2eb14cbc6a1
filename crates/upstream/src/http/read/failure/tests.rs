//! Tests of `failure`.

use crate::error::{UnreadableKind, UpstreamError};
use crate::test_support::{call, failed, unreadable};
use aqueduct_operations::params::{Param, ParamLocation, ValueKind};
use aqueduct_testkit::api::{self, FakeApi};
use aqueduct_testkit::operation::{get, param, with_param};
use serde_json::json;

/// R7.3-7: without words in the body, the status in words.
#[tokio::test]
async fn fallback_words() {
    assert_eq!(failed(api::Answer::empty(404)).await.words, "404 Not Found");
    assert_eq!(failed(api::Answer::json(500, json!({"x": 1}))).await.words, "500 Internal Server Error");
    assert_eq!(failed(api::Answer::json(400, json!({"message": " "}))).await.words, "400 Bad Request");
}

/// X-errors-32: a body that complains of a missing parameter is told from others.
#[tokio::test]
async fn missing_parameter() {
    assert!(failed(api::Answer::json(422, json!({"message": "title is required"}))).await.missing_parameter);
    assert!(!failed(api::Answer::json(422, json!({"message": "title is odd"}))).await.missing_parameter);
}

/// R7.3-8 R7.3-10: a web page is no answer.
#[tokio::test]
async fn html() {
    let page = unreadable(api::Answer::html(200, "<html>nginx</html>")).await;
    assert_eq!((page.kind, page.http_status), (UnreadableKind::Html, 200));
    assert_eq!(page.content_type, "text/html; charset=utf-8");
    assert_eq!(page.body_preview, "<html>nginx</html>");
}

/// R7.3-9 R7.3-10: what does not parse is told so; the preview has 200 characters.
#[tokio::test]
async fn broken_json() {
    let cut = unreadable(api::Answer::bytes(200, r#"{"a": [1, 2"#)).await;
    assert_eq!((cut.kind, cut.content_type.as_str()), (UnreadableKind::Json, ""));
    assert_eq!(cut.body_preview, r#"{"a": [1, 2"#);
    assert!(cut.parser_message.is_some_and(|text| text.contains("EOF")));
    let plain = unreadable(api::Answer::text(200, &"é".repeat(300))).await;
    assert_eq!(plain.kind, UnreadableKind::Json);
    assert_eq!(plain.body_preview, "é".repeat(200));
}

/// W1: the status comes first, whatever the body is; its words are told where it has some, cleaned.
#[tokio::test]
async fn the_status_comes_first() {
    let page = "<html><head><title>Gone &amp; lost</title><style>p {x: y}</style></head>\n<body><script>var a = '<p>';\
                    </script><p>Ask\n  <b>ops</b>.</p></body></html>";
    for status in [400, 401, 403, 404, 409, 422, 500, 502, 503] {
        let cut = failed(api::Answer::bytes(status, r#"{"message": "no"#)).await;
        assert_eq!((cut.status, cut.words_from_body), (status, false));
        assert_eq!(cut.excerpt, Some(json!(r#"{"message": "no"#)));
        let html = failed(api::Answer::html(status, page)).await;
        assert_eq!((html.status, html.words.as_str()), (status, "Gone & lost Ask ops."));
        let mislabelled =
            failed(api::Answer::bytes(status, "<h1>No</h1>").header("Content-Type", "application/json"))
                .await;
        assert_eq!((mislabelled.status, mislabelled.words.as_str()), (status, "No"));
        let empty = failed(api::Answer::html(status, "<html></html>")).await;
        assert!(!empty.words_from_body && empty.words.starts_with(&status.to_string()), "{empty:?}");
        let image = failed(api::Answer::bytes(status, "\0x").header("Content-Type", "image/png")).await;
        assert_eq!(image.status, status);
        let gzip = failed(api::Answer::bytes(status, "no gzip").header("Content-Encoding", "gzip")).await;
        assert_eq!(gzip.status, status);
        let said = failed(api::Answer::text(status, "page\nnot found on 10.0.0.7\n")).await;
        assert_eq!(said.words, "page not found on [REDACTED]");
        let long = failed(api::Answer::text(status, &"long ".repeat(500))).await;
        assert!(!long.words_from_body && long.excerpt.is_some());
    }
}

/// R11.3-1 R11.3-2 R11.3-3 R11.3-4 R11.3-5: the words of an upstream lose what they should not have said, and do not
/// echo a sensitive parameter.
#[tokio::test]
async fn words_without_leaks() {
    let said = "Bad pin 98765\n  at run (/app/x.js:1:2)\nin /etc/app.conf on 10.0.0.7 by postgres://u:p@db/x";
    let api = FakeApi::always(api::Answer::json(400, json!({"message": said}))).await;
    let pin = Param { sensitive: true, ..param("pin", ValueKind::String, ParamLocation::Query) };
    let operation = with_param(get("g", &api.base_url(), "/x"), pin);
    match call(&operation, &[], json!({"pin": "98765"})).await {
        Err(UpstreamError::Status(status)) => {
            assert_eq!(status.words, "Bad pin [REDACTED] in [REDACTED] on [REDACTED] by [REDACTED]");
        }
        other => panic!("{other:?}"),
    }
}

/// X-errors-6: what the body says besides its words is kept, without a sensitive parameter.
#[tokio::test]
async fn the_rest_of_the_body() {
    let body = json!({"message": "Validation Failed", "errors": [{"field": "pin", "value": "98765"}]});
    let api = FakeApi::always(api::Answer::json(422, body)).await;
    let pin = Param { sensitive: true, ..param("pin", ValueKind::String, ParamLocation::Query) };
    let operation = with_param(get("g", &api.base_url(), "/x"), pin);
    match call(&operation, &[], json!({"pin": "98765"})).await {
        Err(UpstreamError::Status(status)) => {
            assert_eq!(status.words, "Validation Failed");
            let errors = json!([{"field": "pin", "value": "[REDACTED]"}]);
            assert_eq!(status.excerpt, Some(json!({"message": "Validation Failed", "errors": errors})));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(failed(api::Answer::json(404, json!({"message": "no"}))).await.excerpt, None);
    assert_eq!(failed(api::Answer::empty(404)).await.excerpt, None);
}
