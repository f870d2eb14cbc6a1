//! Tests of `handler`.

use super::{failed, is_large_result};
use aqueduct_operations::handler::HandlerError;
use aqueduct_operations::size::LARGE;
use serde_json::json;

/// Whatever is long, in an answer or in an error, is looked through elsewhere.
#[test]
fn what_is_large_result() {
    let long = "x".repeat(LARGE + 1);
    let details = Some(json!({"data": [&long]}));
    assert!(is_large_result(&Ok(json!({"content": [{"type": "text", "text": &long}]}))));
    assert!(is_large_result(&Err(failed(long.clone()))));
    assert!(is_large_result(&Err(HandlerError::Failed { message: "no".to_owned(), details })));
    assert!(is_large_result(&Err(HandlerError::Refused { message: long })));
    assert!(!is_large_result(&Ok(json!({"content": []}))));
    assert!(!is_large_result(&Err(failed("no".to_owned()))));
}
