//! Tests of `choice`.

use super::{lacking, unset, ways_in_words};
use crate::error::{CredentialError, UpstreamError};
use crate::test_support::{call, prepared, upstream};
use aqueduct_operations::auth::{Auth, KeyPlace};
use aqueduct_operations::operation::Operation;
use aqueduct_testkit::api::{Answer, FakeApi, Recorded};
use aqueduct_testkit::environment::TestEnvironment;
use aqueduct_testkit::operation::{get, with_site, with_target};
use serde_json::json;
use std::sync::Arc;

fn bearer() -> Auth {
    Auth::Bearer { token_env: "TOKEN".into(), prefix: "Bearer ".into() }
}

fn basic() -> Auth {
    Auth::Basic { username_env: "USER".into(), password_env: "PASS".into() }
}

fn key(place: KeyPlace) -> Auth {
    Auth::ApiKey { key_env: "KEY".into(), place }
}

fn header_and_cookie() -> Auth {
    let header = key(KeyPlace::Header("X-Key".into()));
    let cookie = Auth::ApiKey { key_env: "COOKIE".into(), place: KeyPlace::Cookie("session".into()) };
    Auth::All(vec![header, cookie])
}

fn with_auth(base_url: &str, auth: Auth) -> Operation {
    with_site(get("g", base_url, "/x"), |site| site.auth = auth)
}

async fn sent(auth: Auth, variables: &[(&str, &str)]) -> Result<Recorded, UpstreamError> {
    let api = FakeApi::always(Answer::json(200, json!(1))).await;
    call(&with_auth(&api.base_url(), auth), variables, json!({})).await?;
    Ok(api.only_request())
}

/// S-openapi-16 S-openapi-28: the first alternative that is wholly set is used, and nothing of the others.
#[tokio::test]
async fn the_first_that_is_set() {
    let any = || Auth::AnyOf(vec![basic(), header_and_cookie(), bearer()]);
    let all = [("TOKEN", "t0ken-value"), ("KEY", "k3y-value"), ("COOKIE", "c00kie"), ("USER", "ann")];
    let request = sent(any(), &all[..1]).await.unwrap();
    assert_eq!(request.header("authorization"), Some("Bearer t0ken-value"));
    let request = sent(any(), &all).await.unwrap();
    assert_eq!(
        (request.header("x-key"), request.header("cookie")),
        (Some("k3y-value"), Some("session=c00kie"))
    );
    assert_eq!(request.header("authorization"), None);
    let with_password = [&all[..], &[("PASS", "opensesame")]].concat();
    let request = sent(any(), &with_password).await.unwrap();
    assert!(request.header("authorization").unwrap().starts_with("Basic "));
    assert_eq!(request.header("x-key"), None);
    // Empty is not set.
    let request =
        sent(any(), &[("KEY", "k3y-value"), ("COOKIE", ""), ("TOKEN", "t0ken-value")]).await.unwrap();
    assert_eq!(
        (request.header("x-key"), request.header("authorization")),
        (None, Some("Bearer t0ken-value"))
    );
}

/// S-openapi-16: without is an alternative too, in its turn; with none set, all of them are named and nothing is sent.
#[tokio::test]
async fn without_or_not_at_all() {
    let request = sent(Auth::AnyOf(vec![bearer(), Auth::None]), &[]).await.unwrap();
    assert_eq!(request.header("authorization"), None);
    let error = sent(Auth::AnyOf(vec![bearer(), basic()]), &[("USER", "ann")]).await.unwrap_err();
    assert_eq!(error.to_string(), "none of these is set: TOKEN; USER and PASS");
    let error = sent(Auth::All(vec![bearer(), basic()]), &[("TOKEN", "t0ken-value")]).await.unwrap_err();
    assert_eq!(error, CredentialError::Missing("USER".into()).into());
    assert!(sent(Auth::AnyOf(Vec::new()), &[]).await.is_ok());
}

/// S-openapi-16: what an operation says of its credentials goes before what its site says.
#[tokio::test]
async fn the_operation_wins() {
    let api = FakeApi::always(Answer::json(200, json!(1))).await;
    let operation = with_auth(&api.base_url(), bearer());
    let own = |auth| with_target(operation.clone(), |target| target.auth = Some(Arc::new(auth)));
    let variables = [("TOKEN", "t0ken-value"), ("KEY", "k3y-value")];
    for operation in [own(key(KeyPlace::Header("X-Key".into()))), own(Auth::None), operation.clone()] {
        call(&operation, &variables, json!({})).await.unwrap();
    }
    let seen: Vec<_> = api
        .requests()
        .iter()
        .map(|request| (request.header("x-key").is_some(), request.header("authorization").is_some()))
        .collect();
    assert_eq!(seen, [(true, false), (false, false), (false, true)]);
}

/// R11.2-1: a preview marks what would be sent, also in alternatives, and shows no secret of any of them.
#[test]
fn previews() {
    let any = Auth::AnyOf(vec![bearer(), header_and_cookie(), key(KeyPlace::Query("key".into()))]);
    let operation = with_auth("https://api.example.com", any);
    let shown = |variables: &[(&str, &str)]| upstream(variables).preview(&prepared(&operation, json!({})));
    assert_eq!(shown(&[])["headers"]["authorization"], "Bearer [REDACTED]");
    let set = shown(&[("KEY", "k3y-value"), ("COOKIE", "c00kie")]);
    assert_eq!(set["headers"]["x-key"], "[REDACTED]");
    assert_eq!(set["headers"]["cookie"], "session=[REDACTED]");
    assert!(set["headers"].get("authorization").is_none());
    assert_eq!(shown(&[("KEY", "k3y-value")])["url"], "https://api.example.com/x?key=[REDACTED]");
}

#[test]
fn variables_that_are_missing() {
    let missing =
        |auth: &Auth, variables: &[(&str, &str)]| unset(auth, &TestEnvironment::with(variables)).join(" ");
    let any = Auth::AnyOf(vec![bearer(), basic()]);
    assert_eq!(missing(&any, &[]), "TOKEN USER PASS");
    assert_eq!(missing(&any, &[("TOKEN", ""), ("USER", "ann")]), "TOKEN PASS");
    assert_eq!(missing(&any, &[("TOKEN", "t0ken-value")]), "");
    assert_eq!(missing(&Auth::All(vec![any, header_and_cookie()]), &[("TOKEN", "t")]), "KEY COOKIE");
    assert_eq!(missing(&basic(), &[("PASS", "x")]), "USER");
    assert_eq!(missing(&Auth::None, &[]), "");
}

/// R10.4-2: a link loses the key of every alternative.
#[test]
fn keys_in_links() {
    let any = Auth::AnyOf(vec![bearer(), Auth::All(vec![key(KeyPlace::Query("key".into()))])]);
    let operation = with_auth("https://api.example.com", any);
    let next = prepared(&operation, json!({})).follow("?key=other&page=2").unwrap();
    assert_eq!(next.request.url.query(), Some("page=2"));
}

/// With alternatives, one that is set is enough; else each is named with what it still lacks.
#[test]
fn what_is_lacking() {
    let any = Auth::AnyOf(vec![bearer(), basic(), header_and_cookie()]);
    let said = |auth: &Auth, set: &[(&str, &str)]| ways_in_words(&lacking(auth, &TestEnvironment::with(set)));
    assert_eq!(said(&any, &[]), "TOKEN, or USER and PASS, or KEY and COOKIE");
    assert_eq!(said(&any, &[("USER", "ann"), ("KEY", "")]), "TOKEN, or PASS, or KEY and COOKIE");
    assert_eq!(said(&any, &[("TOKEN", "t")]), "");
    let both = Auth::All(vec![bearer(), Auth::AnyOf(vec![basic(), key(KeyPlace::Query("k".into()))])]);
    assert_eq!(said(&both, &[]), "TOKEN and USER and PASS, or TOKEN and KEY");
    assert_eq!(said(&both, &[("TOKEN", "t")]), "USER and PASS, or KEY");
    assert_eq!(said(&Auth::None, &[]), "");
}
