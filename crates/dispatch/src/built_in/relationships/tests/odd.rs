//! Links as they should not be, and as anyone could draw them.
//!
//! APIs that misbehave, and any graph, in; out, what can be answered and warnings about the rest.

use super::{BLOCKS, answer, ask, edges, nodes, records, warning, world};
use crate::test_server::{Setup, TestServer, adapter};
use aqueduct_testkit::api::{Answer, FakeApi, Recorded};
use proptest::prelude::{ProptestConfig, proptest};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const PAGES: &str = r#"
max_relationship_depth: 10
types:
  Page:
    kind: object
    fields: { id: { type: string }, links: { type: array } }
    fetch: { operation: get_page, params: { page: element_name } }
relationships:
  - { type: references, from: Page, to: Page, via: get_page, params: { page: links } }
operations:
  read:
    - { name: get_page, description: Get, maps_to: "GET /pages/{page}", params: { page: { type: string, required: true, maxLength: 5 } } }
"#;

async fn serve(
    blocks: &str,
    handler: impl Fn(&Recorded) -> Answer + Send + Sync + 'static,
) -> (TestServer, FakeApi) {
    let api = FakeApi::start(handler).await;
    (Setup::default().serve(&[adapter("pages", &api.base_url(), blocks)]), api)
}

fn last(request: &Recorded) -> String {
    request.path().rsplit('/').next().unwrap().to_owned()
}

/// What cannot be asked for, has no name or does not fit is left out with a warning, and the rest is answered.
#[tokio::test]
async fn links_that_cannot_be_followed() {
    let (server, api) = serve(PAGES, |request| match last(request).as_str() {
        "a" => Answer::json(200, json!({"id": "a", "links": ["b", "..", "c", null]})),
        "b" => Answer::json(200, json!({"links": []})),
        "long" => Answer::json(200, json!({"id": "long", "links": ["a", "abcdefg"]})),
        id => Answer::json(200, json!({"id": id})),
    })
    .await;
    let (data, warnings) = answer(&server, ask("Page", "a", "outgoing", json!({}))).await;
    assert_eq!(records(&data), ["references outgoing Page:c 1"]);
    let mut reasons: Vec<&str> = warnings.iter().map(|w| w["details"]["reason"].as_str().unwrap()).collect();
    reasons.sort_unstable();
    assert_eq!(reasons, ["nameless", "not_found"]);
    let paths: Vec<String> = api.requests().iter().map(|request| request.path().to_owned()).collect();
    assert_eq!(paths, ["/pages/a", "/pages/b", "/pages/c"], "a path is never climbed");
    let (data, warnings) = answer(&server, ask("Page", "long", "outgoing", json!({}))).await;
    assert_eq!(records(&data), Vec::<String>::new());
    assert_eq!(warning(&warnings, "VALIDATION_SKIPPED_WARNING")["details"]["path"], "links");
    for (name, code) in [("..", "VALIDATION_INVALID_VALUE"), ("toolong", "VALIDATION_INVALID_VALUE")] {
        let error = server.error(ask("Page", name, "outgoing", json!({}))).await;
        assert_eq!(error["code"], code, "{name}: {error}");
    }
}

/// The root stays one thing when the API calls it by another name than the client did.
#[tokio::test]
async fn a_root_by_another_name() {
    let (server, _api) = serve(PAGES, |request| match last(request).to_lowercase().as_str() {
        "home" => Answer::json(200, json!({"id": "home", "links": ["x"]})),
        _ => Answer::json(200, json!({"id": "x", "links": ["home"]})),
    })
    .await;
    let (data, _) = answer(&server, ask("Page", "HOME", "outgoing", json!({"depth": 3}))).await;
    assert_eq!(edges(&data), ["Page:HOME references Page:x", "Page:x references Page:HOME"]);
    assert_eq!(data["root"]["element_name"], "HOME");
}

/// A hop that fails for another reason than that nothing is there fails the call: half a graph would look like a whole one.
#[tokio::test]
async fn hops_that_fail() {
    let (server, _api) = serve(BLOCKS, |request| match request.path() {
        "/agents/ada/skills" => Answer::json(500, json!({"message": "broken"})),
        _ => world(request),
    })
    .await;
    let error = server.error(ask("Agent", "ada", "outgoing", json!({}))).await;
    assert_eq!(error["code"], "INTERNAL_ERROR");
}

/// Hops wait for their turn, and never for themselves.
#[tokio::test]
async fn one_call_after_another() {
    for concurrency in ["serialized", "read-concurrent", "resource-locked"] {
        let (server, _api) = serve(&format!("concurrency: {concurrency}\n{BLOCKS}"), world).await;
        let (data, _) = answer(&server, ask("Agent", "ada", "both", json!({"depth": 2}))).await;
        assert!(records(&data).len() > 3, "{data}");
    }
}

/// The edges that start fewer than `depth` links away from page 0.
fn expected(links: &[Vec<usize>], depth: usize) -> BTreeSet<(usize, usize)> {
    let (mut seen, mut level, mut found) = (BTreeSet::from([0]), vec![0], BTreeSet::new());
    for _ in 0..depth {
        let mut next = Vec::new();
        for page in level {
            for target in &links[page] {
                found.insert((page, *target));
                if seen.insert(*target) {
                    next.push(*target);
                }
            }
        }
        level = next;
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// X-rel-7: whatever the links, every one within reach is shown once, every thing once, and it ends; in pages too.
    #[test]
    fn any_graph(
        links in proptest::collection::vec(proptest::collection::vec(0..6_usize, 0..4), 6),
        depth in 1..7_usize,
        first in 1..5_usize,
    ) {
        let known = links.clone();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (server, _api) = serve(PAGES, move |request| {
                let page: usize = last(request).parse().unwrap();
                let targets: Vec<String> = known[page].iter().map(ToString::to_string).collect();
                Answer::json(200, json!({"id": page, "links": targets}))
            })
            .await;
            let (whole, warnings) = answer(&server, ask("Page", "0", "outgoing", json!({"depth": depth}))).await;
            assert_eq!(warnings, Vec::<Value>::new());
            let shown = edges(&whole);
            let distinct: BTreeSet<String> = shown.iter().cloned().collect();
            assert_eq!(distinct.len(), shown.len());
            let line = |(from, to): &(usize, usize)| format!("Page:{from} references Page:{to}");
            assert_eq!(distinct, expected(&links, depth).iter().map(line).collect());
            assert_eq!(nodes(&whole).iter().collect::<BTreeSet<_>>().len(), nodes(&whole).len());
            let mut gathered = Vec::new();
            let mut more = json!({"depth": depth, "first": first});
            loop {
                let (page, warnings) = answer(&server, ask("Page", "0", "outgoing", more.clone())).await;
                gathered.extend(edges(&page));
                let Some(cut) = warnings.first() else { break };
                assert_eq!(edges(&page).len(), first);
                more["after"] = cut["details"]["after"].clone();
            }
            assert_eq!(gathered, shown);
        });
    }
}
