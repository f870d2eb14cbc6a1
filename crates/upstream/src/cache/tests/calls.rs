//! The cache as calls meet it: an API that counts what it is asked, readers that ask again, and changes in between.
//!
//! `kept` has what is kept, for whom and until when; `changes` what ends it; `sharing` reads that are under way. The clock is
//! moved by hand.

mod changes;
mod kept;
mod sharing;

use crate::cache::ReadOptions;
use crate::response::UpstreamResponse;
use crate::test_support::send;
use crate::upstream::Upstream;
use aqueduct_operations::category::Category;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::response::CacheRule;
use aqueduct_operations::target::Method;
use aqueduct_testkit::api::{self, FakeApi};
use aqueduct_testkit::operation::{operation, site, target};
use serde_json::json;
use std::time::Duration;

/// Answers with the number of the request, and these headers.
pub(super) async fn counting(headers: &[(&str, &str)]) -> FakeApi {
    let headers: Vec<(String, String)> =
        headers.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    FakeApi::start(move |request| {
        let answer = api::Answer::json(200, json!(request.index));
        headers.iter().fold(answer, |answer, (name, value)| answer.header(name, value))
    })
    .await
}

pub(super) async fn cacheable() -> FakeApi {
    counting(&[("Cache-Control", "max-age=60")]).await
}

pub(super) fn by(caller: &str) -> ReadOptions {
    ReadOptions { caller: Some(caller.into()), ..ReadOptions::default() }
}

pub(super) fn anyone() -> ReadOptions {
    ReadOptions::default()
}

pub(super) fn with_rule(enabled: bool, ttl: Option<u64>) -> ReadOptions {
    ReadOptions { rule: CacheRule { enabled, ttl: ttl.map(Duration::from_secs) }, ..anyone() }
}

pub(super) async fn read(
    upstream: &Upstream,
    operation: &Operation,
    reading: &ReadOptions,
) -> UpstreamResponse {
    send(upstream, operation, json!({}), reading).await.unwrap()
}

pub(super) fn put(base_url: &str, path: &str) -> Operation {
    operation("change", Category::Update, target(site(base_url), Method::Put, path))
}
