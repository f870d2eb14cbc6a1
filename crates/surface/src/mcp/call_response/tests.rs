//! A response is the one that the SDK would write, whatever the reply and the id are.

use super::call_response;
use crate::mcp::server::tool_result;
use aqueduct_operations::failure::{Code, Failure};
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::reply::{Reply, Success, Warning};
use rmcp::model::{RequestId, ServerJsonRpcMessage, ServerResult};
use serde_json::{Value, json};

fn by_the_sdk(id: &RequestId, reply: &Reply) -> String {
    let mut result = ServerResult::CallToolResult(tool_result(reply));
    result.strip_result_type_for_legacy_peer();
    serde_json::to_string(&ServerJsonRpcMessage::response(result, id.clone())).unwrap()
}

#[test]
fn responses_are_those_of_the_sdk() {
    let data = json!({"text": "a \"quoted\" \\ line\nand another \u{1}", "many": vec!["\"é\" 日本"; 400]});
    let mut success = Success::of(RawJson::of(&data));
    let plain = Reply::Success(success.clone());
    success.warnings.push(Warning::new("SLOW", "It took \"long\".").with("seconds", 3));
    success.meta.insert("http".to_owned(), json!({"status": 200}));
    let replies = [
        plain,
        Reply::Success(success),
        Reply::Success(Success::of(RawJson::of(&Value::Null))),
        Reply::Failure(Failure::new(Code::NotFoundOperation, "There is no \"x\".")),
        Reply::Failure(Failure::new(Code::InternalError, "It failed.")),
    ];
    let ids = [json!(7), json!(-1), json!("an \"id\"\n"), json!("")];
    for id in ids.map(|id| serde_json::from_value::<RequestId>(id).unwrap()) {
        for reply in &replies {
            let written = String::from_utf8(call_response(&id, reply).unwrap()).unwrap();
            assert_eq!(written, by_the_sdk(&id, reply));
        }
    }
}

#[test]
fn a_response_and_the_end_of_its_line_fit_into_the_memory_that_was_taken() {
    let data = json!(vec![json!({"id": 1, "doctor": "Doctor 1", "cost": 1.5, "paid": true}); 1000]);
    let reply = Reply::Success(Success::of(RawJson::of(&data)));
    let written = call_response(&RequestId::Number(1), &reply).unwrap();
    assert!(written.capacity() > written.len());
    assert!(written.capacity() < data.to_string().len() * 3 / 2);
}
