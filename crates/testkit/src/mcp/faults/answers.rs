//! Faults of answers: how errors and successes are written and wrapped.
//!
//! Each is a change of one answer, in the table below.

use super::{Fault, code, inside, remove};
use serde_json::{Value, json};

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "leak",
        rule: "X-conf-62",
        change: |request, answer| {
            if request.calls("no_such_operation") {
                inside(answer, |result| {
                    let message = "Unknown operation: 'no_such_operation' (TypeError in handler)";
                    result["error"]["message"] = message.into();
                });
            }
        },
    },
    Fault {
        name: "error_with_more",
        rule: "X-conf-8",
        change: |request, answer| {
            if request.calls("no_such_operation") {
                inside(answer, |result| result["error"]["hint"] = "x".into());
            }
        },
    },
    Fault {
        name: "failure_with_data",
        rule: "X-conf-7",
        change: |request, answer| {
            if request.calls("no_such_operation") {
                inside(answer, |result| result["data"] = Value::Null);
            }
        },
    },
    Fault {
        name: "success_with_more",
        rule: "X-conf-6",
        change: |request, answer| {
            if request.calls("list_todos") && code(answer).is_empty() {
                inside(answer, |result| result["_took"] = 1.into());
            }
        },
    },
    Fault {
        name: "is_error_of_a_wrong_name",
        rule: "M4.1.3-3",
        change: |request, answer| {
            if request.calls("no_such_operation") {
                answer["result"]["isError"] = true.into();
            }
        },
    },
    Fault {
        name: "is_error_left_out",
        rule: "M4.1.3-4",
        change: |request, answer| {
            if request.calls("list_todos") {
                remove(&mut answer["result"], "isError");
            }
        },
    },
    Fault {
        name: "two_blocks",
        rule: "M4.1.3-1",
        change: |request, answer| {
            if request.calls("list_todos")
                && let Some(blocks) = answer["result"]["content"].as_array_mut()
            {
                blocks.push(json!({"type": "text", "text": "and more"}));
            }
        },
    },
    Fault {
        name: "another_session_in_errors",
        rule: "C2.3.5-5",
        change: |request, answer| {
            if request.calls("no_such_operation") {
                inside(answer, |result| result["error"]["details"]["session_id"] = "sess_other".into());
            }
        },
    },
    Fault {
        name: "unknown_operation_with_another_code",
        rule: "X-errors-16",
        change: |request, answer| {
            if request.calls("no_such_operation") {
                inside(answer, |result| result["error"]["code"] = "NOT_FOUND_RESOURCE".into());
            }
        },
    },
    Fault {
        name: "failure_of_json_rpc",
        rule: "M4.2-1",
        change: |request, answer| {
            if request.calls("get_todo") && !request.param("page").is_null() {
                remove(answer, "result");
                answer["error"] = json!({"code": -32602, "message": "Unknown parameter: page"});
            }
        },
    },
];
