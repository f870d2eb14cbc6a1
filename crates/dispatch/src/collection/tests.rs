//! Questions to collections, seen from both ends.
//!
//! A shelf behind a fake API in; answers, and what the API was asked for them, out.

mod answers;
mod budgets;
mod cached_pages;
mod claims;
mod cursors;
mod declared;
mod fields;
mod four_styles;
mod gate;
mod paging;
mod pushed_arguments;
mod quirks;
mod reference;
mod targets;

use crate::test_server::{Setup, TestServer, adapter};
use aqueduct_testkit::api::{FakeApi, Recorded};
use aqueduct_testkit::paged_list;
use serde_json::{Value, json};
use std::sync::Arc;

const PATHS: [&str; 4] = ["/link", "/cursor", "/offset", "/page"];

/// An adapter whose operation `list_things` reads one of the four paths.
fn things(api: &FakeApi, path: &str) -> String {
    adapter(&format!("shelf{}", path.replace('/', "-")), &api.base_url(), &operations(path, ""))
}

/// The operations block, with more keys for the operation.
fn operations(path: &str, more: &str) -> String {
    let pagination = paged_list::pagination(path);
    format!(
        "operations:\n  read:\n    - name: list_things\n      maps_to: GET {path}\n      description: Lists things\n      \
         pagination: {pagination}\n{more}"
    )
}

/// A server of one path in front of a collection of so many items.
async fn serve(path: &str, count: usize) -> (TestServer, FakeApi) {
    let items = Arc::new(paged_list::items(count));
    let api = FakeApi::start(move |request| paged_list::answer(&items, request)).await;
    let text = things(&api, path);
    (Setup::default().serve(&[text]), api)
}

/// A call of `list_things`.
fn ask(params: Value) -> Value {
    json!({"operation": "list_things", "params": params})
}

/// A number in the query of a request.
fn number(request: &Recorded, name: &str) -> Option<usize> {
    let query = request.query()?;
    query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')?.parse().ok())
}

/// The ids of the items in an answer.
fn ids(answer: &Value) -> Vec<u64> {
    answer["items"].as_array().unwrap().iter().map(|item| item["id"].as_u64().unwrap()).collect()
}
