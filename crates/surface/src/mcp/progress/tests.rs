//! Tests of `progress`.

use super::with_token_in_meta;
use bytes::Bytes;
use serde_json::{Value, json};

#[test]
fn tokens_are_put_where_the_sdk_looks() {
    let hoist = |message: &Value| -> Value {
        serde_json::from_slice(&with_token_in_meta(Bytes::from(message.to_string()))).unwrap()
    };
    let inside = json!({"params": {"name": "t", "arguments": {"_meta": {"progressToken": 5}}}});
    assert_eq!(hoist(&inside)["params"]["_meta"], json!({"progressToken": 5}));
    for other in [
        json!({"params": {"name": "t", "arguments": {"note": "progressToken"}}}),
        json!({"params": {"arguments": {"_meta": {"progressToken": 5}}, "_meta": {"progressToken": 6}}}),
        json!({"progressToken": 1}),
        json!({"params": ["progressToken"]}),
    ] {
        assert_eq!(hoist(&other), other);
    }
    assert_eq!(
        with_token_in_meta(Bytes::from_static(b"progressToken")),
        Bytes::from_static(b"progressToken")
    );
}
