//! Tests of `native`.

use crate::Aqueduct;
use aqueduct_operations::handler::HandlerError;
use aqueduct_operations::native::{AccessControl, OperationKind, OperationSpec};
use aqueduct_operations::response::CacheRule;
use aqueduct_source_kind::settings::SourceSettings;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

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
    let handler = Arc::new(super::FunctionHandler::new("shop.apart".to_owned(), count));
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

/// What is set for a namespace of functions holds for their results: they are cached as those of any other source.
#[tokio::test]
async fn results_are_cached_where_that_is_set() {
    let runs = Arc::new(AtomicU64::new(0));
    let build = |cache: Option<CacheRule>| {
        let runs = Arc::clone(&runs);
        let number = move |_| std::future::ready(Ok(json!(runs.fetch_add(1, Ordering::Relaxed))));
        let settings = SourceSettings { cache, ..SourceSettings::default() };
        Aqueduct::builder()
            .operation(spec("get_number"), number)
            .settings_for("shop", settings)
            .build()
            .unwrap()
    };
    let cached = build(Some(CacheRule { enabled: true, ttl: Some(Duration::from_secs(60)) }));
    for (up_to, expected) in [(1, 0), (1, 0), (2, 1), (1, 0)] {
        assert_eq!(call(&cached, "get_number", json!({"up_to": up_to})).await["data"], expected);
    }
    let plain = build(None);
    for expected in [2, 3] {
        assert_eq!(call(&plain, "get_number", json!({"up_to": 1})).await["data"], expected);
    }
}
