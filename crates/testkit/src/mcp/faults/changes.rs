//! Faults of changes: updates that change nothing, deletions that do not wait, fields that cannot be changed and no one says so.
//!
//! Each is a change of answers, in the table below. A fault that has to remember something is alone in its process.

use super::{Fault, code, inside, instead, refuse, remove};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// A to-do has been deleted that the right server still has.
static IS_GONE: AtomicBool = AtomicBool::new(false);

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "deletes_before_the_yes",
        rule: "X-danger-24",
        change: |request, answer| {
            if request.calls("delete_todo") && code(answer) == "CONFIRMATION_REQUIRED" {
                IS_GONE.store(true, SeqCst);
            }
            if request.calls("get_todo") && IS_GONE.swap(false, SeqCst) {
                refuse(answer, "NOT_FOUND_RESOURCE", "There is no such to-do.");
            }
        },
    },
    Fault {
        name: "deletes_without_a_yes",
        rule: "X-danger-24",
        change: |request, answer| {
            if request.calls("delete_todo") && code(answer) == "CONFIRMATION_REQUIRED" {
                IS_GONE.store(true, SeqCst);
                instead(answer, json!({"success": true, "data": {}}));
            }
            if request.calls("get_todo") && IS_GONE.swap(false, SeqCst) {
                refuse(answer, "NOT_FOUND_RESOURCE", "There is no such to-do.");
            }
        },
    },
    Fault {
        name: "not_to_be_read_back",
        rule: "X-conf-65",
        change: |request, answer| {
            // The list has five to-dos of its own.
            let number = request.param("todo_id").as_str().and_then(|number| number.parse::<u64>().ok());
            if request.calls("get_todo") && number.is_some_and(|number| number > 5) {
                refuse(answer, "NOT_FOUND_RESOURCE", "There is no such to-do.");
            }
        },
    },
    Fault {
        name: "not_to_be_read_after_a_change",
        rule: "X-conf-65",
        change: |request, answer| {
            let title = super::result(answer)["data"]["title"].clone();
            if request.calls("get_todo")
                && title.as_str().is_some_and(|title| title.starts_with("conformance"))
            {
                refuse(answer, "NOT_FOUND_RESOURCE", "There is no such to-do.");
            }
        },
    },
    Fault {
        name: "optional_is_required",
        rule: "X-conf-25",
        change: |request, answer| {
            if request.asks("operations", Some("create_todo")) {
                inside(answer, |result| {
                    let parameters = result["data"]["operation"]["parameters"].as_array_mut();
                    let title = parameters.into_iter().flatten().find(|each| each["name"] == "title");
                    title.into_iter().for_each(|title| title["required"] = false.into());
                });
            }
        },
    },
    Fault {
        name: "another_default_for_new_ones",
        rule: "X-conf-59",
        change: |request, answer| {
            if request.calls("create_todo") && request.param("done").is_null() && code(answer).is_empty() {
                inside(answer, |result| result["data"]["done"] = true.into());
            }
        },
    },
    Fault {
        name: "update_without_effect",
        rule: "C4.5.1-2",
        change: |request, answer| {
            if request.calls("get_todo") {
                inside(answer, |result| {
                    if result["data"]["title"].as_str().is_some_and(|title| title.ends_with(" changed")) {
                        result["data"]["title"] = "As it was".into();
                    }
                });
            }
        },
    },
    Fault {
        name: "update_without_input",
        rule: "C4.5.3-1",
        change: |request, answer| {
            if request.asks("operations", Some("update_todo")) {
                inside(answer, |result| with_input(result, |input| input["required"] = false.into()));
            }
            if request.calls("update_todo")
                && request.param("input").is_null()
                && code(answer) == "VALIDATION_MISSING_PARAM"
            {
                instead(answer, json!({"success": true, "data": {}}));
            }
        },
    },
    Fault {
        name: "fixed_field_is_not_told",
        rule: "X-conf-33",
        change: |request, answer| {
            if request.asks("operations", Some("update_todo")) {
                inside(answer, |result| with_input(result, |input| remove(input, "items")));
            }
        },
    },
];

/// Changes the description of the parameter `input`.
fn with_input(result: &mut Value, change: impl FnOnce(&mut Value)) {
    let parameters = result["data"]["operation"]["parameters"].as_array_mut();
    if let Some(input) = parameters.into_iter().flatten().find(|parameter| parameter["name"] == "input") {
        change(input);
    }
}
