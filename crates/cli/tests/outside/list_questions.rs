//! The questions of the query language, asked of tools of a real MCP server behind the real binary: the answers are those
//! that an HTTP API leads to.
//!
//! Tools give their list whole or in pages, as structured content or as JSON in text, and choose items themselves where
//! an adapter file pushes controls to them.

use super::harness::{Place, Server, fake_server};
use aqueduct_testkit::api::FakeApi;
use aqueduct_testkit::list_questions::{COUNT, essence, questions, with_own_params};
use aqueduct_testkit::paged_list;
use serde_json::{Value, json};
use std::sync::Arc;

const VARIABLES: [(&str, &str); 1] = [("PATH", "/usr/bin:/bin")];

/// A tool that reads, with what the fake server needs to know of it.
fn tool(name: &str, params: Value, meta: Value) -> Value {
    json!({"name": name, "description": "Lists things", "annotations": {"readOnlyHint": true}, "_meta": meta,
        "inputSchema": {"type": "object", "properties": params}})
}

/// An adapter file of the source `name`, whose target and operations are given as YAML on one line.
fn adapter(name: &str, target: &str, operations: &str) -> String {
    format!(
        "---\nname: {name}\ntype: adapter\nversion: 1.0.0\ndescription: Things\ntarget: {{{target}, serialization: \
         json}}\noperations:\n  read: [{operations}]\n---\n"
    )
}

/// An adapter file of the fake server with a file of tools.
fn tools_adapter(name: &str, tools: &str, operations: &str) -> String {
    let target =
        format!("transport: stdio, protocol: mcp, command: {:?}, args: [--tools, {tools:?}]", fake_server());
    adapter(name, &target, operations)
}

/// Ruling W15: whole lists and pages of a tool, in structured content and in text, and with controls that the tool applies.
#[tokio::test]
async fn tools_answer_as_an_api_does() {
    let items = Arc::new(paged_list::items(COUNT));
    let behind_api = Arc::clone(&items);
    let api = FakeApi::start(move |request| paged_list::answer(&behind_api, request)).await;
    let place = Place::new();
    let paging = json!({"cursor": {"type": "string"},
        "page_size": {"type": "integer", "minimum": 1, "maximum": paged_list::LARGEST}});
    let tools = json!([
        tool("list_result", json!({}), json!({"answer": {"result": *items}})),
        tool("list_text", json!({}), json!({"answer": *items, "as_text": true})),
        tool("list_pages", paging.clone(), json!({"answer": *items, "page": paged_list::LARGEST})),
        tool(
            "list_text_pages",
            paging,
            json!({"answer": *items, "page": paged_list::LARGEST, "as_text": true})
        ),
        tool(
            "list_chosen",
            json!({}),
            json!({"answer": *items, "page": paged_list::LARGEST, "applies": true})
        ),
        tool(
            "list_chosen_text",
            json!({}),
            json!({"answer": *items, "page": paged_list::LARGEST, "applies": true, "as_text": true})
        ),
    ]);
    let tools = place.write("tools.json", tools.to_string());
    let entry = json!({"command": fake_server(), "args": ["--tools", tools]});
    let servers = place.write("servers.json", json!({"mcpServers": {"listed": entry}}).to_string());
    let operation = |name: &str, more: &str| {
        format!("{{name: {name}, maps_to: TOOL {name}, description: Lists things, {more}}}")
    };
    let pushed = "pagination: {style: cursor, param_name: cursor, per_page_param: page_size, max_limit: 40}, params: {number: \
                  {type: integer, mapTo: id}, state: {type: string}, score: {type: integer}}, collection: {filter: {id: \
                  {param: id}, state: {param: state}, score: {param: score}}, sort: {param: order_by, order_param: direction, \
                  fields: [id, score]}, query: {param: words}}";
    let pushed = [operation("list_chosen", pushed), operation("list_chosen_text", pushed)].join(", ");
    let pushing = place.write("pushing-adapter.md", tools_adapter("pushing", &tools, &pushed));
    let listing = format!(
        "{{name: list_things, maps_to: GET /page, description: Lists things, pagination: {}}}",
        paged_list::pagination("/page")
    );
    let target = format!("base_url: '{}', transport: http, protocol: rest", api.base_url());
    let over_http = place.write("api-adapter.md", adapter("api", &target, &listing));
    let sources = [&over_http, &servers, &pushing, "--trust", "listed=validated"];
    let mut server = Server::start_in(place, &sources, &VARIABLES);
    server.open().await;
    let operations: [(&str, &[&str]); 6] = [
        ("listed__list_result", &[]),
        ("listed__list_text", &[]),
        ("listed__list_pages", &["page_size"]),
        ("listed__list_text_pages", &["page_size"]),
        ("pushing__list_chosen", &[]),
        ("pushing__list_chosen_text", &[]),
    ];
    for question in questions() {
        let expected = essence(&server.call("mcp_aql_read", "api__list_things", question.clone()).await);
        for (name, own) in operations {
            let answer = server.call("mcp_aql_read", name, with_own_params(own, &question)).await;
            assert_eq!(essence(&answer), expected, "{name} {question}\n{answer}");
        }
    }
}

/// A control arrives at a tool as what its parameter declares; the tool compares without converting.
#[tokio::test]
async fn pushed_controls_keep_their_types() {
    let place = Place::new();
    let items = json!([{"id": 1, "done": true, "price": 2.5, "tags": ["new"]},
        {"id": 2, "done": false, "price": 4, "tags": ["old"]}]);
    let tools =
        json!([tool("list_things", json!({}), json!({"answer": items, "page": 10, "applies": true}))]);
    let tools = place.write("tools.json", tools.to_string());
    let operation = "{name: list_things, maps_to: TOOL list_things, description: Lists things, params: {done: {type: boolean}, \
                     price: {type: number}, tags: {type: \"string[]\"}}, collection: {filter: {done: {param: done}, price: \
                     {param: price}, tags: {param: tags}}}}";
    let file = place.write("typed-adapter.md", tools_adapter("typed", &tools, operation));
    let mut server = Server::start_in(place, &[&file], &VARIABLES);
    server.open().await;
    for filter in [json!({"done": true}), json!({"price": 2.5}), json!({"tags": "new"})] {
        let answer = server.call("mcp_aql_read", "list_things", json!({"filter": filter})).await;
        assert_eq!(answer["data"]["applied"]["filter"], "upstream", "{filter}: {answer}");
        assert_eq!(answer["data"]["items"], json!([items[0]]), "{filter}: {answer}");
    }
}
