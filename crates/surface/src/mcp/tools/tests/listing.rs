//! Which tools there are, their names, schemas and annotations, in every mode and profile (MCP document, sections 2.2,
//! 2.3, 3 and 6).

use super::{adapter, catalog, listed, mode, names, prefixed, profile, sample, tracker};
use crate::mcp::tool_set;
use crate::mcp::tools::tool_set_of;
use aqueduct_operations::call::{Caller, Scopes, ToolEndpoint};
use aqueduct_operations::exposure::{Exposure, Glob, Mode, Profile};
use serde_json::{Value, json};

const READ_ONLY: [(&str, &str, &str, &str); 1] = [("read", "list_things", "GET /things", "tags: []")];

/// C3.3-1 M1.1-1 M2.1.1-1 M7.2-1 X-modes-16: one tool a family, five in the standard profile.
#[test]
fn semantic_mode_has_one_tool_a_family() {
    let tools = listed(&tracker(Exposure::default()));
    let expected = ["mcp_aql_create", "mcp_aql_read", "mcp_aql_update", "mcp_aql_delete", "mcp_aql_execute"];
    assert_eq!(names(&tools), expected);
}

/// M1.4-2 M2.2.1-2 C0-2 X-modes-11: the other profile has families named by intent.
#[test]
fn discover_profile() {
    let tools = listed(&tracker(profile("discover")));
    assert_eq!(names(&tools), ["mcp_aql_discover", "mcp_aql_query", "mcp_aql_manage", "mcp_aql_operate"]);
}

/// M2.2.1-3: names do not depend on what a family holds.
#[test]
fn names_are_stable() {
    let few = listed(&sample(&READ_ONLY, profile("discover")));
    assert_eq!(names(&few), ["mcp_aql_discover", "mcp_aql_query"]);
}

/// M2.1.2-1 M1.4-1 C3.3-4: single mode has exactly one tool, whatever there is.
#[test]
fn single_mode_has_one_tool() {
    for catalog in [tracker(mode(Mode::Single)), sample(&READ_ONLY, mode(Mode::Single))] {
        assert_eq!(names(&listed(&catalog)), ["mcp_aql"]);
    }
}

/// C3.3-5 C3.3-6: both modes are there, also together; each tool opens its own endpoint.
#[test]
fn all_mode_has_both_sets() {
    let set = tool_set(&tracker(mode(Mode::All)));
    assert_eq!(set.tools.len(), 6);
    let endpoint = |name: &str| set.find(name).map(|(_, endpoint)| endpoint.clone());
    assert_eq!(endpoint("mcp_aql"), Some(ToolEndpoint::Any));
    assert_eq!(endpoint("mcp_aql_delete"), Some(ToolEndpoint::Family("delete".into())));
    assert_eq!(endpoint("mcp_aql_query"), None);
}

/// S1: a caller is told of no tool and no operation that needs a scope which the caller does not have.
#[test]
fn tools_of_one_caller() {
    let rows = [
        ("read", "list_things", "GET /things", "tags: []"),
        ("read", "list_secret_plans", "GET /plans", "required_scopes: [plans]"),
        ("create", "create_thing", "POST /things", "required_scopes: [write]"),
    ];
    let catalog = sample(&rows, Exposure { expose_operation_enum: true, ..Exposure::default() });
    let tools_for = |scopes: Scopes| {
        let set = tool_set_of(&catalog.view_of(&Caller::named("ada"), &scopes));
        let tools: Vec<Value> =
            set.tools.iter().map(|(tool, _)| serde_json::to_value(tool).unwrap()).collect();
        (tools, set.instructions)
    };
    let (tools, instructions) = tools_for(Scopes::none());
    assert_eq!(names(&tools), ["mcp_aql_read"]);
    let told = format!("{tools:?}{instructions}");
    assert!(
        told.contains("list_things") && !told.contains("plan") && !told.contains("create_thing"),
        "{told}"
    );
    let (tools, _) = tools_for(Scopes::only(["plans".to_owned(), "write".to_owned()]));
    assert_eq!(names(&tools), names(&listed(&catalog)));
}

/// Families without an operation are left out unless the operator wants them.
#[test]
fn empty_families() {
    assert_eq!(names(&listed(&sample(&READ_ONLY, Exposure::default()))), ["mcp_aql_read"]);
    let all = Exposure { register_empty_families: true, ..Exposure::default() };
    let tools = listed(&sample(&READ_ONLY, all));
    assert_eq!(tools.len(), 5);
    let text = tools[0]["description"].as_str().unwrap();
    assert!(text.contains("Supported operations: none. ") && !text.contains("Quick start"), "{text}");
}

/// M2.3-1 M2.3-2 M2.3-3 M2.3-4 M2.3-5 M2.3-6 M7.2-2: annotations of the five standard tools.
#[test]
fn standard_annotations() {
    let tools = listed(&tracker(Exposure::default()));
    let found: Vec<Value> = tools.iter().map(|tool| tool["annotations"].clone()).collect();
    let hints = |read_only, destructive| json!({"readOnlyHint": read_only, "destructiveHint": destructive});
    let expected =
        [hints(false, false), hints(true, false), hints(false, true), hints(false, true), hints(false, true)];
    assert_eq!(found, expected);
}

/// M2.3-7: other families are annotated by the riskiest thing they may hold.
#[test]
fn custom_annotations() {
    let tools = listed(&tracker(profile("discover")));
    let found: Vec<(Value, Value)> = tools
        .iter()
        .map(|tool| {
            (tool["annotations"]["readOnlyHint"].clone(), tool["annotations"]["destructiveHint"].clone())
        })
        .collect();
    let pair = |a: bool, b: bool| (json!(a), json!(b));
    assert_eq!(found, [pair(true, false), pair(true, false), pair(false, true), pair(false, true)]);
}

/// M2.3-7: one operation that acts makes its family one that acts, whatever else it holds.
#[test]
fn an_operation_by_name_counts_for_its_family() {
    let mut profile = Profile::crude();
    profile.name = "mine".to_owned();
    let read = profile.families.iter_mut().find(|family| family.name == "read").unwrap();
    read.operations = vec![Glob::parse("run_*").unwrap()];
    let hints = |rows: &[(&str, &str, &str, &str)]| {
        let tools = listed(&sample(rows, Exposure { profile: profile.clone(), ..Exposure::default() }));
        assert_eq!(names(&tools), ["mcp_aql_read"]);
        tools[0]["annotations"].clone()
    };
    assert_eq!(hints(&READ_ONLY), json!({"readOnlyHint": true, "destructiveHint": false}));
    let with_execute = [READ_ONLY[0], ("execute", "run_things", "POST /runs", "tags: []")];
    assert_eq!(hints(&with_execute), json!({"readOnlyHint": false, "destructiveHint": true}));
}

/// M2.3-8: the single tool may do anything, also where it now holds only reads.
#[test]
fn single_annotations() {
    let tools = listed(&sample(&READ_ONLY, mode(Mode::Single)));
    assert_eq!(tools[0]["annotations"], json!({"readOnlyHint": false, "destructiveHint": true}));
}

/// M3.1-1 M3.1-2 M7.1-2: the input schema of every tool in every mode.
#[test]
fn input_schema() {
    let expected = json!({
        "type": "object",
        "properties": {
            "operation": {"type": "string", "description": "Operation name"},
            "params": {"type": "object", "description": "Parameters", "additionalProperties": true},
        },
        "required": ["operation"],
    });
    for exposure in [Exposure::default(), profile("discover"), mode(Mode::Single), mode(Mode::All)] {
        for tool in listed(&tracker(exposure)) {
            assert_eq!(tool["inputSchema"], expected);
        }
    }
}

/// M3.3-1 M3.4-1 M3.4-2 M7.3-1: where the operator wants it, a tool lists its own operations, and nothing else changes.
#[test]
fn operation_enum() {
    let enumerated = |mode| Exposure { expose_operation_enum: true, mode, ..Exposure::default() };
    let tools = listed(&tracker(enumerated(Mode::Semantic)));
    assert_eq!(
        tools[3]["inputSchema"]["properties"]["operation"],
        json!({"type": "string", "description": "Operation name",
               "enum": ["delete_repository", "delete_label", "delete_issue_comment"]})
    );
    assert_eq!(tools[3]["inputSchema"]["required"], json!(["operation"]));
    let of = |tool: &Value| tool["inputSchema"]["properties"]["operation"]["enum"].clone();
    assert!(of(&tools[1]).as_array().unwrap().contains(&json!("introspect")));
    let single = listed(&tracker(enumerated(Mode::Single)));
    assert_eq!(of(&single[0]).as_array().unwrap().len(), 21);
    assert_eq!(of(&listed(&tracker(Exposure::default()))[0]), Value::Null);
}

/// M3.3-2: beyond a hundred names the list is left out.
#[test]
fn long_enums_are_left_out() {
    let many = |count: usize| {
        let named: Vec<String> = (0..count).map(|n| format!("list_things_{n}")).collect();
        let rows: Vec<_> = named.iter().map(|name| ("read", name.as_str(), "GET /t", "tags: []")).collect();
        let exposure = Exposure { expose_operation_enum: true, ..Exposure::default() };
        listed(&sample(&rows, exposure))[0]["inputSchema"]["properties"]["operation"]["enum"].clone()
    };
    assert_eq!(many(99).as_array().unwrap().len(), 100);
    assert_eq!(many(100), Value::Null);
}

/// M2.2.2-1 M6.1-1 M6.3-3 M7.1-5: two servers of one session differ in every tool name, once one has a prefix.
#[test]
fn prefixes_make_names_distinct() {
    let plain = listed(&tracker(mode(Mode::All)));
    let github = Exposure { mode: Mode::All, ..prefixed("github_") };
    let prefixed = listed(&tracker(github));
    for (with, without) in names(&prefixed).into_iter().zip(names(&plain)) {
        assert_eq!(with, format!("github_{without}"));
    }
    let text = serde_json::to_string(&prefixed).unwrap();
    assert!(text.contains(": github_mcp_aql_read {operation:") && !text.contains(" mcp_aql"), "{text}");
}

/// M6.5-4: names fit the rule by which clients group tools: the prefix before `mcp_aql`, the family after it, in the order
/// of the profile, also when the tools of several servers stand in one list.
#[test]
fn names_can_be_grouped() {
    let prefixes = ["", "github_", "my_db_2_"];
    for (all, expected) in [
        (mode(Mode::All), vec!["_create", "_read", "_update", "_delete", "_execute", ""]),
        (profile("discover"), vec!["_discover", "_query", "_manage", "_operate"]),
    ] {
        let servers = prefixes
            .map(|prefix| listed(&tracker(Exposure { prefix: prefixed(prefix).prefix, ..all.clone() })));
        let tools = servers.concat();
        for prefix in prefixes {
            let pairs = names(&tools).into_iter().map(|name| name.split_once("mcp_aql").unwrap());
            let group: Vec<&str> =
                pairs.filter(|(before, _)| *before == prefix).map(|(_, family)| family).collect();
            assert_eq!(group, expected, "{prefix}");
        }
        assert_eq!(tools.len(), prefixes.len() * expected.len(), "no tool is outside a group");
    }
}

/// Hidden operations are in no description, and a family with none left is not registered.
#[test]
fn hidden_operations_are_not_described() {
    let text = adapter(&[
        ("read", "list_things", "GET /things", "tags: []"),
        ("create", "create_thing", "POST /things", "params: { name: { type: string } }"),
    ])
    .replace("certified", "generated");
    for exposure in [Exposure::default(), mode(Mode::Single)] {
        let tools = listed(&catalog(&[("sample-adapter.md", &text)], exposure));
        assert_eq!(tools.len(), 1);
        assert!(!tools[0].to_string().contains("create_thing"));
    }
}
