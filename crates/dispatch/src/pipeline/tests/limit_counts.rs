//! What takes units of limits: everything that goes out for a call, however it came to go out.
//!
//! Calls that send several requests in; out, as many units as requests, and never a request beyond the limit.

use crate::test_server::{Setup, TestServer, adapter};
use aqueduct_operations::category::Category;
use aqueduct_operations::handler::{Boxed, Envelope, Handler, HandlerCall, HandlerError};
use aqueduct_operations::rate_limits::{ApiLimit, RateLimits, Window};
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::source::Source;
use aqueduct_operations::target::{HandlerKind, HandlerTarget, Method, Target};
use aqueduct_testkit::api::{Answer, FakeApi, Recorded};
use aqueduct_testkit::clock::TestClock;
use aqueduct_testkit::operation::{operation, site, target};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const BLOCKS: &str = "
max_relationship_depth: 5
types:
  Page:
    kind: object
    fields: {id: {type: string}, links: {type: array}}
    fetch: {operation: get_page, params: {page: element_name}}
relationships:
  - {type: references, from: Page, to: Page, via: get_page, params: {page: links}}
operations:
  read:
    - {name: get_page, description: Get, maps_to: 'GET /pages/{page}', params: {page: {type: string, required: true}}}
    - {name: get_doc, description: Get, maps_to: 'GET /docs/{id}', params: {id: {type: integer, required: true}}}
    - name: list_items
      maps_to: GET /items
      description: Items
      params: {page: {type: integer, in: query}, per_page: {type: integer, in: query}}
      pagination: {style: page, param_name: page, per_page_param: per_page, default_limit: 2}
  update:
    - name: update_doc
      maps_to: PUT /docs/{doc_id}
      description: Changes it
      params: {doc_id: {type: integer, required: true}, title: {type: string}}
";

fn respond(request: &Recorded) -> Answer {
    match request.path() {
        "/pages/a" => Answer::json(200, json!({"id": "a", "links": ["b", "c"]})),
        "/pages/b" => Answer::json(200, json!({"id": "b", "links": ["d"]})),
        path if path.starts_with("/pages/") => Answer::json(200, json!({"id": &path[7..], "links": []})),
        "/items" => Answer::json(200, json!([{"id": request.index * 2}, {"id": request.index * 2 + 1}])),
        _ => Answer::json(200, json!({"id": 1, "title": "old", "kept": true})),
    }
}

/// Requests that were let out, as the metrics say.
fn admitted(server: &TestServer) -> u64 {
    server.dispatcher.limiters().tallies().iter().map(|(_, tally)| tally.admitted).sum()
}

/// Makes a call without a limit that it reaches: what goes out, and whether each of it was counted.
async fn counted(call: &Value) -> u64 {
    let api = FakeApi::start(respond).await;
    let blocks = format!("{BLOCKS}rate_limits: {{requests_per_hour: 1000}}");
    let server = Setup::default().serve(&[adapter("world", &api.base_url(), &blocks)]);
    server.data(call.clone()).await;
    let sent = api.requests().len() as u64;
    assert_eq!(admitted(&server), sent, "{call}");
    sent
}

/// X-rate-14: the pages of a list, the read before a PUT and each hop of a relationship take a unit, as the first request does,
/// and where one is missing nothing more goes out.
#[tokio::test]
async fn whatever_goes_out_takes_a_unit() {
    let root = json!({"element_type": "Page", "element_name": "a"});
    let calls = [
        (json!({"operation": "list_items", "params": {"first": 6}}), 3),
        (json!({"operation": "update_doc", "params": {"doc_id": 1, "input": {"title": "new"}}}), 2),
        (
            json!({"operation": "query_relationships", "params": {"root": root, "direction": "outgoing", "depth": 3}}),
            3,
        ),
    ];
    for (call, least) in calls {
        let sent = counted(&call).await;
        assert!(sent >= least, "{call}: {sent}");
        let api = FakeApi::start(respond).await;
        let blocks = format!("{BLOCKS}rate_limits: {{requests_per_hour: {}}}", sent - 1);
        let server = Setup::default().serve(&[adapter("world", &api.base_url(), &blocks)]);
        server.call(call.clone()).await;
        assert_eq!(api.requests().len() as u64, sent - 1, "one less is there: {call}");
        assert!(!api.requests().iter().any(|request| request.method == "PUT"), "the last is what is missing");
    }
}

/// X-rate-14: each attempt is a request, and takes a unit.
#[tokio::test]
async fn retries_take_units() {
    for (limit, expected) in [(10, 3), (2, 2)] {
        let api = FakeApi::start(|request| match request.index {
            0 | 1 => Answer::json(503, json!({})),
            _ => Answer::json(200, json!({"id": 1})),
        })
        .await;
        let text = adapter(
            "world",
            &api.base_url(),
            &format!("{BLOCKS}rate_limits: {{requests_per_hour: {limit}}}"),
        );
        let server = Setup::default().serve(&[text.replace("  retries: 0", "  retries: 4")]);
        server.call(json!({"operation": "get_doc", "params": {"id": 1}})).await;
        assert_eq!((api.requests().len(), admitted(&server)), (expected, expected as u64), "of {limit}");
    }
}

/// Counts its runs.
#[derive(Debug, Default)]
struct Counting(AtomicU64);

impl Handler for Counting {
    fn run<'a>(&'a self, _run: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Box::pin(async { Ok(Envelope::local("shop.act", json!({"done": true}))) })
    }

    fn preview(&self, values: &Map<String, Value>) -> Value {
        json!({"tool": "act", "arguments": values})
    }
}

/// X-rate-14: a run of a tool or a function takes a unit as a request does.
#[tokio::test]
async fn handlers_take_units() {
    let counting = Arc::new(Counting::default());
    let mut act = operation("act", Category::Read, target(site("http://localhost"), Method::Get, "/"));
    let handler: Arc<dyn Handler> = Arc::clone(&counting) as _;
    act.target = Target::Handler(HandlerTarget::new(HandlerKind::Function, handler));
    let rules = RateLimits { api_limits: vec![ApiLimit::global(3, Window::Hour)], ..RateLimits::default() };
    let source = Source { name: "shop".to_owned(), rate_limits: Some(Arc::new(rules)), ..Source::built_in() };
    let loaded = LoadedSource { source, operations: vec![act] };
    let server = Setup::default().serve_loaded(vec![loaded], TestClock::default());
    for _ in 0..3 {
        server.data(json!({"operation": "act"})).await;
    }
    let refused = server.error(json!({"operation": "act"})).await;
    assert_eq!(refused["code"], "RATE_LIMIT_EXCEEDED", "{refused}");
    assert_eq!((counting.0.load(Ordering::SeqCst), admitted(&server)), (3, 3));
}
