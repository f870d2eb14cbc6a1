//! Further pages pass the gate as the first one does (ruling S10), and stay on the API's own site.
//!
//! A policy that forbids, or a link that leads away, in; out, what was sent all the same: nothing.

use super::{serve, things};
use crate::test_server::Setup;
use aqueduct_operations::gatekeeper::{GateRequest, Policy, Purpose};
use aqueduct_testkit::api::{Answer, FakeApi};
use aqueduct_testkit::shelf;
use serde_json::json;
use std::sync::Arc;

/// Forbids requests for one purpose.
#[derive(Debug)]
struct Forbids(Purpose);

impl Policy for Forbids {
    fn denies(&self, application: &GateRequest<'_>) -> Option<String> {
        (application.purpose == self.0).then(|| "for the test".to_owned())
    }
}

/// Ruling S10: a further page that is denied is not fetched, and the call fails.
#[tokio::test]
async fn further_pages_are_asked_about() {
    let items = Arc::new(shelf::items(100));
    let api = FakeApi::start(move |request| shelf::answer(&items, request)).await;
    let setup = Setup { policy: Some(Arc::new(Forbids(Purpose::Page))), ..Setup::default() };
    let server = setup.serve(&[things(&api, "/offset")]);
    let one = server.data(json!({"operation": "list_things", "params": {"limit": 10}})).await;
    assert_eq!(one["items"].as_array().unwrap().len(), 10, "one page is a call like any other");
    let sent = api.requests().len();
    let error = server.error(json!({"operation": "list_things", "params": {"all": true}})).await;
    assert_eq!(error["code"], "PERMISSION_DENIED", "{error}");
    assert_eq!(api.requests().len(), sent + 1, "the first page only");
    let (free, _api) = serve("/offset", 100).await;
    free.data(json!({"operation": "list_things", "params": {"all": true}})).await;
}

/// Ruling S7: a link to another place is not followed, and what was read stays unread.
#[tokio::test]
async fn links_that_lead_away() {
    let elsewhere = FakeApi::always(Answer::json(200, json!([2]))).await;
    let away = format!("<{}/link?page=2>; rel=\"next\"", elsewhere.base_url());
    let api = FakeApi::always(Answer::json(200, json!([1])).header("Link", &away)).await;
    let server = Setup::default().serve(&[things(&api, "/link")]);
    let error = server.error(json!({"operation": "list_things", "params": {"all": true}})).await;
    assert_eq!(error["code"], "PERMISSION_DENIED", "{error}");
    assert!(elsewhere.requests().is_empty());
    assert!(!error.to_string().contains(&elsewhere.port().to_string()), "nor is it told");
}
