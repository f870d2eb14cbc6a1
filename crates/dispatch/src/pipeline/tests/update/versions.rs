//! Versions of what is updated: sent, compared, shown, and never made up.

use super::{DOCS, Store, serve, update};
use crate::test_server::{Setup, adapter};
use aqueduct_operations::gatekeeper::{GateRequest, Policy, PolicyDenial};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// C9.3.2-1 C9.3.2-2 C9.3.2-3 X-errors-34: answers about what can be changed carry their version; an update with the version that is there
/// goes through, one with an old version changes nothing.
#[tokio::test]
async fn versions() {
    let store = Store::of(json!({"title": "a"}), true);
    let (server, api) = serve(&store, Setup::default()).await;
    let read = server.data(json!({"operation": "get_doc", "params": {"id": 1}})).await;
    assert_eq!(read, json!({"title": "a", "_etag": "\"v1\""}));
    let mut seen = update(json!({"title": "b"}));
    seen["params"]["if_match"] = read["_etag"].clone();
    let written = server.data(seen.clone()).await;
    assert_eq!(written, json!({"title": "b", "_etag": "\"v2\""}));
    let before = api.requests().len();
    let error = server.error(seen.clone()).await;
    assert_eq!(error["code"], "CONFLICT_VERSION_MISMATCH");
    assert_eq!(error["details"]["current_etag"], "\"v2\"");
    assert!(api.requests()[before..].iter().all(|request| request.method == "GET"), "nothing was written");
    assert_eq!(store.lock().unwrap().body, json!({"title": "b"}));
    let mut patch = json!({"operation": "patch_doc", "params": {"doc_id": 1, "input": {"title": "c"}, "if_match": "\"v1\""}});
    assert_eq!(server.error(patch.clone()).await["code"], "CONFLICT_VERSION_MISMATCH", "the API's own 412");
    patch["params"]["if_match"] = json!("\"v2\"");
    assert_eq!(server.data(patch).await["title"], "c");
    let plain = Store::of(json!({"title": "a"}), false);
    let (server, _api) = serve(&plain, Setup::default()).await;
    assert_eq!(
        server.data(json!({"operation": "get_doc", "params": {"id": 1}})).await,
        json!({"title": "a"})
    );
    let error = server.error(seen).await;
    assert_eq!(error["code"], "VALIDATION_INVALID_VALUE", "there is no version to compare");
}

/// An API that keeps to RFC 9110 refuses every weak version in `If-Match`; nothing has changed, so it is written all the same.
/// One that has changed is a conflict.
#[tokio::test]
async fn weak_versions() {
    let changed = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let is_changed = Arc::clone(&changed);
    let reads = std::sync::atomic::AtomicU64::new(0);
    let api = FakeApi::start(move |request| match (request.method.as_str(), request.header("if-match")) {
        ("GET", _) => {
            let read = reads.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let version = if is_changed.load(std::sync::atomic::Ordering::Relaxed) { read } else { 0 };
            Answer::json(200, json!({"title": "a"})).header("ETag", &format!("W/\"{version}\""))
        }
        (_, Some(version)) if version.starts_with("W/") => Answer::json(412, json!({})),
        _ => Answer::json(200, json!({"title": "b"})),
    })
    .await;
    let server = Setup::default().serve(&[adapter("docs", &api.base_url(), DOCS)]);
    assert_eq!(server.data(update(json!({"title": "b"}))).await["title"], "b");
    changed.store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(server.error(update(json!({"title": "b"}))).await["code"], "CONFLICT_VERSION_MISMATCH");
}

/// Forbids all but the first requests.
#[derive(Debug)]
struct ForbidsAfter(usize, AtomicUsize);

impl Policy for ForbidsAfter {
    fn denies(&self, _request: &GateRequest<'_>) -> Option<PolicyDenial> {
        (self.1.fetch_add(1, Ordering::Relaxed) >= self.0).then(|| PolicyDenial::new("test", "for the test"))
    }
}

/// Ruling S10: when a weak version makes it read and write once more, both requests are judged like the first ones.
#[tokio::test]
async fn every_request_of_an_update_is_judged() {
    for (allowed, sent) in [(2, vec!["GET", "PUT"]), (3, vec!["GET", "PUT", "GET"])] {
        let api = FakeApi::start(|request| match request.header("if-match") {
            Some(_) => Answer::json(412, json!({})),
            None => Answer::json(200, json!({"title": "a"})).header("ETag", "W/\"1\""),
        })
        .await;
        let policy = Some(Arc::new(ForbidsAfter(allowed, AtomicUsize::new(0))) as Arc<dyn Policy>);
        let server = Setup { policy, ..Setup::default() }.serve(&[adapter("docs", &api.base_url(), DOCS)]);
        assert_eq!(server.error(update(json!({"title": "b"}))).await["code"], "PERMISSION_DENIED");
        let methods: Vec<String> = api.requests().into_iter().map(|request| request.method).collect();
        assert_eq!(methods, sent);
    }
}

/// A version without its quotes is the same version; an empty one is none.
#[tokio::test]
async fn forgotten_quotes() {
    let store = Store::of(json!({"title": "a"}), true);
    let (server, api) = serve(&store, Setup::default()).await;
    let with = |version: &str| json!({"operation": "update_doc", "params": {"doc_id": 1, "if_match": version, "input": {"title": "b"}}});
    server.data(with("v1")).await;
    assert_eq!(server.error(with("v1")).await["code"], "CONFLICT_VERSION_MISMATCH");
    assert_eq!(server.error(with("")).await["code"], "VALIDATION_INVALID_VALUE");
    server.data(json!({"operation": "patch_doc", "params": {"doc_id": 1, "if_match": "v2", "input": {"title": "c"}}})).await;
    assert_eq!(api.requests().last().unwrap().header("if-match"), Some("\"v2\""));
}

/// C9.3.2-2: `*` is any version, where there is one and where there is none.
#[tokio::test]
async fn any_version() {
    for has_versions in [true, false] {
        let store = Store::of(json!({"title": "a"}), has_versions);
        let (server, _api) = serve(&store, Setup::default()).await;
        let any = json!({"operation": "update_doc", "params": {"doc_id": 1, "if_match": "*", "input": {"title": "b"}}});
        server.data(any).await;
        assert_eq!(store.lock().unwrap().body, json!({"title": "b"}));
    }
}

/// C9.3.2-1: a version is shown of what can be changed only, once, and never over a member of the API's own.
#[tokio::test]
async fn where_versions_are_shown() {
    let api = FakeApi::start(|request| {
        let body =
            if request.path() == "/docs/2" { json!({"_etag": "theirs", "a": 1}) } else { json!({"a": 1}) };
        Answer::json(200, body).header("ETag", "\"v1\"")
    })
    .await;
    let more = DOCS
        .replace("  read:\n", "  read:\n    - {name: get_other, maps_to: GET /other, description: Other}\n");
    let server = Setup::default().serve(&[adapter("docs", &api.base_url(), &more)]);
    let read = async |id: u64| server.data(json!({"operation": "get_doc", "params": {"id": id}})).await;
    assert_eq!(read(1).await, json!({"a": 1, "_etag": "\"v1\""}));
    let theirs = server
        .reply(
            "s",
            aqueduct_operations::call::ToolEndpoint::Any,
            json!({"operation": "get_doc", "params": {"id": 2}}),
        )
        .await;
    assert_eq!(theirs.to_json().matches("_etag").count(), 1, "{}", theirs.to_json());
    assert_eq!(read(2).await["_etag"], "theirs");
    assert_eq!(server.data(json!({"operation": "get_other"})).await, json!({"a": 1}), "nothing changes it");
}

/// Ruling W8: what an API checks a change by is not filled in; it goes out when it is given.
#[tokio::test]
async fn checks_are_not_filled_in() {
    let stored =
        json!({"title": "a", "version": 4, "sha": "abc", "metadata": {"resourceVersion": "9", "name": "m"}});
    let docs = DOCS.replace(
        "        count: {type: integer}\n",
        "        count: {type: integer}\n        version: {type: integer}\n",
    );
    for (input, body) in [
        (json!({"title": "b"}), json!({"title": "b", "metadata": {"name": "m"}})),
        (json!({"title": "b", "version": 4}), json!({"title": "b", "version": 4, "metadata": {"name": "m"}})),
    ] {
        let store = Store::of(stored.clone(), false);
        let shared = Arc::clone(&store);
        let api = FakeApi::start(move |request| shared.lock().unwrap().answer(request)).await;
        let server = Setup::default().serve(&[adapter("docs", &api.base_url(), &docs)]);
        let answer = server.call(update(input)).await;
        assert_eq!(answer["warnings"][0]["code"], "STORED_FIELDS_OMITTED", "{answer}");
        assert_eq!(api.requests()[1].json(), body);
    }
}
