//! Tests of `redirect`.

use super::RedirectRoute;
use crate::credentials::Credentials;
use crate::error::{DestinationError, UpstreamError};
use crate::http::build::build;
use crate::http::request::HttpRequest;
use crate::http::send::{RequestAttempts, prepared};
use crate::test_support::{call, upstream};
use aqueduct_operations::address::{AddressKind, AddressScope};
use aqueduct_operations::auth::{Auth, KeyPlace};
use aqueduct_operations::category::Category;
use aqueduct_operations::gatekeeper::FetchPermit;
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::{ParamLocation, ValueKind};
use aqueduct_operations::target::{AnswerKind, Method};
use aqueduct_testkit::api::{Answer, FakeApi};
use aqueduct_testkit::environment::TestEnvironment;
use aqueduct_testkit::operation::{
    get, http_target, operation, param, site, target, with_param, with_site, with_target,
};
use serde_json::json;

fn bearer() -> Auth {
    Auth::Bearer { token_env: "T".into(), prefix: "Bearer ".into() }
}

const VARIABLES: [(&str, &str); 1] = [("T", "t0ken-value")];

/// A request with everything that must stay with the site.
fn loaded(base_url: &str) -> Operation {
    let operation = with_site(get("g", base_url, "/start"), |site| {
        site.auth = bearer();
        site.headers = vec![("X-Constant".into(), "1".into())];
        site.operator_headers = vec![NamedSecret::new("X-Operator", "operator-value")];
    });
    let operation = with_param(operation, param("session", ValueKind::String, ParamLocation::Cookie));
    with_param(operation, param("x-custom", ValueKind::String, ParamLocation::Header))
}

/// Where a route goes after these redirects.
fn after(operation: &Operation, locations: &[&str]) -> Result<(HttpRequest, AddressScope), UpstreamError> {
    let upstream = upstream(&VARIABLES);
    let values = json!({"session": "mine", "x-custom": "mine"});
    let target = http_target(operation);
    let request = build(operation, target, values.as_object().unwrap()).unwrap();
    let credentials = Credentials::resolve(&target.site, &TestEnvironment::with(&VARIABLES)).unwrap();
    let permit = FetchPermit::document(&target.site.base_url);
    let call = RequestAttempts {
        shared: upstream.shared(),
        permit: &permit,
        target,
        request: &request,
        credentials: &credentials,
        revalidates: false,
    };
    let mut route = RedirectRoute::new(&request);
    for location in locations {
        let response = http::Response::builder().status(302).header("location", *location);
        let response = response.body(reqwest::Body::from("")).unwrap();
        assert!(route.follow(&call, &response.into())?);
    }
    prepared(&call, &route)
}

const HOME: &str = "https://api.example.com/v1";

/// Ruling S7: the same origin keeps everything.
#[test]
fn same_origin_keeps_credentials() {
    let (request, _) = after(&loaded(HOME), &["/v2/moved?x=1#part", "further"]).unwrap();
    assert_eq!(request.url.as_str(), "https://api.example.com/v2/further");
    for header in ["authorization", "x-operator", "x-constant", "x-custom", "cookie"] {
        assert!(request.headers.contains_key(header), "{header}");
    }
}

/// Ruling S7: another origin gets the plainest request, and so does whatever comes after it.
#[test]
fn other_origins_get_nothing() {
    for locations in [
        &["https://evil.example/x"][..],
        &["https://api.example.com:8443/x"],
        &["//evil.example/x"],
        &["https://user:pw@evil.example/x"],
        &["https://evil.example/x", "https://api.example.com/v1/back"],
    ] {
        let (request, reach) = after(&loaded(HOME), locations).unwrap();
        let mut names: Vec<_> = request.headers.keys().map(|name| name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["accept", "user-agent"], "{locations:?}");
        assert_eq!((request.url.username(), request.url.password()), ("", None));
        assert_eq!(reach, AddressScope::Public);
    }
}

#[test]
fn a_key_in_the_query_stays() {
    let key = |site: &mut aqueduct_operations::target::Site| {
        site.auth = Auth::ApiKey { key_env: "T".into(), place: KeyPlace::Query("key".into()) };
    };
    let operation = with_site(get("g", HOME, "/start"), key);
    let (own, _) = after(&operation, &["/moved?a=1&key=t0ken-value"]).unwrap();
    assert_eq!(own.url.query(), Some("a=1&key=t0ken-value"));
    let (other, _) = after(&operation, &["https://evil.example/?a=1"]).unwrap();
    assert_eq!(other.url.query(), Some("a=1"));
    let error = after(&operation, &["https://evil.example/?key=t0ken-value"]).unwrap_err();
    assert_eq!(error, DestinationError::RedirectUnusable { host: "api.example.com".into() }.into());
}

#[test]
fn no_downgrade() {
    for location in ["http://api.example.com/v1", "http://evil.example/", "ftp://evil.example/"] {
        let error = after(&loaded(HOME), &[location]).unwrap_err();
        assert_eq!(error, DestinationError::RedirectScheme { host: "api.example.com".into() }.into());
    }
}

/// Ruling S7: a redirect to a private address is refused, and the target is not told.
#[tokio::test]
async fn no_redirect_into_a_private_network() {
    let inside = FakeApi::always(Answer::json(200, json!("inside"))).await;
    for location in [inside.base_url(), format!("http://localhost:{}/", inside.port())] {
        let api = FakeApi::always(Answer::redirect(302, &location)).await;
        let error = call(&get("g", &api.base_url(), "/x"), &[], json!({})).await.unwrap_err();
        let kind = AddressKind::Loopback;
        assert_eq!(error, DestinationError::RedirectAddress { host: "127.0.0.1".into(), kind }.into());
    }
    assert_eq!(inside.connection_count(), 0);
}

#[tokio::test]
async fn follows_on_the_same_site() {
    for status in [301, 302, 303, 307, 308] {
        let api = FakeApi::start(move |request| match request.path() {
            "/start" => Answer::redirect(status, "/end"),
            _ => Answer::json(200, json!("end")),
        })
        .await;
        let values = json!({"session": "mine", "x-custom": "mine"});
        let answer = call(&loaded(&api.base_url()), &VARIABLES, values).await.unwrap();
        assert_eq!(answer.data.as_str(), "\"end\"");
        assert_eq!(api.requests()[1].header("authorization"), Some("Bearer t0ken-value"));
    }
}

#[tokio::test]
async fn five_hops_and_no_more() {
    for (hops, is_followed) in [(5, true), (6, false)] {
        let api = FakeApi::start(move |request| match request.index {
            index if index < hops => Answer::redirect(302, &format!("/{index}")),
            _ => Answer::json(200, json!(1)),
        })
        .await;
        let outcome = call(&get("g", &api.base_url(), "/x"), &[], json!({})).await;
        assert_eq!(outcome.is_ok(), is_followed);
        assert_eq!(api.requests().len(), 6);
    }
}

/// Wherever the route leads, the same kinds of answers are asked for.
#[test]
fn accepted_answers_stay() {
    for (answer, accepted) in
        [(AnswerKind::Json, "application/json"), (AnswerKind::Any, "application/json, */*;q=0.8")]
    {
        let operation = with_target(loaded("https://api.example.com"), |target| target.answer = answer);
        let (request, _) = after(&operation, &["https://files.example.org/x"]).unwrap();
        assert_eq!(request.headers["accept"], accepted);
    }
}

/// A HEAD goes on as a HEAD.
#[tokio::test]
async fn head_is_redirected() {
    let api = FakeApi::start(|request| match request.path() {
        "/x" => Answer::redirect(301, "/end"),
        _ => Answer::empty(200).header("X-End", "yes"),
    })
    .await;
    let head = operation("look", Category::Read, target(site(&api.base_url()), Method::Head, "/x"));
    let answer = call(&head, &[], json!({})).await.unwrap();
    assert_eq!(answer.header("x-end"), Some("yes"));
    assert_eq!(api.requests()[1].method, "HEAD");
}

/// A question that is in the body is neither dropped nor told to somebody else.
#[tokio::test]
async fn a_body_is_not_redirected() {
    let api = FakeApi::always(Answer::redirect(307, "/elsewhere")).await;
    let search =
        with_param(get("g", &api.base_url(), "/x"), param("q", ValueKind::String, ParamLocation::Body));
    let error = call(&search, &[], json!({"q": "a"})).await.unwrap_err();
    assert_eq!((error.http_status(), api.only_request().json()), (Some(307), json!({"q": "a"})));
}

/// R7.3-2: only GET is redirected; for any other method 3xx is a failure.
#[tokio::test]
async fn only_get_is_redirected() {
    for method in [Method::Post, Method::Put, Method::Patch, Method::Delete, Method::Query] {
        let api = FakeApi::always(Answer::redirect(307, "/elsewhere")).await;
        let operation = operation("do_it", Category::Execute, target(site(&api.base_url()), method, "/x"));
        let error = call(&operation, &[], json!({})).await.unwrap_err();
        assert_eq!(error.http_status(), Some(307));
        assert_eq!(api.requests().len(), 1);
    }
}
