//! Closed shapes.

use crate::shapes::{ShapeProblem, batch, introspection, is_time, operation_result};
use serde_json::{Value, json};

fn rules(shape_problems: &[ShapeProblem]) -> Vec<&'static str> {
    shape_problems.iter().map(|shape_problem| shape_problem.rule).collect()
}

/// X-conf-6 X-conf-7 X-conf-8 X-conf-9 X-conf-10 X-conf-11: both arms of a result are closed.
#[test]
fn results() {
    let confirmation = json!({"token": "conf_x", "expires_at": "2026-02-04T10:30:00Z", "more": 1});
    for right in [
        json!({"success": true, "data": null}),
        json!({"success": true, "data": 1, "warnings": [], "_meta": {"request_id": "a", "duration_ms": 1.5, "x": 1}}),
        json!({"success": true, "data": null, "results": [{"index": 0, "operation": "a", "result": {}, "x": 1}], "summary": {"total": 1, "succeeded": 1, "failed": 0}}),
        json!({"success": false, "error": {"code": "A_1", "message": "no", "details": {"any": 1}}}),
        json!({"success": false, "error": {"code": "A", "message": "no"}, "confirmation": confirmation, "deprecated": true, "removalVersion": "2"}),
    ] {
        assert_eq!(operation_result::result(&right), [], "{right}");
    }
    let error = json!({"code": "A", "message": "no"});
    for (wrong, rule) in [
        (json!({"success": true}), "X-conf-6"),
        (json!({"success": true, "data": 1, "_took": 1}), "X-conf-6"),
        (json!({"success": true, "data": 1, "_meta": {"duration_ms": "1"}}), "X-conf-9"),
        (json!({"success": true, "data": 1, "_meta": {"duration_ms": -1}}), "X-conf-9"),
        (json!({"success": true, "data": 1, "warnings": ["slow"]}), "X-warn-2"),
        (json!({"success": true, "data": 1, "warnings": [{"code": "SLOW"}]}), "X-warn-2"),
        (json!({"success": true, "data": 1, "warnings": [{"code": "slow", "message": "Slow."}]}), "X-warn-2"),
        (json!({"success": true, "data": 1, "results": [{"index": 0}]}), "X-conf-11"),
        (json!({"success": false, "error": error, "data": null}), "X-conf-7"),
        (json!({"success": false, "error": error, "_meta": {}}), "X-conf-7"),
        (json!({"success": false, "error": "no"}), "X-conf-8"),
        (json!({"success": false, "error": {"code": "a", "message": "no"}}), "X-conf-8"),
        (json!({"success": false, "error": {"code": "A"}}), "X-conf-8"),
        (
            json!({"success": false, "error": error, "confirmation": {"token": "x", "expires_at": "soon"}}),
            "X-conf-10",
        ),
        (json!({"success": "yes", "data": 1}), "C5.1-1"),
        (json!([]), "C5.1-1"),
    ] {
        assert_eq!(rules(&operation_result::result(&wrong))[0], rule, "{wrong}");
    }
}

/// X-conf-13 X-conf-14 X-conf-15 X-conf-16 X-conf-17 X-conf-18: batches, their items, and refusals of them are closed.
#[test]
fn batches() {
    let item = json!({"index": 0, "operation": "a", "result": {"success": true, "data": 1}});
    let summary = json!({"total": 1, "succeeded": 1, "failed": 0});
    let right = json!({"success": true, "data": null, "results": [item], "summary": summary});
    assert_eq!(batch::batch(&right), []);
    let halted = json!({"index": 1, "operation": "b", "result": {"success": false, "error": {"code": "C", "message": "m", "x": 1}}});
    let mut more = right.clone();
    more["halted_at"] = halted;
    more["pending_operations"] = json!([{"index": 2, "operation": "c", "params": {}}]);
    more["summary"]["pending"] = 1.into();
    assert_eq!(batch::batch(&more), []);
    let wrongs: [(&str, Value, &str); 6] = [
        ("/data", json!({}), "X-conf-13"),
        ("/warnings", json!([]), "X-conf-13"),
        ("/results/0/took", json!(1), "X-conf-14"),
        ("/results/0/result/warnings", json!([]), "X-conf-15"),
        ("/summary/more", json!(1), "X-conf-16"),
        ("/pending_operations/0/why", json!(1), "X-conf-16"),
    ];
    for (place, value, rule) in wrongs {
        let mut wrong = more.clone();
        let (parent, name) = place.rsplit_once('/').unwrap();
        wrong.pointer_mut(parent).unwrap()[name] = value;
        assert_eq!(rules(&batch::batch(&wrong)), [rule], "{place}");
    }
    // W16: one that a budget cut short says so, and gives the request that goes on.
    let mut cut = right.clone();
    cut["pending_operations"] = json!([{"index": 1, "operation": "c"}]);
    cut["next_request"] = json!({"operation": "batch"});
    cut["warnings"] = json!([{"code": "CUT", "message": "Cut."}]);
    assert_eq!(batch::batch(&cut), []);
    cut["pending_operations"] = json!([]);
    assert_eq!(rules(&batch::batch(&cut)), ["X-conf-13", "X-conf-13"], "nothing is pending");
    let refusal = json!({"success": false, "error": {"code": "C", "message": "m"}});
    assert_eq!(batch::refusal(&refusal), []);
    let detailed = json!({"success": false, "error": {"code": "C", "message": "m", "details": {}}});
    assert_eq!(rules(&batch::refusal(&detailed)), ["X-conf-17"]);
}

/// X-conf-20 X-conf-53 X-conf-54 X-conf-55: lists and details are closed; members of one kind of type are none of another.
#[test]
fn introspection_answers() {
    let info = json!({"name": "a", "semantic_category": "READ", "endpoint": "read", "description": ""});
    let list = json!({"success": true, "data": {"operations": [info]}});
    assert_eq!(introspection::operations(&list), [], "'_protocol' is not demanded");
    assert_eq!(
        introspection::types(&json!({"success": true, "data": {"types": []}})),
        [],
        "an empty list passes"
    );
    let failed = json!({"success": false, "error": {"code": "A", "message": "m"}});
    assert!(!introspection::operations(&failed).is_empty());
    for version in ["1.0.0-draft", "1.2.3"] {
        let told =
            json!({"success": true, "data": {"operations": [], "_protocol": {"version": version, "own": 1}}});
        assert_eq!(introspection::operations(&told), []);
    }
    for version in ["v1.0.0", "1.0", "1.0.0-", "1.0.0-a b"] {
        let told = json!({"success": true, "data": {"operations": [], "_protocol": {"version": version}}});
        assert_eq!(rules(&introspection::operations(&told)), ["X-intro-20"], "{version}");
    }
    let details = |kind: &str, key: &str, value: Value| {
        let mut detail = json!({"name": "T", "kind": kind});
        detail[key] = value;
        introspection::type_details(&json!({"success": true, "data": {"type": detail}}))
    };
    let fields = json!([{"name": "a", "type": "string", "required": true}]);
    let members =
        [("enum", "values", json!(["a"])), ("object", "fields", fields), ("union", "members", json!(["A"]))];
    for (kind, own, _) in &members {
        for (_, key, value) in &members {
            assert_eq!(details(kind, key, value.clone()).is_empty(), key == own, "{kind} with {key}");
        }
    }
    assert_eq!(details("scalar", "description", json!("d")), []);
    assert!(!details("scalar", "values", json!([])).is_empty());
}

#[test]
fn times() {
    for right in ["2026-02-04T10:30:00Z", "2026-02-04T10:30:00.123+05:30", "2026-02-04T10:30:00-01:00"] {
        assert!(is_time(right), "{right}");
    }
    for wrong in [
        "",
        "soon",
        "2026-02-04",
        "2026-02-04T10:30:00",
        "2026-02-04T10:30Z",
        "日本日本日本日本日本日本日本Z",
    ] {
        assert!(!is_time(wrong), "{wrong}");
    }
}
