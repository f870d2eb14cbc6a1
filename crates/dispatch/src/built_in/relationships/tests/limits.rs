//! How far one call goes.
//!
//! APIs without end in; out, so many things with so many requests, and a warning that there is more.

use super::super::explore::{MAX_NODES, MAX_REQUESTS};
use super::{answer, ask, edges, nodes, records, warning};
use crate::test_server::{Setup, TestServer, adapter};
use aqueduct_operations::gatekeeper::{GateRequest, Policy, PolicyDenial, Purpose};
use aqueduct_query::measure;
use aqueduct_testkit::api::{Answer, FakeApi, Recorded};
use serde_json::{Value, json};
use std::sync::Arc;

const BLOCKS: &str = r#"
max_relationship_depth: 10
types:
  Page: { kind: object, fields: { id: { type: integer }, links: { type: array } } }
relationships:
  - { type: references, from: Page, to: Page, via: list_links, params: { page: id } }
  - { type: extends, from: Page, to: Page, via: get_page, params: { page: links } }
operations:
  read:
    - { name: get_page, description: Get, maps_to: "GET /pages/{page}", params: { page: { type: integer, required: true } } }
    - name: list_links
      description: List
      maps_to: GET /pages/{page}/links
      params: { page: { type: integer, required: true } }
      pagination: { style: page, param_name: part, per_page_param: size, max_limit: 20 }
"#;

async fn pages(
    setup: Setup,
    handler: impl Fn(&Recorded) -> Answer + Send + Sync + 'static,
) -> (TestServer, FakeApi) {
    let api = FakeApi::start(handler).await;
    (setup.serve(&[adapter("pages", &api.base_url(), BLOCKS)]), api)
}

fn root(id: u64, more: Value) -> Value {
    let mut request = ask("Page", "1", "outgoing", more);
    request["params"]["root"]["id"] = json!(id);
    request
}

/// The number in a query, such as `page=2`.
fn number(request: &Recorded, name: &str) -> Option<u64> {
    let query = request.query()?;
    query.split('&').find_map(|pair| pair.strip_prefix(&format!("{name}="))?.parse().ok())
}

fn page_of(request: &Recorded, count: u64) -> Answer {
    let (page, size) = (number(request, "part").unwrap_or(1), number(request, "size").unwrap());
    let from = (page - 1) * size;
    let ids: Vec<Value> = (from..(from + size).min(count)).map(|id| json!({"id": 1000 + id})).collect();
    Answer::json(200, json!({"items": ids}))
}

/// Ruling S10: a list of other ends is read page by page, and each page asks the gate again.
#[tokio::test]
async fn lists_of_several_pages() {
    let (server, api) = pages(Setup::default(), |request| page_of(request, 45)).await;
    let request = root(1, json!({"relationship": "references"}));
    let (data, warnings) = answer(&server, request.clone()).await;
    assert_eq!((records(&data).len(), warnings.len()), (45, 0));
    assert_eq!(api.requests().len(), 3);
    let (server, _api) =
        pages(Setup { policy: Some(Arc::new(OnePage)), ..Setup::default() }, |request| page_of(request, 45))
            .await;
    assert_eq!(server.error(request).await["code"], "PERMISSION_DENIED");
}

#[derive(Debug)]
struct OnePage;

impl Policy for OnePage {
    fn denies(&self, application: &GateRequest<'_>) -> Option<PolicyDenial> {
        (application.purpose == Purpose::Page).then(|| PolicyDenial::new("test", "one page"))
    }
}

/// A call finds so many things, and says when there are more.
#[tokio::test]
async fn so_many_things() {
    let (server, api) = pages(Setup::default(), |request| page_of(request, 1_000_000)).await;
    let more = json!({"relationship": "references", "include": ["graph.nodes"]});
    let (data, warnings) = answer(&server, root(1, more)).await;
    assert_eq!(nodes(&data).len(), MAX_NODES);
    let not_all = warning(&warnings, "VALIDATION_INCOMPLETE_WARNING");
    assert_eq!(
        (&not_all["details"]["complete"], &not_all["details"]["nodes_seen"]),
        (&json!(false), &json!(MAX_NODES))
    );
    assert!(api.requests().len() <= 10, "{}", api.requests().len());
}

/// A call sends so many requests, and says when there are more.
#[tokio::test]
async fn so_many_requests() {
    // Every page links to two others, so that each level is twice as large.
    let (server, api) = pages(Setup::default(), |request| {
        let id: u64 = request.path().rsplit('/').next().unwrap().parse().unwrap();
        Answer::json(200, json!({"id": id, "links": [2 * id, 2 * id + 1]}))
    })
    .await;
    let mut request = root(1, json!({"relationship": "extends", "depth": 10, "include": ["graph.nodes"]}));
    request["params"]["root"]["links"] = json!([2, 3]);
    let (data, warnings) = answer(&server, request).await;
    assert_eq!(api.requests().len() as u64, MAX_REQUESTS);
    assert_eq!(nodes(&data).len() as u64, MAX_REQUESTS + 1);
    let not_all = warning(&warnings, "VALIDATION_INCOMPLETE_WARNING");
    assert_eq!(not_all["details"]["requests"], MAX_REQUESTS);
    // Pages that are empty count as well.
    let (server, api) = pages(Setup::default(), |request| {
        let next = number(request, "part").unwrap_or(1) % 2;
        let items: Vec<Value> = (0..20).map(|_| json!({"id": next})).collect();
        Answer::json(200, json!({"items": items}))
    })
    .await;
    let (_, warnings) = answer(&server, root(1, json!({"relationship": "references"}))).await;
    assert_eq!(api.requests().len() as u64, MAX_REQUESTS);
    warning(&warnings, "VALIDATION_INCOMPLETE_WARNING");
}

const SHELVES: &str = r#"
types:
  Shelf: { kind: object, fields: { name: { type: string } }, fetch: { operation: get_shelf, params: { shelf: element_name } } }
  Book: { kind: object, fields: { id: { type: string }, opening: { type: string } }, fetch: { operation: get_book, params: { book: element_name } } }
  Page: { kind: object, fields: { id: { type: string } } }
relationships:
  - { type: holds, from: Shelf, to: Book, via: list_books, params: { shelf: name } }
  - { type: opens, from: Book, to: Page, via: get_page, params: { page: opening } }
operations:
  read:
    - { name: get_shelf, description: Get, maps_to: "GET /shelves/{shelf}", params: { shelf: { type: string, required: true } } }
    - { name: list_books, description: List, maps_to: "GET /shelves/{shelf}/books", params: { shelf: { type: string, required: true } } }
    - { name: get_book, description: Get, maps_to: "GET /books/{book}", params: { book: { type: string, required: true } } }
    - { name: get_page, description: Get, maps_to: "GET /pages/{page}", params: { page: { type: string, required: true } } }
"#;

/// Things that are read by themselves, because a list gave too little of them, count among the requests.
#[tokio::test]
async fn so_many_requests_to_read_things() {
    let api = FakeApi::start(|request| {
        let pieces: Vec<&str> = request.path().trim_matches('/').split('/').collect();
        let books = || Value::from_iter((0..90).map(|number| json!({"id": format!("b{number}")})));
        Answer::json(
            200,
            match pieces[..] {
                ["shelves", _, "books"] => books(),
                ["shelves", name] => json!({"name": name}),
                ["books", id] => json!({"id": id, "opening": format!("{id}-1")}),
                _ => json!({"id": pieces[1]}),
            },
        )
    })
    .await;
    let server = Setup::default().serve(&[adapter("shelves", &api.base_url(), SHELVES)]);
    let (data, warnings) = answer(&server, ask("Shelf", "top", "outgoing", json!({"depth": 2}))).await;
    let codes: Vec<&str> = warnings.iter().map(|warning| warning["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["VALIDATION_INCOMPLETE_WARNING"], "nothing is missing, it was not read");
    let sent =
        |start: &str| api.requests().iter().filter(|request| request.path().starts_with(start)).count();
    // The shelf and its list take two, each book two more: the last one allowed is for a page, so that what would come
    // next is a book.
    assert_eq!((sent("/shelves/"), sent("/books/"), sent("/pages/")), (2, 49, 49));
    assert_eq!(api.requests().len() as u64, MAX_REQUESTS);
    assert_eq!(edges(&data).iter().filter(|edge| edge.contains(" opens ")).count(), 49);
}

/// X-rel-7: links are followed as far as the adapter allows, however far is asked for.
#[tokio::test]
async fn so_deep() {
    // Every page links to the next one, without end.
    let (server, api) = pages(Setup::default(), |request| {
        let id: u64 = request.path().rsplit('/').next().unwrap().parse().unwrap();
        Answer::json(200, json!({"id": id, "links": [id + 1]}))
    })
    .await;
    for (asked, reached) in [(9, 9), (10, 10), (11, 10), (50, 10)] {
        let before = api.requests().len();
        let mut request = root(1, json!({"relationship": "extends", "depth": asked}));
        request["params"]["root"]["links"] = json!([2]);
        let (data, warnings) = answer(&server, request).await;
        let expected: Vec<String> = (1..=reached + 1).map(|id| format!("Page:{id}")).collect();
        assert_eq!(nodes(&data), expected, "{asked}");
        let last = format!("extends outgoing Page:{} {reached}", reached + 1);
        assert_eq!(records(&data).last(), Some(&last), "{asked}");
        assert_eq!(api.requests().len() - before, reached, "nothing is sent for what is not shown");
        assert_eq!(warnings.len(), usize::from(asked > reached), "{warnings:?}");
    }
}

/// Whatever is shown counts in the budget: records, things, lines, each by itself and all together.
#[tokio::test]
async fn so_many_tokens() {
    let (server, _api) = pages(Setup::default(), |request| page_of(request, 180)).await;
    for parts in [
        json!(["relationships"]),
        json!(["graph.nodes"]),
        json!(["graph.edges"]),
        json!(["relationships", "graph.nodes", "graph.edges"]),
    ] {
        let budget = 1200;
        let more = json!({"relationship": "references", "include": parts, "budget": budget});
        let reply = server.call(root(1, more.clone())).await;
        assert!(measure::tokens(&reply.to_string()) <= budget, "{parts}: {reply}");
        let (_, warnings) = answer(&server, root(1, more)).await;
        let cut = warning(&warnings, "VALIDATION_TRUNCATED_WARNING");
        assert_eq!(
            (&cut["details"]["field"], &cut["details"]["limit"]),
            (&json!("relationships"), &json!(budget))
        );
    }
}
