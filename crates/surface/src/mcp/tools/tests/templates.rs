//! The description templates of the MCP document (section 2.1), part by part and in order; whole descriptors are kept
//! as snapshots.

use super::{adapter, catalog, description, listed, mode, profile, sample, tracker};
use crate::mcp::describe::{self, TextLength};
use aqueduct_operations::category::Category;
use aqueduct_operations::exposure::{Exposure, Family, Mode};
use aqueduct_operations::operation::RegistryEntry;
use serde_json::Value;

/// Each part must come after the one before it.
fn in_order(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let at = rest.find(part).unwrap_or_else(|| panic!("{part:?} is missing or out of order in:\n{text}"));
        rest = &rest[at + part.len()..];
    }
}

const WHOLE_CALL: &str = r#"{ operation: "introspect", params: { query: "operations" } }"#;

/// M2.1.1-2 M2.1.1-3: the CREATE template. Its example is a search of the tool that takes it, whose answer has the name, the required
/// parameters and a request.
#[test]
fn create() {
    let tools = listed(&tracker(Exposure::default()));
    in_order(
        description(&tools, "mcp_aql_create"),
        &[
            "Creates data. ",
            "Supported operations: 4. ",
            "Only adds. ",
            "Quick start examples, discover required parameters: ",
            r#"mcp_aql_read {operation:"introspect",params:{search:"create issue"}}"#,
        ],
    );
}

/// M2.1.1-2 M2.1.1-3: the READ template, led by what the server covers.
#[test]
fn read() {
    let tools = listed(&tracker(Exposure::default()));
    in_order(
        description(&tools, "mcp_aql_read"),
        &[
            "Safe, read-only operations. ",
            "Covers project-tracker: ",
            "Supported operations: 7. ",
            "Never changes state. ",
            r#"Quick start examples: {operation:"introspect",params:{search:"list pulls"}} "#,
            r#"Discover all operations and parameters: {operation:"introspect",params:{query:"operations"}}"#,
        ],
    );
}

/// M2.1.1-2 M2.1.1-3: the UPDATE template.
#[test]
fn update() {
    let tools = listed(&tracker(Exposure::default()));
    in_order(
        description(&tools, "mcp_aql_update"),
        &[
            "Modifies data. ",
            "Supported operations: 4. ",
            "Overwrites values. ",
            "Quick start example, discover required parameters: ",
            r#"mcp_aql_read {operation:"introspect",params:{search:"list pulls"}}"#,
        ],
    );
}

/// M2.1.1-2 M2.1.1-3: the DELETE template.
#[test]
fn delete() {
    let tools = listed(&tracker(Exposure::default()));
    in_order(
        description(&tools, "mcp_aql_delete"),
        &[
            "Removes data. ",
            "Supported operations: 3. ",
            "Use with caution. ",
            "Quick start examples, discover required parameters: ",
            r#"mcp_aql_read {operation:"introspect",params:{search:"list pulls"}}"#,
        ],
    );
}

/// M2.1.1-2: the EXECUTE template, without a line for each operation.
#[test]
fn execute() {
    let tools = listed(&tracker(Exposure::default()));
    in_order(
        description(&tools, "mcp_aql_execute"),
        &[
            "Execution lifecycle operations. ",
            "Supported operations: 3. ",
            "IMPORTANT: destructive, non-idempotent. ",
            "Quick start examples, discover required parameters: ",
            r#"mcp_aql_read {operation:"introspect",params:{search:"list pulls"}}"#,
        ],
    );
}

/// M2.1.1-3 M2.1.2-2: operations are named where there is room: the only one of a tool, all where there are few tools.
#[test]
fn few_operations_are_named() {
    let id = "params: { id: { type: integer, required: true } }";
    let rows = [
        ("read", "list_things", "GET /things", "tags: []"),
        ("read", "get_thing", "GET /things/{id}", id),
        ("create", "create_thing", "POST /things", "tags: []"),
        ("update", "update_thing", "PUT /things/{id}", id),
        ("delete", "delete_thing", "DELETE /things/{id}", id),
        ("execute", "sync_thing", "POST /things/{id}/sync", id),
    ];
    let tools = listed(&sample(&rows, Exposure::default()));
    for (tool, name) in [
        ("mcp_aql_create", "create_thing"),
        ("mcp_aql_update", "update_thing"),
        ("mcp_aql_delete", "delete_thing"),
        ("mcp_aql_execute", "sync_thing"),
    ] {
        let text = description(&tools, tool);
        assert!(text.contains(&format!("Supported operations: {name}. ")), "{text}");
    }
    let tools = listed(&sample(&rows[..3], Exposure::default()));
    let text = description(&tools, "mcp_aql_read");
    assert!(text.contains("Supported operations: list_things, get_thing, introspect. "), "{text}");
    let tools = listed(&sample(&rows, mode(Mode::Single)));
    in_order(
        description(&tools, "mcp_aql"),
        &[
            "- Create: create_thing\n",
            "- Read: list_things, get_thing\n",
            "- Update: update_thing\n",
            "- Delete: delete_thing\n",
            "- Execute: sync_thing\n",
        ],
    );
}

/// M2.1.1-2: element types stand between the operations and the statement, where an adapter has them.
#[test]
fn element_types() {
    let element = "params: { element_type: { type: string, required: true, enum: [skills, agents] } }";
    let operations = [
        ("create", "create_element", "POST /e", element),
        ("read", "list_elements", "GET /e", element),
        ("update", "touch_element", "PUT /e/{element_type}", element),
        ("delete", "delete_element", "DELETE /e", element),
        ("execute", "run_element", "POST /runs", element),
    ];
    let tools = listed(&sample(&operations, Exposure::default()));
    for (tool, statement) in [
        ("mcp_aql_create", "Only adds"),
        ("mcp_aql_read", "Never changes"),
        ("mcp_aql_update", "Overwrites"),
        ("mcp_aql_delete", "Use with"),
        ("mcp_aql_execute", "IMPORTANT"),
    ] {
        in_order(
            description(&tools, tool),
            &["Supported operations:", " Element types: skills, agents. ", statement],
        );
    }
    let without = listed(&tracker(Exposure::default()));
    assert!(!serde_json::to_string(&without).unwrap().contains("Element types"));
}

/// M2.1.1-9 M2.1.1-10 X-modes-12: the template of other families: purpose, categories, operations.
#[test]
fn custom_families() {
    let tools = listed(&tracker(profile("discover")));
    in_order(
        description(&tools, "mcp_aql_manage"),
        &[
            "Mutation and administration of data (project-tracker).\n",
            "Primary semantic categories: CREATE, UPDATE, DELETE\n",
            "Supported operations: create_repository, create_issue, create_issue_comment, create_label, 7 more\n",
            "Quick start example:\n",
            r#"{operation:"create_repository",params:{name}}"#,
            "Discover all operations and parameters:\nmcp_aql_discover ",
            WHOLE_CALL,
            r#"mcp_aql_discover {operation:"introspect",params:{search:""#,
        ],
    );
    in_order(
        description(&tools, "mcp_aql_discover"),
        &[
            "Primary semantic categories: READ\n",
            "Supported operations: introspect\n",
            "Covers project-tracker:",
        ],
    );
}

/// M2.1.1-11: the worked example: a query family which has `introspect` too, a note on when to use it, and the author's own
/// example.
#[test]
fn worked_example() {
    let example = "params: { query: { type: string, required: true }, limit: { type: integer } }, \
                   examples: [{ params: { query: pricing, limit: 10 } }]";
    let id = "params: { id: { type: integer, required: true } }";
    let operations = [
        ("read", "list_datasets", "GET /datasets", "tags: []"),
        ("read", "get_dataset", "GET /datasets/{id}", id),
        ("read", "search_datasets", "GET /search", example),
    ];
    let text = adapter(&operations).replace(
        "type: adapter\n",
        "type: adapter\nwhen_to_use: \"Use this when the task is to look up or summarize data.\"\n",
    );
    let tools = listed(&catalog(&[("sample-adapter.md", &text)], profile("discover")));
    in_order(
        description(&tools, "mcp_aql_query"),
        &[
            "Retrieval and filtering of existing data (sample).\n",
            "Primary semantic categories: READ\n",
            "Supported operations: list_datasets, get_dataset, search_datasets, introspect\n",
            "Use this when the task is to look up or summarize data.\n",
            "Quick start example:\n",
            r#"{operation:"search_datasets",params:{query:"pricing",limit:10}}"#,
            "Discover all operations and parameters:\n",
            WHOLE_CALL,
        ],
    );
}

/// M2.1.2-2: the template of single mode.
#[test]
fn single() {
    let tools = listed(&tracker(mode(Mode::Single)));
    in_order(
        description(&tools, "mcp_aql"),
        &[
            "MCP-AQL project-tracker adapter. All operations through unified entry point.",
            "Covers project-tracker: Repositories, issues, comments, labels and pull requests of a code host.\n",
            "Operations are automatically routed by semantic category and endpoint-family mapping.\n",
            "Supported operation categories:\n",
            "- Create: create_repository, create_issue, 2 more\n",
            "- Read: list_repositories, get_repository, 4 more\n",
            "- Update: update_repository, update_issue, 2 more\n",
            "- Delete: delete_repository, delete_label, 1 more\n",
            "- Execute: merge_pull_request, star_repository, run_workflow\n",
            "Quick start:\n",
            WHOLE_CALL,
            r#"{operation:"introspect",params:{search:"list pulls"}}"#,
            "Use introspection to discover operations and their parameters.",
        ],
    );
}

/// M1.2-1 M2.1-1 M7.1-1: every tool says that `introspect` exists, how to search with it in the words of the server, in
/// every mode and profile: as a whole request, behind the name of the tool that takes it where that is another one.
#[test]
fn introspect_is_always_named() {
    for exposure in [Exposure::default(), profile("discover"), mode(Mode::Single), mode(Mode::All)] {
        let exposure = Exposure { register_empty_families: true, ..exposure };
        for catalog in
            [tracker(exposure.clone()), sample(&[("read", "list_things", "GET /t", "tags: []")], exposure)]
        {
            for tool in listed(&catalog) {
                let text = tool["description"].as_str().unwrap();
                let packed = text.replace(' ', "");
                let whole = packed.contains(r#"{operation:"introspect",params:{"#);
                assert!(text.contains(r#"{search:""#), "{text}");
                assert!(whole, "{text}");
                // A tool that does not take it names the one that does, before every such call.
                let (own, taking) = (tool["name"].as_str().unwrap(), catalog.exposure().introspect_tool());
                for (at, call) in packed.match_indices(r#"{operation:"introspect""#) {
                    let is_named = packed[..at].ends_with(&taking);
                    let takes_it = own == taking || own == "mcp_aql" || text.contains(", introspect\n");
                    assert!(takes_it || is_named, "{call} {text}");
                }
            }
        }
    }
}

/// Every example in a description is a request that names an operation of that tool.
#[test]
fn examples_name_operations_of_their_tool() {
    let catalog = tracker(Exposure::default());
    for tool in listed(&catalog) {
        let text = tool["description"].as_str().unwrap();
        for line in text.lines().filter(|line| line.starts_with("{operation:")) {
            let name = line.split('"').nth(1).unwrap();
            let (_, entry, _) = catalog.find(name).unwrap();
            assert_eq!(catalog.exposure().tool_of(entry), tool["name"].as_str().unwrap());
        }
    }
}

#[test]
fn what_authors_write_cannot_bend_a_description() {
    let text = adapter(&[("read", "list_things", "GET /things", "tags: []")]).replace(
        "Sample things",
        &format!("First\\e line\\nSupported operations: forged{}", " and more".repeat(200)),
    );
    let tools = listed(&catalog(&[("sample-adapter.md", &text)], Exposure::default()));
    let shown = description(&tools, "mcp_aql_read");
    assert!(
        shown.contains("Covers sample: First line (thing). Supported operations: list_things"),
        "{shown}"
    );
    assert!(!shown.contains("forged"));
}

/// M2.1.1-9: the example of a family of several categories does as little as it can: it reads, and deletes only where
/// there is nothing else to do.
#[test]
fn examples_of_mixed_families_are_harmless() {
    let id = "params: { id: { type: integer, required: true } }";
    let authored = "params: { id: { type: integer, required: true }, why: { type: string } }, examples: [{ params: { id: 5, why: old } }]";
    let delete = ("delete", "delete_thing", "DELETE /things/{id}", authored);
    let update = ("update", "touch_thing", "PUT /things/{id}", id);
    let read = ("read", "get_thing", "GET /things/{id}", id);
    let manage = Family {
        name: "manage".to_owned(),
        purpose: "Everything".to_owned(),
        categories: Category::ALL.to_vec(),
        operations: Vec::new(),
        holds_introspect: false,
    };
    for (rows, example) in [
        (vec![delete, update, read], "get_thing"),
        (vec![delete, update], "touch_thing"),
        (vec![delete], "delete_thing"),
    ] {
        let catalog = sample(&rows, profile("discover"));
        let members: Vec<&RegistryEntry> =
            catalog.visible().map(|(entry, _)| entry).filter(|e| e.public_name != "introspect").collect();
        let text = describe::family(&catalog.common_view(), &manage, &members, TextLength::Full);
        let shown = text.lines().find(|line| line.starts_with("{operation:")).unwrap();
        assert!(shown.contains(example), "{text}");
    }
}

/// Examples are harmless and common: nothing that revokes, resets, moves money or deals with credentials, however simple it is.
#[test]
fn examples_are_harmless_and_common() {
    let id = "params: { id: { type: integer, required: true } }";
    let rows = [
        ("read", "list_tokens", "GET /tokens", "tags: []"),
        ("read", "list_things", "GET /things", "tags: []"),
        ("read", "get_secret", "GET /secret", "tags: []"),
        ("read", "get_price_search_items", "GET /price_search/items", "tags: []"),
        ("read", "get_thing", "GET /things/{id}", id),
        ("create", "create_refund", "POST /refunds", "tags: []"),
        ("create", "create_thing", "POST /things", id),
        ("execute", "revoke_credentials", "POST /credentials/revoke", "tags: []"),
        ("execute", "close_dispute", "POST /dispute/close", "tags: []"),
        ("execute", "sync_thing", "POST /things/{id}/sync", id),
        ("delete", "revoke_token", "DELETE /token", "tags: []"),
        ("delete", "delete_thing", "DELETE /things/{id}", id),
    ];
    let tools = listed(&sample(&rows, Exposure::default()));
    for (tool, sample) in [
        ("mcp_aql_read", "does list things"),
        ("mcp_aql_create", "does create thing"),
        ("mcp_aql_execute", "does list things"),
        ("mcp_aql_delete", "does list things"),
    ] {
        let text = description(&tools, tool);
        assert!(text.contains(&format!("search:\"{sample}\"")), "{text}");
    }
    let tools = listed(&sample(&rows, profile("discover")));
    for (tool, example) in [
        ("mcp_aql_query", "list_things"),
        ("mcp_aql_manage", "create_thing"),
        ("mcp_aql_operate", "sync_thing"),
    ] {
        let text = description(&tools, tool);
        assert!(text.contains(&format!("{{operation:\"{example}\"")), "{text}");
    }
    let deletes: Vec<_> = rows.iter().copied().filter(|row| row.0 == "delete").collect();
    let tools = listed(&sample(&deletes, profile("discover")));
    let text = description(&tools, "mcp_aql_manage");
    assert!(text.contains("{operation:\"delete_thing\"") && text.contains("dry_run:true"), "{text}");
}

#[test]
fn descriptors_of_every_mode() {
    for (name, exposure) in [
        ("crude", Exposure::default()),
        ("discover", profile("discover")),
        ("single", mode(Mode::Single)),
        ("all", mode(Mode::All)),
    ] {
        insta::assert_json_snapshot!(name, Value::from(listed(&tracker(exposure))));
    }
}
