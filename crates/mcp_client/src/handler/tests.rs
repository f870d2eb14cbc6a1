//! Tests of `handler`.

use super::{failed, takes_long};
use aqueduct_operations::handler::HandlerError;
use aqueduct_operations::size::LARGE;
use serde_json::json;

/// Whatever is long, in an answer or in an error, is looked through elsewhere.
#[test]
fn what_takes_long() {
    let long = "x".repeat(LARGE + 1);
    let details = Some(json!({"data": [&long]}));
    assert!(takes_long(&Ok(json!({"content": [{"type": "text", "text": &long}]}))));
    assert!(takes_long(&Err(failed(long.clone()))));
    assert!(takes_long(&Err(HandlerError::Failed { message: "no".to_owned(), details })));
    assert!(takes_long(&Err(HandlerError::Refused { message: long })));
    assert!(!takes_long(&Ok(json!({"content": []}))));
    assert!(!takes_long(&Err(failed("no".to_owned()))));
}
