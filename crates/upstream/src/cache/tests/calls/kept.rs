//! What is kept, for whom, and until when.
//!
//! Most tests read twice, some seconds apart, and count the requests that it took.

use super::{anyone, by, cacheable, counting, read, with_rule};
use crate::cache::{CacheSettings, ReadOptions};
use crate::error::UpstreamError;
use crate::test_support::{ChangingClock, send, upstream, upstream_at};
use crate::upstream::{Upstream, UpstreamSettings};
use aqueduct_operations::auth::Auth;
use aqueduct_operations::category::Category;
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_operations::params::{ParamLocation, ValueKind};
use aqueduct_operations::target::Method;
use aqueduct_testkit::api::{self, FakeApi, Recorded};
use aqueduct_testkit::clock::TestClock;
use aqueduct_testkit::environment::TestEnvironment;
use aqueduct_testkit::operation::{get, operation, param, site, target, with_param, with_site};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// How many requests two reads make, the second one some seconds after the first.
async fn requests_of_two(headers: &[(&str, &str)], reading: &ReadOptions, seconds: u64) -> usize {
    let (api, clock) = (counting(headers).await, TestClock::default());
    let (upstream, operation) = (upstream_at(&clock, &[]), get("g", &api.base_url(), "/x"));
    read(&upstream, &operation, reading).await;
    clock.advance(Duration::from_secs(seconds));
    read(&upstream, &operation, reading).await;
    api.requests().len()
}

/// R1.3-14 R10.5-1 R10.5-2: an answer is used again for as long as its headers allow, with its status and headers.
#[tokio::test]
async fn used_again_while_fresh() {
    let (api, clock) = (cacheable().await, TestClock::default());
    let (upstream, operation) = (upstream_at(&clock, &[]), get("g", &api.base_url(), "/x"));
    let first = read(&upstream, &operation, &anyone()).await;
    clock.advance(Duration::from_secs(59));
    let second = read(&upstream, &operation, &anyone()).await;
    assert_eq!((first.from_cache, second.from_cache), (false, true));
    assert_eq!((&first.data, &first.headers, first.status), (&second.data, &second.headers, second.status));
    assert_eq!(second.content_type, "application/json");
    clock.advance(Duration::from_secs(1));
    let third = read(&upstream, &operation, &anyone()).await;
    assert_eq!((third.from_cache, third.data.as_str()), (false, "1"));
}

/// R10.5-1: a QUERY is a read, kept for each of its bodies; what asks for options is a read that is not kept.
#[tokio::test]
async fn reads_with_other_methods() {
    let (api, upstream) = (cacheable().await, upstream(&[]));
    let by_method = |method| {
        let operation = operation("find", Category::Read, target(site(&api.base_url()), method, "/x"));
        with_param(operation, param("q", ValueKind::String, ParamLocation::Body))
    };
    let data = async |method, values| {
        let answer = send(&upstream, &by_method(method), values, &anyone()).await.unwrap();
        answer.data.as_str().to_owned()
    };
    assert_eq!(data(Method::Query, json!({"q": "a"})).await, "0");
    assert_eq!(data(Method::Query, json!({"q": "b"})).await, "1");
    assert_eq!(data(Method::Options, json!({})).await, "2");
    assert_eq!(data(Method::Options, json!({})).await, "3");
    assert_eq!(data(Method::Query, json!({"q": "a"})).await, "0");
}

/// R10.5-2: what headers say, and what they leave open.
#[tokio::test]
async fn as_the_headers_say() {
    let expires = ("Expires", "Thu, 01 Jan 2026 12:01:00 GMT");
    for (headers, seconds, expected) in [
        (&[("Cache-Control", "max-age=60")][..], 59, 1),
        (&[("Cache-Control", "private, max-age=60")], 59, 1),
        (&[("Cache-Control", "PRIVATE, Max-Age=60")], 59, 1),
        (&[("Cache-Control", "max-age=60"), ("Age", "50")], 9, 1),
        (&[("Cache-Control", "max-age=60"), ("Age", "50")], 10, 2),
        (&[("Cache-Control", "max-age=60"), ("Age", "99999999999999999999")], 1, 2),
        (&[("Cache-Control", "max-age=60"), ("Age", "18446744073709551615")], 1, 2),
        (&[("Cache-Control", "max-age=60"), ("Vary", "Accept, Authorization")], 1, 1),
        (&[("Cache-Control", "max-age=60"), ("Vary", "Accept, *")], 0, 2),
        (&[("Cache-Control", "max-age=60"), ("Set-Cookie", "a=b")], 0, 2),
        (&[("Cache-Control", "no-store, max-age=60")], 0, 2),
        (&[("Cache-Control", "No-Store"), ("ETag", "\"1\"")], 0, 2),
        (&[("Cache-Control", "no-cache, max-age=60")], 0, 2),
        (&[("Cache-Control", "s-maxage=60")], 0, 2),
        (&[("Cache-Control", "public")], 0, 2),
        (&[("Cache-Control", "immutable")], 0, 2),
        (&[expires], 59, 1),
        (&[expires], 60, 2),
        (&[expires, ("Cache-Control", "max-age=0")], 0, 2),
        (&[("Last-Modified", "Thu, 01 Jan 2015 12:00:00 GMT")], 0, 2),
        (&[], 0, 2),
    ] {
        assert_eq!(requests_of_two(headers, &anyone(), seconds).await, expected, "{headers:?} {seconds}");
    }
}

/// R10.5-2: the adapter's time holds only where the headers are silent.
#[tokio::test]
async fn the_time_of_the_adapter() {
    for (headers, seconds, expected) in [
        (&[][..], 29, 1),
        (&[], 30, 2),
        (&[("Date", "Thu, 01 Jan 2026 12:00:00 GMT")], 29, 1),
        (&[("Last-Modified", "Thu, 01 Jan 2015 12:00:00 GMT")], 29, 1),
        (&[("Cache-Control", "max-age=5")], 5, 2),
        (&[("Cache-Control", "max-age=60")], 59, 1),
        (&[("Cache-Control", "no-store")], 0, 2),
        (&[("Cache-Control", "private")], 0, 2),
        (&[("Expires", "0")], 0, 2),
        (&[("Pragma", "no-cache")], 0, 2),
    ] {
        let reading = with_rule(true, Some(30));
        assert_eq!(requests_of_two(headers, &reading, seconds).await, expected, "{headers:?} {seconds}");
    }
}

/// The switches: of the whole, of a rule, of one read; and what the request itself says.
#[tokio::test]
async fn switched_off() {
    let header = [("Cache-Control", "max-age=60")];
    assert_eq!(requests_of_two(&header, &with_rule(false, Some(60)), 0).await, 2);
    assert_eq!(requests_of_two(&header, &ReadOptions::fresh(), 0).await, 2);
    let api = cacheable().await;
    let cache = CacheSettings { enabled: false, ..CacheSettings::default() };
    let settings = UpstreamSettings { cache, ..UpstreamSettings::default() };
    let off = Upstream::new(settings, Arc::new(TestEnvironment::default()));
    for _ in 0..2 {
        read(&off, &get("g", &api.base_url(), "/x"), &anyone()).await;
    }
    let on = upstream(&[]);
    for (name, value) in [("Cache-Control", "no-cache"), ("Range", "bytes=0-1"), ("If-None-Match", "\"x\"")] {
        let operation = with_site(get("g", &api.base_url(), "/x"), |site| {
            site.headers = vec![(name.into(), value.into())];
        });
        for _ in 0..2 {
            read(&on, &operation, &anyone()).await;
        }
    }
    assert_eq!(api.requests().len(), 8);
}

/// R10.5-1: only whole answers of GETs that read are kept; not failures, not what acts.
#[tokio::test]
async fn what_is_never_kept() {
    let headers = |answer: api::Answer| answer.header("Cache-Control", "max-age=60");
    let statuses = [404, 410, 500, 206, 201];
    let api = FakeApi::start(move |request| {
        let status = request.path()[1..].parse().unwrap_or(200);
        headers(api::Answer::json(status, json!(1)))
    })
    .await;
    let upstream = upstream(&[]);
    let acting = |category| operation("x", category, target(site(&api.base_url()), Method::Get, "/200"));
    let mut non_idempotent = acting(Category::Read);
    non_idempotent.non_idempotent = true;
    let never = statuses.map(|status| get("g", &api.base_url(), &format!("/{status}")));
    let acting = [acting(Category::Execute), acting(Category::Create), non_idempotent];
    let post = operation("p", Category::Read, target(site(&api.base_url()), Method::Post, "/200"));
    for operation in never.iter().chain(&acting).chain([&post]) {
        let before = api.requests().len();
        for _ in 0..2 {
            let outcome = send(&upstream, operation, json!({}), &anyone()).await;
            assert!(outcome.is_ok_and(|answer| !answer.from_cache) || operation.name == "g");
        }
        assert_eq!(api.requests().len() - before, 2, "{operation:?}");
    }
}

/// An answer that came by a redirect is of another URL, and is not kept for this one.
#[tokio::test]
async fn redirected_answers_are_not_kept() {
    let api = FakeApi::start(|request| match request.path() {
        "/old" => api::Answer::redirect(302, "/new"),
        _ => api::Answer::json(200, json!(1)).header("Cache-Control", "max-age=60"),
    })
    .await;
    let (upstream, operation) = (upstream(&[]), get("g", &api.base_url(), "/old"));
    for _ in 0..2 {
        assert!(!read(&upstream, &operation, &anyone()).await.from_cache);
    }
    assert_eq!(api.requests().len(), 4);
}

/// Bodies with a version: `"1"` until it is asked for the third time.
fn versioned(request: &Recorded, header: &str, condition: &str) -> api::Answer {
    let version =
        if request.index < 2 { "Thu, 01 Jan 2026 11:00:00 GMT" } else { "Thu, 01 Jan 2026 11:30:00 GMT" };
    let answer = match request.header(condition) == Some(version) {
        true => api::Answer::empty(304).header("X-Seen", "again"),
        false => {
            api::Answer::json(200, json!(request.index)).header("X-Seen", "first").header("X-Kept", "yes")
        }
    };
    answer.header(header, version).header("Cache-Control", "max-age=10")
}

/// R10.5-2: a stale answer is confirmed by its version; 304 makes it fresh again with the new headers, 200 replaces it.
#[tokio::test]
async fn revalidation() {
    for (header, condition) in [("ETag", "If-None-Match"), ("Last-Modified", "If-Modified-Since")] {
        let (api, clock) = (
            FakeApi::start(move |request| versioned(request, header, condition)).await,
            TestClock::default(),
        );
        let (upstream, operation) = (upstream_at(&clock, &[]), get("g", &api.base_url(), "/x"));
        let mut seen = Vec::new();
        for seconds in [10, 9, 1, 0] {
            seen.push(read(&upstream, &operation, &anyone()).await);
            clock.advance(Duration::from_secs(seconds));
        }
        let texts: Vec<_> = seen.iter().map(|answer| (answer.data.as_str(), answer.from_cache)).collect();
        assert_eq!(texts, [("0", false), ("0", false), ("0", true), ("2", false)]);
        assert_eq!(seen[1].status, 200);
        assert_eq!((seen[1].header("x-seen"), seen[1].header("X-Kept")), (Some("again"), Some("yes")));
        assert_eq!(seen[1].content_type, "application/json");
        assert_eq!(seen[2].header("x-seen"), Some("again"));
        let sent: Vec<_> = api.requests().iter().map(|request| request.header(condition).is_some()).collect();
        assert_eq!(sent, [false, true, true]);
    }
}

/// Two answers with the same version, a 200 and then a 304, each with these headers; how long after the second one what is
/// kept is used without asking.
async fn seconds_of_use_after_304(
    first: &'static [(&'static str, &'static str)],
    confirmation: &'static [(&'static str, &'static str)],
) -> Option<u64> {
    let api = FakeApi::start(move |request| {
        let (answer, headers) = match request.header("if-none-match") {
            None => (api::Answer::json(200, json!(request.index)), first),
            Some(_) => (api::Answer::empty(304), confirmation),
        };
        let answer = answer.header("ETag", "\"1\"");
        headers.iter().fold(answer, |answer, (name, value)| answer.header(name, value))
    })
    .await;
    let clock = TestClock::default();
    let (upstream, operation) = (upstream_at(&clock, &[]), get("g", &api.base_url(), "/x"));
    read(&upstream, &operation, &anyone()).await;
    clock.advance(Duration::from_secs(60));
    let confirmed = read(&upstream, &operation, &anyone()).await;
    assert_eq!((confirmed.data.as_str(), confirmed.from_cache, api.requests().len()), ("0", false, 2));
    for seconds in 0..200 {
        if !read(&upstream, &operation, &anyone()).await.from_cache {
            let sent = api.requests();
            assert_eq!(sent.len(), 3);
            // What is no longer kept has no version to ask by.
            return sent[2].header("if-none-match").map(|_| seconds);
        }
        clock.advance(Duration::from_secs(1));
    }
    panic!("it is used for ever");
}

/// R10.5-2: after a 304 the age and the date are those of the 304, and so is the time for which it may be used, where the
/// 304 names one.
#[tokio::test]
async fn times_of_a_confirmation() {
    const EXPIRES: (&str, &str) = ("Expires", "Thu, 01 Jan 2026 12:01:00 GMT");
    const LATER: (&str, &str) = ("Expires", "Thu, 01 Jan 2026 12:01:30 GMT");
    const DATE: (&str, &str) = ("Date", "Thu, 01 Jan 2026 12:00:00 GMT");
    const DATE_OF_304: (&str, &str) = ("Date", "Thu, 01 Jan 2026 12:01:10 GMT");
    const MINUTE: (&str, &str) = ("Cache-Control", "max-age=60");
    for (first, confirmation, expected) in [
        (&[MINUTE, ("Age", "50")][..], &[][..], 60),
        (&[MINUTE, ("Age", "50")], &[("Age", "20")], 40),
        (&[MINUTE], &[("Age", "50")], 10),
        (&[MINUTE], &[("Cache-Control", "max-age=90")], 90),
        (&[EXPIRES, DATE], &[LATER], 30),
        (&[EXPIRES, DATE], &[LATER, DATE_OF_304], 20),
        (&[EXPIRES, DATE], &[], 0),
    ] {
        let seconds = seconds_of_use_after_304(first, confirmation).await;
        assert_eq!(seconds, Some(expected), "{first:?} {confirmation:?}");
    }
}

/// R10.5-2: a 304 that sets a cookie, or that forbids to keep anything, ends what is kept; it answers this one read.
#[tokio::test]
async fn confirmations_that_end_it() {
    const MINUTE: (&str, &str) = ("Cache-Control", "max-age=60");
    for confirmation in [&[MINUTE, ("Set-Cookie", "a=b")][..], &[("Cache-Control", "no-store, max-age=60")]] {
        assert_eq!(seconds_of_use_after_304(&[MINUTE], confirmation).await, None, "{confirmation:?}");
    }
    assert_eq!(seconds_of_use_after_304(&[MINUTE], &[MINUTE]).await, Some(60));
}

/// A 304 that speaks of another version confirms nothing; one that names none confirms what was asked.
#[tokio::test]
async fn confirmations_of_another_version() {
    for (told, requests, expected) in [("\"2\"", 3, "2"), ("W/\"1\"", 2, "0"), ("", 2, "0")] {
        let api = FakeApi::start(move |request| match (request.header("if-none-match"), told) {
            (None, _) => api::Answer::json(200, json!(request.index)).header("ETag", "\"1\""),
            (Some(_), "") => api::Answer::empty(304),
            (Some(_), told) => api::Answer::empty(304).header("ETag", told),
        })
        .await;
        let (upstream, operation) = (upstream(&[]), get("g", &api.base_url(), "/x"));
        read(&upstream, &operation, &anyone()).await;
        assert_eq!(read(&upstream, &operation, &anyone()).await.data.as_str(), expected, "{told}");
        assert_eq!(api.requests().len(), requests, "{told}");
    }
}

/// What is kept is of the URL that was asked: a redirect is followed without its version, and a 304 no one asked for is
/// an error as ever.
#[tokio::test]
async fn redirected_revalidation() {
    let api = FakeApi::start(|request| match (request.path(), request.index) {
        ("/x", 0) => api::Answer::json(200, json!("old")).header("ETag", "\"1\""),
        ("/x", _) => api::Answer::redirect(302, "/y"),
        ("/y", _) if request.header("if-none-match").is_some() => api::Answer::empty(304),
        ("/y", _) => api::Answer::json(200, json!("new")),
        _ => api::Answer::empty(304),
    })
    .await;
    let (upstream, operation) = (upstream(&[]), get("g", &api.base_url(), "/x"));
    read(&upstream, &operation, &anyone()).await;
    assert_eq!(read(&upstream, &operation, &anyone()).await.data.as_str(), "\"new\"");
    let unasked = send(&upstream, &get("g", &api.base_url(), "/z"), json!({}), &anyone()).await;
    assert_eq!(unasked.unwrap_err().http_status(), Some(304));
}

/// R10.5-1: no answer crosses callers, credentials, operators' headers or parameters.
#[tokio::test]
async fn nothing_crosses_callers_or_credentials() {
    let (api, environment) = (cacheable().await, ChangingClock::default());
    let upstream = Upstream::new(UpstreamSettings::default(), Arc::new(environment.clone()));
    let plain =
        || with_param(get("g", &api.base_url(), "/x"), param("q", ValueKind::String, ParamLocation::Query));
    let authorized = with_site(plain(), |site| {
        site.auth = Auth::Bearer { token_env: "T".into(), prefix: "Bearer ".into() };
    });
    let operated = with_site(plain(), |site| {
        site.operator_headers = vec![NamedSecret::new("X-Key", "operator-1")];
    });
    let mut seen = Vec::new();
    for token in ["token-1", "token-2"] {
        environment.set(token);
        for caller in [by("ann"), by("bob"), anyone()] {
            for operation in [&plain(), &authorized, &operated] {
                for values in [json!({}), json!({"q": "1"})] {
                    seen.push(send(&upstream, operation, values, &caller).await.unwrap());
                }
            }
        }
    }
    // The token matters only where it is sent: 3 callers and 2 queries, for 4 kinds of credentials.
    assert_eq!(api.requests().len(), 3 * 2 * 4);
    assert_eq!(seen.iter().filter(|answer| answer.from_cache).count(), 3 * 2 * 2);
    environment.set("");
    let refused = send(&upstream, &authorized, json!({}), &by("ann")).await;
    assert!(matches!(refused, Err(UpstreamError::Credential(_))), "{refused:?}");
}

/// R11.2-1: what is kept holds no credential, and nothing that is kept is printed.
#[tokio::test]
async fn only_redacted_answers_are_kept() {
    let answer = api::Answer::json(200, json!({"echo": "t0ken-value", "name": "personal-data"}));
    let api =
        FakeApi::always(answer.header("Cache-Control", "max-age=60").header("X-Echo", "t0ken-value")).await;
    let upstream = upstream(&[("T", "t0ken-value")]);
    let operation = with_site(get("g", &api.base_url(), "/x"), |site| {
        site.auth = Auth::Bearer { token_env: "T".into(), prefix: "Bearer ".into() };
    });
    read(&upstream, &operation, &anyone()).await;
    let kept = read(&upstream, &operation, &anyone()).await;
    assert!(kept.from_cache);
    assert!(!kept.data.as_str().contains("t0ken") && kept.header("x-echo") == Some("[REDACTED]"));
    let shown = format!("{:?} {kept:?}", upstream.shared().cache);
    for leak in ["t0ken", "personal-data"] {
        assert!(!shown.contains(leak), "{shown}");
    }
}
