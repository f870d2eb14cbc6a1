//! Further pages pass the gate as the first one does (ruling S10), and stay on the API's own site.
//!
//! A policy that forbids, or a link that leads away, in; out, what was sent all the same: nothing.

use super::targets::{CursorList, Kind, serve_kind_with};
use super::{ask, serve, things};
use crate::test_server::{Setup, TestServer};
use aqueduct_operations::gatekeeper::{GateRequest, Policy, PolicyDenial, Purpose};
use aqueduct_testkit::api::{Answer, FakeApi};
use aqueduct_testkit::paged_list;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Forbids requests for one purpose.
#[derive(Debug)]
struct Forbids(Purpose);

impl Policy for Forbids {
    fn denies(&self, application: &GateRequest<'_>) -> Option<PolicyDenial> {
        (application.purpose == self.0).then(|| PolicyDenial::new("test", "for the test"))
    }
}

/// A policy that forbids further pages.
fn without_pages() -> Setup {
    Setup { policy: Some(Arc::new(Forbids(Purpose::Page))), ..Setup::default() }
}

/// Asks for one page, which is a call like any other, and for all; gives how often the target was asked for both.
async fn only_first_pages(server: &TestServer, one: Value, asked: impl Fn() -> usize) -> [usize; 2] {
    let page = server.data(ask(one)).await;
    assert_eq!(page["items"].as_array().unwrap().len(), 10);
    let for_one = asked();
    let error = server.error(ask(json!({"all": true}))).await;
    assert_eq!(error["code"], "PERMISSION_DENIED", "{error}");
    assert!(
        error.get("data").is_none() && !error.to_string().contains("\"id\""),
        "no item is given: {error}"
    );
    [for_one, asked() - for_one]
}

/// Ruling S10: a further page that is denied is not fetched, and the call fails: over HTTP, with tools and with functions.
#[tokio::test]
async fn further_pages_are_asked_about() {
    let items = Arc::new(paged_list::items(100));
    let api = FakeApi::start(move |request| paged_list::answer(&items, request)).await;
    let server = without_pages().serve(&[things(&api, "/offset")]);
    let expected = only_first_pages(&server, json!({"limit": 10}), || api.requests().len()).await;
    assert_eq!(expected, [1, 1], "the first page only");
    for (kind, one) in [
        (Kind::Offset, json!({"limit": 10})),
        (Kind::Cursor(CursorList::USUAL), json!({"limit": 10})),
        (Kind::Page, json!({"limit": 10})),
    ] {
        let (server, runs) = serve_kind_with(without_pages(), kind, 100);
        let asked = only_first_pages(&server, one, || runs.load(Ordering::Relaxed)).await;
        assert_eq!(asked, expected, "{kind:?}");
        let (free, runs) = serve_kind_with(Setup::default(), kind, 100);
        free.data(ask(json!({"all": true}))).await;
        assert!(runs.load(Ordering::Relaxed) > 1, "{kind:?} has several pages");
    }
    let (free, _api) = serve("/offset", 100).await;
    free.data(ask(json!({"all": true}))).await;
}

/// Ruling S7: a link to another place is not followed, and what was read stays unread.
#[tokio::test]
async fn links_that_lead_away() {
    let elsewhere = FakeApi::always(Answer::json(200, json!([2]))).await;
    let away = format!("<{}/link?page=2>; rel=\"next\"", elsewhere.base_url());
    let api = FakeApi::always(Answer::json(200, json!([1])).header("Link", &away)).await;
    let server = Setup::default().serve(&[things(&api, "/link")]);
    let error = server.error(ask(json!({"all": true}))).await;
    assert_eq!(error["code"], "PERMISSION_DENIED", "{error}");
    assert!(elsewhere.requests().is_empty());
    assert!(!error.to_string().contains(&elsewhere.port().to_string()), "nor is it told");
}
