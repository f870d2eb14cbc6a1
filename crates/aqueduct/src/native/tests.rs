//! Tests of `native`.

use crate::Aqueduct;
use aqueduct_operations::handler::HandlerError;
use aqueduct_operations::native::{AccessControl, OperationKind, OperationSpec};
use serde_json::{Map, Value, json};
use std::sync::Arc;

fn spec(name: &str) -> OperationSpec {
    OperationSpec {
        name: name.to_owned(),
        namespace: "shop".to_owned(),
        version: "1.0.0".to_owned(),
        kind: OperationKind::Query,
        description: "Counts things".to_owned(),
        input_schema: json!({"type": "object", "properties": {"upTo": {"type": "integer"}}, "required": ["upTo"]}),
        output_schema: json!(true),
        access_control: AccessControl::default(),
    }
}

async fn count(values: Map<String, Value>) -> Result<Value, HandlerError> {
    Ok(json!({"counted": values["upTo"]}))
}

async fn call(aqueduct: &Aqueduct, operation: &str, params: Value) -> Value {
    let reply = aqueduct.call_operation(operation, params.as_object().unwrap().clone()).await;
    serde_json::from_str(&reply.to_json()).unwrap()
}

/// S-registry-4 S-registry-5 S-registry-6 S-scanner-8 S-scanner-9 S-extend-4: a specification with its code, one whose code comes apart, and one
/// without any: the last is told of and not served. They are shown and called like any other.
#[tokio::test]
async fn together_apart_and_alone() {
    let handler = Arc::new(super::Function::new("shop.apart".to_owned(), count));
    let aqueduct = Aqueduct::builder()
        .operation(spec("together"), count)
        .operation_spec(spec("apart"))
        .handler("shop.apart", handler)
        .operation_spec(spec("alone"))
        .build()
        .unwrap();
    for operation in ["together", "apart"] {
        let answer = call(&aqueduct, operation, json!({"up_to": 3})).await;
        assert_eq!(answer["data"], json!({"counted": 3}), "{operation}: {answer}");
        let wrong = call(&aqueduct, operation, json!({})).await;
        assert_eq!(wrong["error"]["code"], "VALIDATION_MISSING_PARAM");
    }
    assert_eq!(call(&aqueduct, "alone", json!({})).await["error"]["code"], "NOT_FOUND_OPERATION");
    let told: Vec<&str> = aqueduct.diagnostics().iter().map(|each| each.code).collect();
    assert_eq!(told, ["NO_HANDLER"]);
}
