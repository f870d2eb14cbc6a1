//! Faults of tools: hints that are not those of the specification, and requests that a tool treats as another would.
//!
//! Each is a change of one answer, in the table below.

use super::{Fault, Request, inside, refuse, remove, tool};
use serde_json::Value;

/// Those of a server in semantic mode.
pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "no_hints",
        rule: "M2.3-1",
        change: |request, answer| {
            if let Some(tool) = tool(request, answer, "mcp_aql_update") {
                remove(tool, "annotations");
            }
        },
    },
    Fault {
        name: "false_hints_of_create",
        rule: "M2.3-3",
        change: |request, answer| is_destructive(request, answer, "mcp_aql_create", true),
    },
    Fault {
        name: "false_hints_of_update",
        rule: "M2.3-4",
        change: |request, answer| is_destructive(request, answer, "mcp_aql_update", false),
    },
    Fault {
        name: "false_hints_of_delete",
        rule: "M2.3-5",
        change: |request, answer| is_destructive(request, answer, "mcp_aql_delete", false),
    },
    Fault {
        name: "parameters_before_the_tool",
        rule: "C3.2-1",
        change: |request, answer| {
            let is_wrong_twice = !request.param("no_such_parameter").is_null();
            if request.tool == "mcp_aql_create" && request.calls("introspect") && is_wrong_twice {
                inside(answer, |result| result["error"]["code"] = "VALIDATION_UNKNOWN_PARAM".into());
            }
        },
    },
];

/// Those of a server in mode `all`.
pub(super) const OF_ALL_MODES: &[Fault] = &[
    Fault {
        name: "false_hints_of_the_single_tool",
        rule: "M2.3-8",
        change: |request, answer| is_destructive(request, answer, "mcp_aql", false),
    },
    Fault {
        name: "not_reached_through_the_single_tool",
        rule: "C3.3-4",
        change: |request, answer| {
            if request.tool == "mcp_aql" && request.calls("list_todos") {
                refuse(answer, "NOT_FOUND_OPERATION", "Unknown operation: 'list_todos'");
            }
        },
    },
];

/// Those of a server with operations that run something, which the to-do list has not.
pub(super) const OF_THE_SAMPLE: &[Fault] = &[Fault {
    name: "false_hints_of_execute",
    rule: "M2.3-6",
    change: |request, answer| is_destructive(request, answer, "mcp_aql_execute", false),
}];

fn is_destructive(request: &Request, answer: &mut Value, name: &str, is_destructive: bool) {
    if let Some(tool) = tool(request, answer, name) {
        tool["annotations"]["destructiveHint"] = is_destructive.into();
    }
}
