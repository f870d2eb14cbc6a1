//! Faults of the envelope itself, in every failure or in every success: they hide what is in it, and are told once.
//!
//! Each is a change of all answers of a kind, in the table below.

use super::{Fault, Request, code, inside, remove};
use serde_json::{Value, json};

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "error_is_a_text",
        rule: "X-conf-8",
        change: |_, answer| in_failures(answer, |result| result["error"] = "It went wrong.".into()),
    },
    Fault {
        name: "failure_without_success",
        rule: "C5.1-1",
        change: |_, answer| in_failures(answer, |result| remove(result, "success")),
    },
    Fault {
        name: "message_without_words",
        rule: "X-conf-8",
        change: |_, answer| in_failures(answer, |result| result["error"]["message"] = "".into()),
    },
    Fault {
        name: "code_in_small_letters",
        rule: "X-conf-8",
        change: |_, answer| {
            in_failures(answer, |result| {
                let code = result["error"]["code"].as_str().unwrap_or_default().to_lowercase();
                result["error"]["code"] = code.into();
            });
        },
    },
    Fault {
        name: "confirmation_ends_some_day",
        rule: "X-conf-10",
        change: |request, answer| {
            if request.calls("delete_todo") && code(answer) == "CONFIRMATION_REQUIRED" {
                inside(answer, |result| result["confirmation"]["expires_at"] = "tomorrow".into());
            }
        },
    },
    Fault {
        name: "warning_is_a_text",
        rule: "X-warn-2",
        change: |request, answer| in_a_todo(request, answer, |result| result["warnings"] = json!(["slow"])),
    },
    Fault {
        name: "time_runs_backwards",
        rule: "X-conf-9",
        change: |request, answer| {
            in_a_todo(request, answer, |result| result["_meta"] = json!({"duration_ms": -1}));
        },
    },
];

/// Changes the answer if it is a failure of a call.
fn in_failures(answer: &mut Value, change: impl FnOnce(&mut Value)) {
    if super::result(answer)["success"] == false {
        inside(answer, change);
    }
}

/// Changes the answer if it is a to-do that was asked for by its number alone.
fn in_a_todo(request: &Request, answer: &mut Value, change: impl FnOnce(&mut Value)) {
    let is_plain = request.arguments["params"].as_object().is_some_and(|params| params.len() == 1);
    if request.calls("get_todo") && is_plain && code(answer).is_empty() {
        inside(answer, change);
    }
}
