//! The query language through the real binary: pages, cursors over a restart, batches, and the settings of all that.

use super::harness::{Place, Server, code, inside};
use aqueduct_testkit::api::{Answer, FakeApi};
use aqueduct_testkit::paged_list;
use serde_json::{Value, json};
use std::sync::Arc;

fn adapter(base_url: &str) -> String {
    format!(
        "---\nname: things\ntype: adapter\nversion: \"1.0.0\"\ndescription: \"Things of every kind\"\ntarget:\n  base_url: \
         {base_url}\n  transport: http\n  protocol: rest\n  serialization: json\noperations:\n  read:\n    - name: \
         list_things\n      maps_to: GET /cursor\n      description: Lists things\n      pagination: {}\n    - name: \
         get_thing\n      maps_to: GET /things/{{id}}\n      description: Reads one\n      params: {{id: {{type: integer, \
         required: true}}}}\n  delete:\n    - name: delete_thing\n      maps_to: DELETE /things/{{id}}\n      description: \
         Removes one\n      params: {{id: {{type: integer, required: true}}}}\n---\n",
        paged_list::pagination("/cursor")
    )
}

/// A hundred things, each of which may be kept for a minute.
async fn things() -> FakeApi {
    let items = Arc::new(paged_list::items(100));
    FakeApi::start(move |request| match request.path() {
        "/cursor" => paged_list::answer(&items, request),
        path => Answer::json(200, json!({"path": path})).header("Cache-Control", "max-age=60"),
    })
    .await
}

async fn serve(api: &FakeApi, config: &str) -> Server {
    let place = Place::new();
    place.write("aqueduct.toml", config);
    place.write("things-adapter.md", adapter(&api.base_url()));
    let mut server = Server::start_in(place, &["things-adapter.md"], &[]);
    server.open().await;
    server
}

/// X-page-15: a cursor goes on after a restart, with the same state directory and no other.
#[tokio::test]
async fn cursors_over_a_restart() {
    let api = things().await;
    let place = Place::new();
    let file = place.write("things-adapter.md", adapter(&api.base_url()));
    let call = async |state: &str, more: &[&str]| {
        let mut arguments =
            vec!["call", file.as_str(), "list_things", "first:=3", "fields:=[\"id\"]", "--state-dir", state];
        arguments.splice(3..3, more.iter().copied());
        place.run(&arguments, &[], "").await
    };
    let one = call("one", &[]).await.json();
    let after = format!("after={}", one["data"]["pageInfo"]["endCursor"].as_str().unwrap());
    let two = call("one", &[&after]).await.json();
    assert_eq!(two["data"]["items"], json!([{"id": 4}, {"id": 5}, {"id": 6}]));
    let other = call("other", &[&after]).await;
    assert_eq!((other.code, code(&other.json())), (2, "VALIDATION_INVALID_VALUE"));
}

/// `all` tells its pages to a client that asks to be told.
#[tokio::test]
async fn all_tells_its_pages() {
    let api = things().await;
    let mut server = serve(&api, "").await;
    let arguments = json!({"operation": "list_things", "params": {"all": true, "fields": ["id"]}});
    let mut params = json!({"name": "mcp_aql_read", "arguments": arguments});
    params["_meta"] = json!({"progressToken": 5});
    let id = server.ask("tools/call", params).await;
    let mut told = Vec::new();
    let answer = loop {
        let message = server.next().await;
        if message["id"] == id {
            break inside(&message);
        }
        told.push(message["params"].clone());
    };
    assert_eq!(answer["data"]["items"].as_array().unwrap().len(), 100);
    assert!(
        told.iter().any(|each| each["message"].as_str().unwrap().contains("80 items in 2 pages")),
        "{told:?}"
    );
    let shares: Vec<f64> = told.iter().map(|each| each["progress"].as_f64().unwrap()).collect();
    assert!(shares.windows(2).all(|pair| pair[0] < pair[1]), "{shares:?}");
}

/// O7.1-1 O7.5.4-2: a batch through a tool, within the limits of the file; halting or skipping as the file says.
#[tokio::test]
async fn batches_and_their_settings() {
    let api = things().await;
    let get = |id: Value| json!({"operation": "get_thing", "params": {"id": id}});
    let chain = json!({"operations": [{"operation": "list_things", "params": {"first": 1}}, get(json!("$results[0].data.items[0].id"))]});
    let mut server = serve(&api, "[limits]\nmax_batch_items = 2\n").await;
    let answer = server.call("mcp_aql_read", "batch", chain.clone()).await;
    assert_eq!(answer["results"][1]["result"]["data"]["path"], "/things/1");
    let raw = inside(&server.call_raw("mcp_aql_read", chain).await);
    assert_eq!(raw["summary"]["succeeded"], 2);
    let long = server
        .call("mcp_aql_read", "batch", json!({"operations": [get(json!(1)), get(json!(2)), get(json!(3))]}))
        .await;
    assert_eq!(code(&long), "BATCH_VALIDATION_ERROR");
    let gated = json!({"operations": [{"operation": "delete_thing", "params": {"id": 1}}, {"operation": "delete_thing", "params": {"id": 2}}]});
    let halted = server.call("mcp_aql_delete", "batch", gated.clone()).await;
    assert_eq!((&halted["summary"]["halted"], &halted["summary"]["pending"]), (&json!(1), &json!(1)));
    let mut server = serve(&api, "[confirmation]\nbatch = \"skip\"\n").await;
    let skipped = server.call("mcp_aql_delete", "batch", gated).await;
    assert_eq!(skipped["summary"]["pending_confirmation"], 2);
}

/// The operator may switch keeping off, and sets how much an answer holds and a call looks through.
#[tokio::test]
async fn settings() {
    let api = things().await;
    let twice = async |config: &str| {
        let mut server = serve(&api, config).await;
        let before = api.requests().len();
        for _ in 0..2 {
            server.call("mcp_aql_read", "get_thing", json!({"id": 1})).await;
        }
        api.requests().len() - before
    };
    assert_eq!(twice("").await, 1, "kept as long as the API says");
    assert_eq!(twice("[sources.things]\ncache = false\n").await, 2);
    assert_eq!(twice("[sources.things.cache]\nenabled = false\n").await, 2);
    let mut small = serve(&api, "[limits]\nmax_response_tokens = 500\nmax_gathered_items = 100\n").await;
    let cut = small.call("mcp_aql_read", "list_things", json!({"first": 40})).await;
    assert!(cut["data"]["items"].as_array().unwrap().len() < 10, "{cut}");
    assert_eq!(cut["warnings"][0]["code"], "VALIDATION_TRUNCATED_WARNING");
    let larger = small.call("mcp_aql_read", "list_things", json!({"first": 40, "budget": 100_000})).await;
    assert!(
        larger["data"]["items"].as_array().unwrap().len() < 10,
        "a call cannot raise the operator's limit"
    );
}
