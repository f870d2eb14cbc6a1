//! Tests of `from_openapi`.

use super::{HttpServiceConfig, ServiceAuth, ServiceAuthKind, from_openapi, from_openapi_file};
use aqueduct_operations::call::SessionId;
use aqueduct_operations::gatekeeper::ProgramPermit;
use aqueduct_operations::handler::{Envelope, HandlerError, HandlerValues, run_handler};
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_operations::native::OperationKind;
use aqueduct_testkit::api::{Answer, FakeApi};
use futures::StreamExt;
use serde_json::{Map, Value, json};
use std::path::Path;
use std::sync::Arc;

fn document() -> String {
    let thing = json!({"type": "object", "properties": {"id": {"type": "integer"}, "state": {"type": "string", "default": "new"}}});
    let answer = |media: &str| json!({"200": {"description": "ok", "content": {media: {"schema": thing}}}});
    json!({
            "openapi": "3.0.3", "info": {"title": "Things", "version": "1.0.0"},
            "paths": {
                "/things/{id}": {"get": {"operationId": "get_thing", "responses": answer("application/json"), "parameters":
                    [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}]}},
                "/events": {"get": {"operationId": "listen", "responses": answer("text/event-stream")}},
            },
        })
        .to_string()
}

async fn run(operation: &super::OpenApiOperation, values: Value) -> Result<Envelope, HandlerError> {
    let Value::Object(values) = values else { panic!("values are an object") };
    let permit = ProgramPermit::of_handler(&operation.handler, SessionId::new("s"));
    run_handler(permit, &HandlerValues::of_call(&Arc::new(values)), None, None).await
}

/// S-openapi-16 S-openapi-18 S-openapi-20 S-openapi-25 S-openapi-26 S-openapi-27 S-openapi-28 S-openapi-29 S-openapi-30 S-registry-11: a specification and a
/// handler for each operation; the handler sends headers and credentials, and gives an envelope with data that fits.
#[tokio::test]
async fn handlers_give_envelopes() {
    let api = FakeApi::always(Answer::json(200, json!({"id": 7, "more": 1})).header("x-a", "b")).await;
    let mut config = HttpServiceConfig::new("things", api.base_url());
    config.headers = vec![NamedSecret::new("X-Team", "ops")];
    config.auth = Some(ServiceAuth {
        kind: ServiceAuthKind::ApiKey,
        token: "k-123".to_owned().into(),
        header_name: Some("X-Key".to_owned()),
        prefix: Some("Token".to_owned()),
    });
    let found = from_openapi(&document(), &config).unwrap();
    let [get, listen] = found.operations.as_slice() else { panic!("{found:?}") };
    assert_eq!((get.spec.namespace.as_str(), get.spec.kind), ("things", OperationKind::Query));
    assert_eq!(listen.spec.kind, OperationKind::Subscription);
    let envelope = run(get, json!({"id": 7})).await.unwrap();
    assert_eq!(envelope.data, json!({"id": 7, "state": "new"}));
    assert_eq!(envelope.meta.more["statusCode"], 200);
    assert_eq!(envelope.meta.more["headers"]["x-a"], "b");
    assert_eq!(envelope.meta.more["contentType"], "application/json");
    let sent = api.only_request();
    assert_eq!((sent.header("x-key"), sent.header("x-team")), (Some("Token k-123"), Some("ops")));
}

/// S-openapi-28 S-openapi-29 S-openapi-30, decisions 16 and 17: every kind of credential, with its usual header and prefix or
/// others; it counts before a header of the same name.
#[tokio::test]
async fn credentials_of_every_kind() {
    use ServiceAuthKind::{ApiKey, Basic, Bearer};
    for (kind, token, prefix, header, sent) in [
        (Bearer, "t-123", None, "authorization", "Bearer t-123"),
        (Bearer, "t-123", Some("Token"), "authorization", "Token t-123"),
        (Bearer, "t-123", Some(""), "authorization", "t-123"),
        (ApiKey, "k-123", None, "x-api-key", "k-123"),
        (Basic, "ada:pass", None, "authorization", "Basic YWRhOnBhc3M="),
        (Basic, "YWRhOnBhc3M=", None, "authorization", "Basic YWRhOnBhc3M="),
    ] {
        let api = FakeApi::always(Answer::json(200, json!({"id": 7}))).await;
        let mut config = HttpServiceConfig::new("things", api.base_url());
        config.headers = vec![NamedSecret::new(header.to_uppercase(), "of-the-headers")];
        config.auth = Some(ServiceAuth {
            kind,
            token: token.to_owned().into(),
            header_name: None,
            prefix: prefix.map(str::to_owned),
        });
        let found = from_openapi(&document(), &config).unwrap();
        run(&found.operations[0], json!({"id": 7})).await.unwrap();
        let request = api.only_request();
        let values: Vec<&str> = request
            .headers
            .iter()
            .filter(|(name, _)| name.eq_ignore_ascii_case(header))
            .map(|(_, value)| value.as_str())
            .collect();
        assert_eq!(values, [sent], "{kind:?} {prefix:?}");
    }
}

/// S-openapi-19 S-registry-7: what the API refuses is a typed error with its words; what is wrong is not sent.
#[tokio::test]
async fn failures_are_typed() {
    let api = FakeApi::always(Answer::json(404, json!({"message": "no such thing"}))).await;
    let found = from_openapi(&document(), &HttpServiceConfig::new("things", api.base_url())).unwrap();
    let error = run(&found.operations[0], json!({"id": 7})).await.unwrap_err();
    assert_eq!(error.code(), "EXECUTION_ERROR");
    let HandlerError::Failed { message, details } = error else { panic!("{error:?}") };
    assert_eq!((message.as_str(), &details.unwrap()["statusCode"]), ("no such thing", &json!(404)));
    let refused = run(&found.operations[0], json!({"id": "x"})).await.unwrap_err();
    assert!(matches!(refused, HandlerError::Refused { .. }), "{refused:?}");
    let missing = run(&found.operations[0], json!({})).await.unwrap_err();
    assert_eq!(missing, HandlerError::Refused { message: "'id' is missing".to_owned() });
    assert_eq!(api.requests().len(), 1);
}

/// S-openapi-33 S-openapi-36: an operation that gives events is listened to, each as it arrives.
#[tokio::test]
async fn events_are_a_stream() {
    let frames = "event: tick\ndata: {\"n\": 1}\n\ndata: two\n\n";
    let answer = Answer::bytes(200, frames).header("content-type", "text/event-stream");
    let api = FakeApi::always(answer).await;
    let found = from_openapi(&document(), &HttpServiceConfig::new("things", api.base_url())).unwrap();
    let mut events = found.operations[1].subscribe(&Map::new()).await.unwrap();
    let first = events.next().await.unwrap().unwrap();
    assert_eq!((first.event.as_deref(), &first.data), (Some("tick"), &json!({"n": 1})));
    assert_eq!(events.next().await.unwrap().unwrap().data, json!("two"));
    assert!(events.next().await.is_none());
}

/// S-openapi-21 S-openapi-22: a reader that is handed in is used instead of the disk.
#[test]
fn an_injected_reader() {
    struct InMemoryDocument;
    impl super::DocumentReader for InMemoryDocument {
        fn read(&self, place: &str) -> Result<String, String> {
            match place {
                "api.json" => Ok(document()),
                "split.json" => Ok(r#"{"openapi": "3.0.3", "info": {"title": "T", "version": "1"},
                        "paths": {"/a": {"$ref": "parts.json#/a"}}}"#
                    .to_owned()),
                "parts.json" => Ok(r#"{"a": {"get": {"operationId": "get_a"}}}"#.to_owned()),
                other => Err(format!("no {other}")),
            }
        }
    }
    let config = HttpServiceConfig::new("things", "https://api.example.com");
    assert_eq!(
        from_openapi_file(Path::new("api.json"), &config, Some(&InMemoryDocument)).unwrap().operations.len(),
        2
    );
    let split = from_openapi_file(Path::new("split.json"), &config, Some(&InMemoryDocument)).unwrap();
    assert_eq!(split.operations[0].spec.name, "get_a", "what it refers to is read by the same");
    assert!(from_openapi_file(Path::new("other.json"), &config, Some(&InMemoryDocument)).is_err());
    assert!(from_openapi_file(Path::new("no-such-file.json"), &config, None).is_err());
    let odd = HttpServiceConfig::new("Not A Name", "https://api.example.com");
    assert!(from_openapi(&document(), &odd).is_err());
}
