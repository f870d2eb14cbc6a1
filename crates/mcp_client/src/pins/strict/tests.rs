//! Tests of `strict`.

use super::stricter;
use serde_json::{Value, json};

#[test]
fn the_stricter_claim_counts() {
    let tool = |annotations: Value| json!({"name": "x", "annotations": annotations});
    let (reads, writes) = (json!({"readOnlyHint": true}), json!({"readOnlyHint": false}));
    let destroys = json!({"readOnlyHint": false, "destructiveHint": true});
    for (before, now, counts) in [
        (&writes, &reads, Some(writes.clone())),
        (&json!({}), &reads, Some(json!({}))),
        (&destroys, &reads, Some(destroys.clone())),
        (&destroys, &json!({}), Some(destroys.clone())),
        (&json!({}), &json!({"idempotentHint": true}), Some(json!({}))),
        (&reads, &reads, None),
        (&reads, &writes, None),
        (&reads, &destroys, None),
        (&reads, &json!({}), None),
    ] {
        let expected = counts.map(&tool);
        assert_eq!(stricter(&tool(before.clone()), &tool(now.clone())), expected, "{before} {now}");
    }
    assert_eq!(stricter(&json!({"name": "x"}), &tool(reads)), Some(tool(json!({}))));
}
