//! Faults of introspection: its lists, its details, and what it knows nothing of.
//!
//! Each is a change of one answer, in the table below.

use super::{Fault, code, inside, instead, remove};
use serde_json::json;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

/// How often the list was read.
static READS: AtomicUsize = AtomicUsize::new(0);

/// The list was read by a judge who looks for the tool of introspection, and then for its operations.
fn is_later() -> bool {
    READS.fetch_add(1, SeqCst) >= 2
}

pub(super) const FAULTS: &[Fault] = &[
    Fault { name: "none", rule: "", change: |_, _| {} },
    Fault {
        name: "list_item_with_more",
        rule: "X-intro-5",
        change: |request, answer| {
            if request.asks("operations", None) && code(answer).is_empty() {
                inside(answer, |result| result["data"]["operations"][0]["danger"] = "safe".into());
            }
        },
    },
    Fault {
        name: "list_without_version",
        rule: "X-intro-19",
        change: |request, answer| {
            if request.asks("operations", None) && code(answer).is_empty() {
                inside(answer, |result| remove(&mut result["data"]["_protocol"], "version"));
            }
        },
    },
    Fault {
        name: "false_mode",
        rule: "X-intro-21",
        change: |request, answer| {
            if request.asks("operations", None) && code(answer).is_empty() {
                inside(answer, |result| result["data"]["_protocol"]["mode"] = "single".into());
            }
        },
    },
    Fault {
        name: "introspection_with_meta",
        rule: "X-intro-1",
        change: |request, answer| {
            if request.asks("types", None) {
                inside(answer, |result| result["_meta"] = json!({}));
            }
        },
    },
    Fault {
        name: "details_with_more",
        rule: "X-intro-7",
        change: |request, answer| {
            if request.asks("operations", Some("get_todo")) {
                inside(answer, |result| result["data"]["operation"]["tags"] = json!([]));
            }
        },
    },
    Fault {
        name: "parameter_with_more",
        rule: "X-intro-9",
        change: |request, answer| {
            if request.asks("operations", Some("get_todo")) {
                inside(answer, |result| {
                    result["data"]["operation"]["parameters"][0]["hint"] = "x".into();
                });
            }
        },
    },
    Fault {
        name: "operation_without_details",
        rule: "X-intro-26",
        change: |request, answer| {
            if request.asks("operations", Some("list_todos")) {
                instead(answer, json!({"success": true, "data": {"operation": null}}));
            }
        },
    },
    Fault {
        name: "type_without_details",
        rule: "C9.2-1",
        change: |request, answer| {
            if request.asks("types", Some("Todo")) {
                instead(answer, json!({"success": true, "data": {"type": null}}));
            }
        },
    },
    Fault {
        name: "type_with_wrong_members",
        rule: "X-intro-17",
        change: |request, answer| {
            if request.asks("types", Some("Todo")) {
                inside(answer, |result| result["data"]["type"]["values"] = json!([]));
            }
        },
    },
    Fault {
        name: "unknown_name_is_an_error",
        rule: "X-intro-18",
        change: |request, answer| {
            if request.asks("operations", Some("no_such_name_anywhere")) {
                instead(
                    answer,
                    json!({"success": false, "error": {"code": "NOT_FOUND_OPERATION", "message": "There is no no_such_name_anywhere; introspect all."}}),
                );
            }
        },
    },
    Fault {
        name: "unknown_query_is_taken",
        rule: "X-intro-3",
        change: |request, answer| {
            if request.asks("no_such_query", None) {
                instead(answer, json!({"success": true, "data": {}}));
            }
        },
    },
    Fault {
        name: "batches_are_not_claimed",
        rule: "X-intro-22",
        change: |request, answer| {
            if request.asks("operations", None) && code(answer).is_empty() {
                inside(answer, |result| result["data"]["_protocol"]["capabilities"]["batch"] = false.into());
            }
        },
    },
    Fault {
        name: "list_that_changes",
        rule: "X-intro-34",
        change: |request, answer| {
            if request.asks("operations", None) && code(answer).is_empty() && is_later() {
                inside(answer, |result| result["data"]["operations"][0]["description"] = "Later".into());
            }
        },
    },
    Fault {
        name: "session_that_changes",
        rule: "C2.3.2-4",
        change: |request, answer| {
            if request.asks("operations", None) && code(answer).is_empty() && is_later() {
                inside(answer, |result| result["data"]["_protocol"]["session_id"] = "sess_other".into());
            }
        },
    },
    Fault {
        name: "one_mode_alone",
        rule: "X-conf-66",
        change: |request, answer| {
            if request.asks("operations", None) && code(answer).is_empty() {
                inside(answer, |result| remove(&mut result["data"]["_protocol"], "modes"));
            }
        },
    },
];
