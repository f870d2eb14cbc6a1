//! Tests of `head`.

use crate::test_support::program_call;
use crate::upstream::{Upstream, UpstreamSettings};
use aqueduct_testkit::api::{self, FakeApi};
use aqueduct_testkit::clock::TestClock;
use aqueduct_testkit::environment::TestEnvironment;
use aqueduct_testkit::operation::get;
use serde_json::Map;
use std::sync::Arc;
use std::time::Duration;

/// The wait that the upstream asks for, as seconds or as a date.
#[tokio::test]
async fn retry_after() {
    let clock = TestClock::default();
    for (value, seconds) in [
        ("120", Some(120)),
        ("Thu, 01 Jan 2026 12:00:30 GMT", Some(30)),
        ("Thu, 01 Jan 2026 11:00:00 GMT", Some(0)),
        ("soon", None),
    ] {
        let api = FakeApi::always(api::Answer::empty(429).header("Retry-After", value)).await;
        let operation = get("g", &api.base_url(), "/x");
        let settings = UpstreamSettings { clock: Arc::new(clock.clone()), ..UpstreamSettings::default() };
        let upstream = Upstream::new(settings, Arc::new(TestEnvironment::default()));
        let error = program_call(&upstream, &operation, &Map::new()).await.unwrap_err();
        assert_eq!(error.retry_after(), seconds.map(Duration::from_secs), "{value}");
    }
}
