//! Faults of what operations do, how tools are described, and lists and batches.
//!
//! Each is a change of one answer, in the table below.

use super::{Fault, code, inside, instead, remove, tool};
use serde_json::{Value, json};

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "lost_field",
        rule: "X-conf-65",
        change: |request, answer| {
            if request.calls("get_todo") && request.param("fields").is_null() && code(answer).is_empty() {
                inside(answer, |result| remove(&mut result["data"], "due"));
            }
        },
    },
    Fault {
        name: "fixed_field_is_taken",
        rule: "X-conf-33",
        change: |request, answer| {
            if request.calls("update_todo") && !request.param("input")["id"].is_null() {
                instead(answer, json!({"success": true, "data": {}}));
            }
        },
    },
    Fault {
        name: "still_there",
        rule: "C8.1-4",
        change: |request, answer| {
            if request.calls("get_todo") && code(answer) == "NOT_FOUND_RESOURCE" {
                instead(answer, json!({"success": true, "data": {"id": "9"}}));
            }
        },
    },
    Fault {
        name: "token_without_end",
        rule: "X-errors-22",
        change: |request, answer| {
            if request.calls("delete_todo") && code(answer) == "CONFIRMATION_REQUIRED" {
                inside(answer, |result| {
                    remove(result, "confirmation");
                    remove(&mut result["error"]["details"], "expires_at");
                });
            }
        },
    },
    Fault {
        name: "token_works_twice",
        rule: "X-token-15",
        change: |request, answer| {
            if request.calls("delete_todo") && code(answer) == "TOKEN_ALREADY_USED" {
                instead(answer, json!({"success": true, "data": {}}));
            }
        },
    },
    Fault {
        name: "false_permissions",
        rule: "C6.1-1",
        change: |request, answer| {
            if request.asks("operations", Some("create_todo")) {
                inside(answer, |result| {
                    result["data"]["operation"]["permissions"]["destructive"] = true.into();
                });
            }
        },
    },
    Fault {
        name: "false_hints",
        rule: "M2.3-2",
        change: |request, answer| {
            if let Some(tool) = tool(request, answer, "mcp_aql_read") {
                tool["annotations"]["destructiveHint"] = true.into();
            }
        },
    },
    Fault {
        name: "description_without_introspect",
        rule: "M2.1-1",
        change: |request, answer| {
            if let Some(tool) = tool(request, answer, "mcp_aql_delete") {
                tool["description"] = "Removes to-dos.".into();
            }
        },
    },
    Fault {
        name: "schema_without_params",
        rule: "M3.1-1",
        change: |request, answer| {
            if let Some(tool) = tool(request, answer, "mcp_aql_update") {
                remove(&mut tool["inputSchema"]["properties"], "params");
            }
        },
    },
    Fault {
        name: "any_tool_will_do",
        rule: "C6.2-3",
        change: |request, answer| {
            let is_right = request.param("no_such_parameter").is_null();
            if request.tool == "mcp_aql_create" && request.calls("introspect") && is_right {
                instead(answer, json!({"success": true, "data": {"operations": []}}));
            }
        },
    },
    Fault {
        name: "wrong_tool_with_another_code",
        rule: "O6.3-3",
        change: |request, answer| {
            if request.tool == "mcp_aql_create" && request.calls("list_todos") {
                inside(answer, |result| result["error"]["code"] = "VALIDATION_INVALID_VALUE".into());
            }
        },
    },
    Fault {
        name: "no_operation_needed",
        rule: "C4.1-1",
        change: |request, answer| {
            if request.arguments == json!({}) {
                instead(answer, json!({"success": true, "data": null}));
            }
        },
    },
    Fault {
        name: "any_case_will_do",
        rule: "X-modes-8",
        change: |request, answer| {
            if request.calls("Introspect") {
                instead(answer, json!({"success": true, "data": {}}));
            }
        },
    },
    Fault {
        name: "depth_without_end",
        rule: "C4.7.5-5",
        change: |request, answer| {
            if request.calls("introspect")
                && request.param("name").is_array()
                && code(answer) == "VALIDATION_PAYLOAD_TOO_LARGE"
            {
                instead(answer, json!({"success": true, "data": {"operation": null}}));
            }
        },
    },
    Fault {
        name: "null_characters",
        rule: "C4.7.1-7",
        change: |request, answer| {
            if request.param("name").as_str().is_some_and(|name| name.contains('\0')) {
                instead(answer, json!({"success": true, "data": {"operation": null}}));
            }
        },
    },
    Fault {
        name: "fields_are_not_chosen",
        rule: "X-fields-1",
        change: |request, answer| {
            if request.calls("get_todo") && request.param("fields").is_array() {
                inside(answer, |result| result["data"]["more"] = 1.into());
            }
        },
    },
    Fault {
        name: "page_without_a_flag",
        rule: "X-page-5",
        change: |request, answer| {
            if request.calls("list_todos") && request.param("first") == 2 {
                inside(answer, |result| remove(&mut result["data"]["pageInfo"], "hasPreviousPage"));
            }
        },
    },
    Fault {
        name: "page_that_loses_an_item",
        rule: "X-page-13",
        change: |request, answer| {
            if request.calls("list_todos") && request.param("first") == 2 && !request.param("after").is_null()
            {
                inside(answer, |result| {
                    result["data"]["items"].as_array_mut().and_then(Vec::pop);
                });
            }
        },
    },
    Fault {
        name: "constraint_without_effect",
        rule: "X-conf-67",
        change: |request, answer| {
            if request.calls("get_todo") && request.param("todo_id") == "" {
                instead(answer, json!({"success": true, "data": {"id": ""}}));
            }
        },
    },
    Fault {
        name: "batch_item_with_more",
        rule: "X-conf-14",
        change: |request, answer| {
            if request.arguments["operations"].is_array() {
                inside(answer, |result| {
                    if result.get("results").is_some() {
                        result["results"][0]["took"] = 1.into();
                    }
                });
            }
        },
    },
    Fault {
        name: "batch_out_of_order",
        rule: "O7.3-1",
        change: |request, answer| {
            if request.arguments["operations"].is_array() {
                inside(answer, |result| {
                    if let Some(results) = result.get_mut("results").and_then(Value::as_array_mut) {
                        results.reverse();
                    }
                });
            }
        },
    },
    Fault {
        name: "batch_without_a_count",
        rule: "X-conf-13",
        change: |request, answer| {
            if request.arguments["operations"].is_array() {
                inside(answer, |result| remove(result, "summary"));
            }
        },
    },
    Fault {
        name: "batch_miscounted",
        rule: "O7.2-3",
        change: |request, answer| {
            if request.arguments["operations"].as_array().is_some_and(|items| items.len() == 3) {
                inside(answer, |result| result["summary"]["failed"] = 0.into());
            }
        },
    },
    Fault {
        name: "empty_batch",
        rule: "X-conf-12",
        change: |request, answer| {
            if request.arguments["operations"] == json!([]) {
                let summary = json!({"total": 0, "succeeded": 0, "failed": 0});
                instead(answer, json!({"success": true, "data": null, "results": [], "summary": summary}));
            }
        },
    },
    Fault {
        name: "batch_item_ends_the_batch",
        rule: "O7.3-2",
        change: |request, answer| {
            if request.arguments["operations"].as_array().is_some_and(|items| items.len() == 3) {
                inside(answer, |result| {
                    let error =
                        json!({"code": "VALIDATION_INVALID_VALUE", "message": "An item before it failed."});
                    result["results"][2]["result"] = json!({"success": false, "error": error});
                });
            }
        },
    },
    Fault {
        name: "batches_are_refused",
        rule: "X-conf-66",
        change: |request, answer| {
            if request.arguments["operations"].is_array() {
                let error =
                    json!({"code": "VALIDATION_INVALID_VALUE", "message": "Batches are not taken here."});
                instead(answer, json!({"success": false, "error": error}));
            }
        },
    },
    Fault {
        name: "first_with_last",
        rule: "X-page-3",
        change: |request, answer| {
            if request.calls("list_todos") && request.param("first") == 1 && request.param("last") == 1 {
                instead(answer, json!({"success": true, "data": {}}));
            }
        },
    },
];
