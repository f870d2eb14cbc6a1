//! Faults of parameters: required, unknown and default ones, their types, and where they stand.
//!
//! Each is a change of one answer, in the table below.

use super::{Fault, inside, instead, remove};
use serde_json::json;

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "undocumented_parameter",
        rule: "X-conf-26",
        change: |request, answer| {
            if request.asks("operations", Some("list_todos")) {
                inside(answer, |result| {
                    if let Some(parameters) = result["data"]["operation"]["parameters"].as_array_mut() {
                        parameters.retain(|parameter| parameter["name"] != "query");
                    }
                });
            }
        },
    },
    Fault {
        name: "required_is_optional",
        rule: "X-conf-57",
        change: |request, answer| {
            let is_empty = request.arguments["params"] == json!({}) && request.arguments["todo_id"].is_null();
            if request.calls("get_todo") && is_empty {
                instead(answer, json!({"success": true, "data": {"id": "1"}}));
            }
        },
    },
    Fault {
        name: "missing_with_another_code",
        rule: "C5.3-1",
        change: |request, answer| {
            if request.calls("get_todo") && request.arguments["params"] == json!({}) {
                inside(answer, |result| result["error"]["code"] = "VALIDATION_INVALID_VALUE".into());
            }
        },
    },
    Fault {
        name: "unknown_parameter_is_ignored",
        rule: "X-conf-58",
        change: |request, answer| {
            if request.calls("get_todo") && !request.param("no_such_parameter").is_null() {
                instead(answer, json!({"success": true, "data": {"id": "1"}}));
            }
        },
    },
    Fault {
        name: "unknown_parameter_only_warns",
        rule: "C4.6-1",
        change: |request, answer| {
            if request.calls("get_todo") && !request.param("no_such_parameter").is_null() {
                let warning = json!({"code": "IGNORED", "message": "Ignored: no_such_parameter."});
                instead(answer, json!({"success": true, "data": {"id": "1"}, "warnings": [warning]}));
            }
        },
    },
    Fault {
        name: "another_default",
        rule: "X-conf-59",
        change: |request, answer| {
            let keys = request.arguments["params"].as_object().map_or(0, serde_json::Map::len);
            let is_right = request.param("limit").as_u64().is_some();
            if request.calls("list_todos") && keys == 1 && is_right {
                inside(answer, |result| result["data"]["items"] = json!([]));
            }
        },
    },
    Fault {
        name: "wrong_type_is_taken",
        rule: "O5.4-2",
        change: |request, answer| {
            if request.calls("get_todo") && request.param("todo_id").is_object() {
                instead(answer, json!({"success": true, "data": {"id": "1"}}));
            }
        },
    },
    Fault {
        name: "message_without_the_parameter",
        rule: "X-conf-31",
        change: |request, answer| {
            if request.calls("get_todo") && request.param("todo_id").is_object() {
                inside(answer, |result| result["error"]["message"] = "A value is no string".into());
            }
        },
    },
    Fault {
        name: "message_without_the_type",
        rule: "X-conf-64",
        change: |request, answer| {
            if request.calls("get_todo") && request.param("todo_id").is_object() {
                inside(answer, |result| result["error"]["message"] = "Wrong value: todo_id".into());
            }
        },
    },
    Fault {
        name: "top_level_is_not_read",
        rule: "C4.4-2",
        change: |request, answer| {
            if request.calls("get_todo") && !request.arguments["todo_id"].is_null() {
                inside(answer, |result| result["data"] = json!({}));
            }
        },
    },
    Fault {
        name: "top_level_wins",
        rule: "C4.2-2",
        change: |request, answer| {
            if request.calls("introspect")
                && request.arguments["query"] == "types"
                && request.param("query") == "operations"
            {
                instead(answer, json!({"success": true, "data": {"types": []}}));
            }
        },
    },
    Fault {
        name: "text_is_taken_silently",
        rule: "C4.1-2",
        change: |request, answer| {
            if request.arguments["params"].is_string() {
                inside(answer, |result| remove(result, "warnings"));
            }
        },
    },
    Fault {
        name: "unknown_parameter_with_another_code",
        rule: "C4.6-2",
        change: |request, answer| {
            if request.calls("get_todo") && !request.param("no_such_parameter").is_null() {
                inside(answer, |result| result["error"]["code"] = "VALIDATION_INVALID_VALUE".into());
            }
        },
    },
    Fault {
        name: "unknown_parameter_without_the_known_ones",
        rule: "C4.6-3",
        change: |request, answer| {
            if request.calls("get_todo") && !request.param("no_such_parameter").is_null() {
                inside(answer, |result| remove(&mut result["error"]["details"], "valid_params"));
            }
        },
    },
];
