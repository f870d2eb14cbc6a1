//! Tests of `handler`.

use super::{Envelope, HttpFacts};
use serde_json::{json, to_value};

/// S-registry-9 S-openapi-18 S-mcp-13: each origin has its envelope, with what that origin tells.
#[test]
fn an_envelope_for_every_origin() {
    let facts = HttpFacts {
        status: 201,
        headers: vec![("etag".to_owned(), "\"1\"".to_owned())],
        content_type: "application/json".to_owned(),
    };
    let http = to_value(Envelope::http("shop.add", json!({"id": 1}), facts)).unwrap();
    assert_eq!(http["data"], json!({"id": 1}));
    assert_eq!((&http["meta"]["source"], &http["meta"]["operationId"]), (&json!("http"), &json!("shop.add")));
    assert_eq!(
        (&http["meta"]["statusCode"], &http["meta"]["headers"]["etag"]),
        (&json!(201), &json!("\"1\""))
    );
    assert_eq!(http["meta"]["contentType"], "application/json");
    let keys = |value: &serde_json::Value| -> Vec<String> {
        value.as_object().map(|members| members.keys().cloned().collect()).unwrap_or_default()
    };
    let local = to_value(Envelope::local("shop.count", json!([1, 2]))).unwrap();
    assert_eq!((keys(&local), &local["data"]), (keys(&http), &json!([1, 2])), "each has data and meta");
    assert_eq!(
        (&local["meta"]["source"], &local["meta"]["operationId"]),
        (&json!("local"), &json!("shop.count"))
    );
    assert_eq!(local["meta"].as_object().map(|meta| meta.len()), Some(3), "a function tells nothing else");
    let mcp = Envelope::mcp("files.read", json!([]), true);
    let shown = to_value(&mcp).unwrap();
    assert_eq!((keys(&shown), &shown["data"]), (keys(&http), &json!([])));
    assert_eq!((&shown["meta"]["source"], &shown["meta"]["isError"]), (&json!("mcp"), &json!(true)));
    assert_eq!(shown["meta"]["operationId"], "files.read");
    let own = Envelope::of("grpc", "books.get", json!(1));
    assert_eq!((own.meta.source.as_str(), own.data), ("grpc", json!(1)));
    assert!(mcp.is_error() && !Envelope::local("a.b", json!(1)).is_error());
    assert!(http["meta"]["timestamp"].as_str().unwrap().ends_with('Z'));
}

/// S-registry-10: an envelope is known by its mark, and is not wrapped again; a value that only looks like one is.
#[test]
fn envelopes_are_not_wrapped_twice() {
    let envelope = Envelope::mcp("files.read", json!({"a": 1}), false);
    let again = Envelope::wrapping("other.op", to_value(&envelope).unwrap());
    assert_eq!(again, envelope);
    let alike = json!({"data": 1, "meta": {"source": "mcp"}});
    let wrapped = Envelope::wrapping("other.op", alike.clone());
    assert_eq!((wrapped.data, wrapped.meta.source.as_str()), (alike, "local"));
}
