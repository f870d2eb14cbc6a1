//! Tests of `references`.

use super::{carry_over, referred, resolve};
use serde_json::{Value, json};

fn resolved(mut value: Value) -> Result<Value, String> {
    let done = json!({"success": true, "data": {"id": 7, "tags": ["a", {"b": null}], "odd": "$results[1]"}});
    let failed = json!({"success": false, "error": {"code": "NOT_FOUND_RESOURCE", "message": "m"}});
    let earlier = |index: usize| match index {
        0 => Some(&done),
        1 => Some(&failed),
        _ => None,
    };
    resolve(&mut value, &earlier, &mut 1_000).map_err(|dangling| dangling.why)?;
    Ok(value)
}

/// Ruling W6: a whole string refers, to any value, anywhere in the parameters; nothing else does.
#[test]
fn references() {
    for (written, meant) in [
        (json!("$results[0].data.id"), json!(7)),
        (json!({"a": ["$results[0].data.tags[0]"]}), json!({"a": ["a"]})),
        (json!("$results[0].data.tags[1].b"), json!(null)),
        (json!("$results[0].data.odd"), json!("$results[1]")),
        (json!("see $results[0].data.id"), json!("see $results[0].data.id")),
        (json!("$$results[0].data.id"), json!("$results[0].data.id")),
        (json!("$$$results[0]"), json!("$$results[0]")),
        (json!("$$100"), json!("$$100")),
        (json!("$resultsx"), json!("$resultsx")),
    ] {
        assert_eq!(resolved(written.clone()), Ok(meant), "{written}");
    }
    for (written, why) in [
        ("$results[2].data", "not an earlier one"),
        ("$results[1].data.id", "operation 1 failed"),
        ("$results[1].error.code", "operation 1 failed"),
        ("$results.0.data.id", "must look like"),
        ("$result[0].data.id", "must look like"),
        ("$results[0].data.nothing", "no 'nothing'"),
        ("$results[0].data.tags[9]", "no element 9"),
        ("$results[x].data", "must look like"),
        ("$results[0]..data", "must look like"),
        ("$results[0].data[", "must look like"),
        ("$results[99999999999999999999999]", "must look like"),
    ] {
        let error = resolved(json!(written)).unwrap_err();
        assert!(error.contains(why), "{written}: {error}");
    }
    assert_eq!(referred(&json!({"a": ["$results[3].x", "$$results[4]", {"b": "$results[1]"}]})), [3, 1]);
}

/// A few bytes stand for many: all together they are no more than a request may have.
#[test]
fn references_do_not_multiply() {
    let many = json!(vec!["$results[0].data"; 100]);
    assert!(resolved(many).unwrap_err().contains("larger than a request may be"));
    assert!(resolved(json!(vec!["$results[0].data.id"; 100])).is_ok());
}

/// O7.5.3-2: parameters that are sent again mean the same in the batch that goes on.
#[test]
fn carried_over() {
    let done = json!({"success": true, "data": {"id": 7, "odd": "$results[1]"}});
    let earlier = |index: usize| if index == 0 { Some(&done) } else { None };
    let mut params =
        json!(["$results[0].data.id", "$results[2].data.id", "$$results[0]", "$results[0].data.odd"]);
    carry_over(&mut params, 2, &earlier);
    assert_eq!(params, json!([7, "$results[0].data.id", "$$results[0]", "$$results[1]"]));
}
