//! Lists of tools of an MCP server, which is a child process of the real binary: every control works on them.
//!
//! The same items from three tools in (structured content, JSON in a text block, pages by a cursor); the same answers out.

use super::harness::{Place, Server, fake_server};
use aqueduct_testkit::paged_list;
use serde_json::{Value, json};

const COUNT: usize = 60;
const TOOLS: [&str; 3] = ["list_structured", "list_texts", "list_pages"];

/// A server with the three tools.
async fn open() -> Server {
    let place = Place::new();
    let items = paged_list::items(COUNT);
    let list =
        json!({"type": "object", "properties": {"result": {"type": "array", "items": {"type": "object"}}}});
    let paging = json!({"type": "object", "properties": {
        "cursor": {"type": "string"}, "page_size": {"type": "integer", "minimum": 1, "maximum": 25}}});
    let (input, hints) = (json!({"type": "object"}), json!({"readOnlyHint": true}));
    let tools = json!([
        {"name": "list_structured", "inputSchema": input, "outputSchema": list, "annotations": hints,
            "_meta": {"answer": {"result": items}}},
        {"name": "list_texts", "inputSchema": input, "annotations": hints, "_meta": {"answer": items, "as_text": true}},
        {"name": "list_pages", "inputSchema": paging, "annotations": hints, "_meta": {"answer": items, "page": 25}},
    ]);
    let tools = place.write("tools.json", tools.to_string());
    let servers = json!({"mcpServers": {"shelf": {"command": fake_server(), "args": ["--tools", tools]}}});
    let servers = place.write("servers.json", servers.to_string());
    let mut server = Server::start_in(place, &[&servers], &[("PATH", "/usr/bin:/bin")]);
    server.open().await;
    server
}

async fn ask(server: &mut Server, tool: &str, params: Value) -> Value {
    let answer = server.call("mcp_aql_read", tool, params).await;
    assert_eq!(answer["success"], true, "{tool}: {answer}");
    answer
}

fn ids(answer: &Value) -> Vec<u64> {
    let items = answer["data"]["items"].as_array().unwrap_or_else(|| panic!("{answer}"));
    items.iter().map(|item| item["id"].as_u64().unwrap()).collect()
}

/// Ruling W15: filter, sort and fields.
#[tokio::test]
async fn chosen_and_ordered() {
    let mut open_items: Vec<Value> =
        paged_list::items(COUNT).into_iter().filter(|item| item["state"] == "open").collect();
    open_items.sort_by_key(|item| std::cmp::Reverse(item["score"].as_u64()));
    let expected: Vec<Value> =
        open_items.iter().take(5).map(|item| json!({"id": item["id"], "score": item["score"]})).collect();
    let mut server = open().await;
    for tool in TOOLS {
        let params = json!({"filter": {"state": "open"}, "sort": {"field": "score", "order": "desc"},
            "fields": ["id", "score"], "first": 5});
        let answer = ask(&mut server, tool, params).await;
        assert_eq!(answer["data"]["items"], json!(expected), "{tool}");
        assert_eq!(answer["data"]["applied"]["filter"], "here", "{tool}");
        let searched = ask(&mut server, tool, json!({"query": "\"number 59\""})).await;
        assert_eq!(ids(&searched), [59], "{tool}");
    }
}

/// Ruling W15: pages by cursors, from the front and from the end.
#[tokio::test]
async fn page_after_page() {
    let mut server = open().await;
    for tool in TOOLS {
        let (mut params, mut seen) = (json!({"first": 17, "fields": ["id"]}), Vec::new());
        loop {
            let page = ask(&mut server, tool, params.clone()).await;
            seen.extend(ids(&page));
            if page["data"]["pageInfo"]["hasNextPage"] == false {
                break;
            }
            params["after"] = page["data"]["pageInfo"]["endCursor"].clone();
        }
        assert_eq!(seen, (1..=COUNT as u64).collect::<Vec<_>>(), "{tool}");
        let last = ask(&mut server, tool, json!({"last": 3})).await;
        assert_eq!(ids(&last), [58, 59, 60], "{tool}");
    }
}

/// Ruling W15: counts, and the budget.
#[tokio::test]
async fn counted_and_cut() {
    let mut server = open().await;
    for tool in TOOLS {
        let aggregate =
            json!({"aggregate": {"by": {"count": true, "group_by": "state"}, "top": {"max": "score"}}});
        let counted = ask(&mut server, tool, aggregate).await;
        let top = paged_list::items(COUNT).iter().map(|item| item["score"].as_u64().unwrap()).max();
        assert_eq!(counted["data"]["aggregations"]["top"].as_u64(), top, "{tool}: {counted}");
        assert_eq!(counted["data"]["applied"]["items_seen"], COUNT, "{tool}: {counted}");
        let cut = ask(&mut server, tool, json!({"all": true, "budget": 2_000})).await;
        let given = ids(&cut);
        assert!(!given.is_empty() && given.len() < COUNT, "{tool}: {}", given.len());
        assert_eq!(cut["data"]["pageInfo"]["hasNextPage"], true, "{tool}");
        let rest = json!({"first": 1, "after": cut["data"]["pageInfo"]["endCursor"]});
        let all = json!({"all": true, "after": cut["data"]["pageInfo"]["endCursor"], "fields": ["id"]});
        assert_eq!(ids(&ask(&mut server, tool, rest).await), [given.len() as u64 + 1], "{tool}");
        assert_eq!(ids(&ask(&mut server, tool, all).await).len(), COUNT - given.len(), "{tool}");
    }
}
