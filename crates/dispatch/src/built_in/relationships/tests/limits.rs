//! How far one call goes.
//!
//! APIs without end in; out, so many things with so many requests, and a warning that there is more.

use super::super::explore::{MOST_NODES, MOST_REQUESTS};
use super::{answer, ask, nodes, records, warning};
use crate::test_server::{Setup, TestServer, adapter};
use aqueduct_safety::gatekeeper::{Application, Policy, Purpose};
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
    fn denies(&self, application: &Application<'_>) -> Option<String> {
        (application.purpose == Purpose::Page).then(|| "one page".to_owned())
    }
}

/// A call finds so many things, and says when there are more.
#[tokio::test]
async fn so_many_things() {
    let (server, api) = pages(Setup::default(), |request| page_of(request, 1_000_000)).await;
    let more = json!({"relationship": "references", "include": ["graph.nodes"]});
    let (data, warnings) = answer(&server, root(1, more)).await;
    assert_eq!(nodes(&data).len(), MOST_NODES);
    let not_all = warning(&warnings, "VALIDATION_INCOMPLETE_WARNING");
    assert_eq!(
        (&not_all["details"]["complete"], &not_all["details"]["nodes_seen"]),
        (&json!(false), &json!(MOST_NODES))
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
    assert_eq!(api.requests().len() as u64, MOST_REQUESTS);
    assert_eq!(nodes(&data).len() as u64, MOST_REQUESTS + 1);
    let not_all = warning(&warnings, "VALIDATION_INCOMPLETE_WARNING");
    assert_eq!(not_all["details"]["requests"], MOST_REQUESTS);
    // Pages that are empty count as well.
    let (server, api) = pages(Setup::default(), |request| {
        let next = number(request, "part").unwrap_or(1) % 2;
        let items: Vec<Value> = (0..20).map(|_| json!({"id": next})).collect();
        Answer::json(200, json!({"items": items}))
    })
    .await;
    let (_, warnings) = answer(&server, root(1, json!({"relationship": "references"}))).await;
    assert_eq!(api.requests().len() as u64, MOST_REQUESTS);
    warning(&warnings, "VALIDATION_INCOMPLETE_WARNING");
}
