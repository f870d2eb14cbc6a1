//! Questions to collections, seen from both ends.

mod answers;
mod four_styles;
mod gate;
mod paging;
mod quirks;

use crate::test_server::{Setup, TestServer, adapter};
use aqueduct_testkit::api::FakeApi;
use aqueduct_testkit::shelf;
use std::sync::Arc;

const PATHS: [&str; 4] = ["/link", "/cursor", "/offset", "/page"];

/// An adapter whose operation `list_things` reads one of the four paths.
fn things(api: &FakeApi, path: &str) -> String {
    adapter(&format!("shelf{}", path.replace('/', "-")), &api.base_url(), &operations(path, ""))
}

/// The operations block, with more keys for the operation.
fn operations(path: &str, more: &str) -> String {
    let pagination = shelf::pagination(path);
    format!(
        "operations:\n  read:\n    - name: list_things\n      maps_to: GET {path}\n      description: Lists things\n      \
         pagination: {pagination}\n{more}"
    )
}

/// A server of one path in front of a collection of so many items.
async fn serve(path: &str, count: usize) -> (TestServer, FakeApi) {
    let items = Arc::new(shelf::items(count));
    let api = FakeApi::start(move |request| shelf::answer(&items, request)).await;
    let text = things(&api, path);
    (Setup::default().serve(&[text]), api)
}
