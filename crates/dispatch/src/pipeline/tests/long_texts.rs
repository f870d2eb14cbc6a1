//! Long texts in the JSON of an API (ruling W16): a text that is all that was chosen comes in parts, wherever it stands.
//! A file with texts on several levels stands behind; together the parts that come are the text.

use crate::test_server::{Setup, TestServer, adapter};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};

const OPERATIONS: &str = "operations:
  read:
    - {name: get_file, maps_to: GET /file, description: One}
  update:
    - {name: update_file, maps_to: PUT /file, description: Changes it, params: {content: {type: string}}}
";

fn long() -> String {
    (0..600).map(|line| format!("line {line} of a long text\n")).collect()
}

async fn serve() -> (TestServer, FakeApi) {
    let body =
        json!({"name": "a.txt", "content": long(), "meta": {"history": {"log": long()}}, "list": [long()]});
    let api = FakeApi::always(Answer::json(200, body).header("ETag", "\"v1\"")).await;
    (Setup::default().serve(&[adapter("files", &api.base_url(), OPERATIONS)]), api)
}

fn read(params: &Value) -> Value {
    json!({"operation": "get_file", "params": params})
}

/// Together the parts are the text; each says which version it is of, and a cursor into one text is none into another.
#[tokio::test]
async fn a_chosen_text_comes_in_parts() {
    let (server, _api) = serve().await;
    for (path, pointer) in [("content", "/content"), ("meta.history.log", "/meta/history/log")] {
        let (mut params, mut whole) = (json!({"fields": [path], "budget": 1_000}), String::new());
        for round in 0.. {
            assert!(round < 30);
            let answer = server.call(read(&params)).await;
            let part = answer["data"].pointer(pointer).and_then(Value::as_str);
            whole.push_str(part.unwrap_or_else(|| panic!("{answer}")));
            assert_eq!(answer["data"]["_etag"], "\"v1\"");
            let info = &answer["data"]["pageInfo"];
            if info["hasNextPage"] == false {
                break;
            }
            params["after"] = info["endCursor"].clone();
        }
        assert_eq!(whole, long());
        params["fields"] = json!([if path == "content" { "meta.history.log" } else { "content" }]);
        let other = server.error(read(&params)).await;
        assert_eq!(other["details"]["reason"], "other_request", "{other}");
    }
    let detail = json!({"operation": "introspect", "params": {"query": "operations", "name": "get_file"}});
    let detail = server.data(detail).await;
    let named = |name: &str| {
        detail["operation"]["parameters"].as_array().unwrap().iter().any(|each| each["name"] == name)
    };
    assert!(named("after") && !named("first"), "{detail}");
}

/// Who asks for too much is told how the text can be read.
#[tokio::test]
async fn the_way_to_a_long_text_is_told() {
    let (server, _api) = serve().await;
    let error = server.error(read(&json!({"fields": ["name", "content"], "budget": 1_000}))).await;
    assert_eq!(error["code"], "VALIDATION_PAYLOAD_TOO_LARGE");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains(r#"fields: ["content"]"#), "{message}");
    let error = server.error(read(&json!({"fields": ["list"], "budget": 1_000}))).await;
    assert!(error["message"].as_str().unwrap().contains("Choose fewer 'fields'"), "{error}");
}
