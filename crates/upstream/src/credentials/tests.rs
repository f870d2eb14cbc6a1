//! Tests of `credentials`.

use super::{Credential, Credentials};
use crate::error::{CredentialError, RequestBuildError, UpstreamError};
use crate::test_support::{call, site};
use aqueduct_operations::auth::{Auth, KeyPlace};
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::{ParamLocation, ValueKind};
use aqueduct_testkit::api::{Answer, FakeApi, Recorded};
use aqueduct_testkit::environment::TestEnvironment;
use aqueduct_testkit::operation::{get, param, with_param, with_site};
use serde_json::json;
use url::Url;

fn bearer() -> Auth {
    Auth::Bearer { token_env: "TOKEN".into(), prefix: "Bearer ".into() }
}

fn key(place: KeyPlace) -> Auth {
    Auth::ApiKey { key_env: "KEY".into(), place }
}

async fn sent(auth: Auth, variables: &[(&str, &str)]) -> Recorded {
    let api = FakeApi::always(Answer::json(200, json!(1))).await;
    let operation = with_site(get("g", &api.base_url(), "/x?a=1"), |site| site.auth = auth);
    call(&operation, variables, json!({})).await.unwrap();
    api.only_request()
}

/// X-adapter-10 X-plugins-11 R2.2-4 S-openapi-16 S-openapi-28 S-openapi-29: bearer goes into the authorization header; without `auth` there is none.
#[tokio::test]
async fn bearer_header() {
    let request = sent(bearer(), &[("TOKEN", "t0ken-value")]).await;
    assert_eq!(request.header("authorization"), Some("Bearer t0ken-value"));
    let prefixed = Auth::Bearer { token_env: "TOKEN".into(), prefix: "token ".into() };
    let request = sent(prefixed, &[("TOKEN", "t0ken-value")]).await;
    assert_eq!(request.header("authorization"), Some("token t0ken-value"));
    let request = sent(Auth::None, &[("TOKEN", "t0ken-value")]).await;
    assert_eq!(request.header("authorization"), None);
}

/// X-adapter-11 S-openapi-30: a key goes where the adapter says.
#[tokio::test]
async fn api_key_places() {
    let variables = [("KEY", "k&y=1")];
    let header = sent(key(KeyPlace::Header("X-Api-Key".into())), &variables).await;
    assert_eq!(header.header("x-api-key"), Some("k&y=1"));
    let query = sent(key(KeyPlace::Query("api key".into())), &variables).await;
    assert_eq!(query.query(), Some("a=1&api%20key=k%26y%3D1"));
    let cookie = sent(key(KeyPlace::Cookie("session".into())), &[("KEY", "abc=1")]).await;
    assert_eq!(cookie.header("cookie"), Some("session=abc=1"));
}

#[tokio::test]
async fn basic_header() {
    let auth = Auth::Basic { username_env: "USER".into(), password_env: "PASS".into() };
    let request = sent(auth, &[("USER", "aladdin"), ("PASS", "opensesame")]).await;
    assert_eq!(request.header("authorization"), Some("Basic YWxhZGRpbjpvcGVuc2VzYW1l"));
    let mut site = site("https://api.example.com");
    site.auth = Auth::Basic { username_env: "USER".into(), password_env: "PASS".into() };
    let error =
        Credentials::resolve(&site, &TestEnvironment::with(&[("USER", "a:b"), ("PASS", "pw")])).unwrap_err();
    assert_eq!(error, CredentialError::Malformed("USER".into()));
}

fn with_everything_in_the_way(base_url: &str) -> Operation {
    let operation = with_site(get("g", base_url, "/x?key=static"), |site| {
        site.headers = vec![("Authorization".into(), "constant".into())];
    });
    let operation = with_param(operation, param("authorization", ValueKind::String, ParamLocation::Header));
    let operation = with_param(operation, param("key", ValueKind::String, ParamLocation::Query));
    with_param(operation, param("session", ValueKind::String, ParamLocation::Cookie))
}

/// R2.2-4: nothing of the adapter or the request takes the place of a credential.
#[tokio::test]
async fn credentials_cannot_be_overridden() {
    let api = FakeApi::always(Answer::json(200, json!(1))).await;
    let values = json!({"authorization": "mine", "key": "mine", "session": "mine"});
    for auth in [bearer(), key(KeyPlace::Query("key".into())), key(KeyPlace::Cookie("session".into()))] {
        let operation = with_site(with_everything_in_the_way(&api.base_url()), |site| site.auth = auth);
        let variables = [("TOKEN", "t0ken-value"), ("KEY", "k3y-value")];
        call(&operation, &variables, values.clone()).await.unwrap();
    }
    let requests = api.requests();
    assert_eq!(requests[0].header("authorization"), Some("Bearer t0ken-value"));
    assert_eq!(requests[1].query(), Some("key=k3y-value"));
    assert_eq!(requests[2].header("cookie"), Some("session=k3y-value"));
}

#[tokio::test]
async fn operator_headers_are_sent() {
    let api = FakeApi::always(Answer::json(200, json!(1))).await;
    let operation = with_site(get("g", &api.base_url(), "/x"), |site| {
        site.headers = vec![("X-Team".into(), "adapter".into())];
        site.operator_headers = vec![NamedSecret::new("X-Team", "operator-value")];
    });
    call(&operation, &[], json!({})).await.unwrap();
    assert_eq!(api.only_request().header("x-team"), Some("operator-value"));
}

/// A header that the operator gives stands for the credential that would be in it, and for no other.
#[tokio::test]
async fn operator_headers_are_credentials() {
    let api = FakeApi::always(Answer::json(200, json!(1))).await;
    let with = |auth: Auth| {
        with_site(get("g", &api.base_url(), "/x"), |site| {
            site.auth = auth;
            site.operator_headers = vec![NamedSecret::new("authorization", "Basic b3BlcmF0b3I=")];
        })
    };
    let either = Auth::AnyOf(vec![key(KeyPlace::Query("key".into())), bearer()]);
    for auth in [bearer(), either] {
        call(&with(auth), &[], json!({})).await.unwrap();
    }
    let sent: Vec<_> = api.requests().iter().map(|r| r.header("authorization").map(str::to_owned)).collect();
    assert_eq!(sent, vec![Some("Basic b3BlcmF0b3I=".to_owned()); 2]);
    for auth in
        [key(KeyPlace::Header("X-Key".into())), Auth::All(vec![bearer(), key(KeyPlace::Query("key".into()))])]
    {
        let error = call(&with(auth), &[], json!({})).await.unwrap_err();
        assert_eq!(error, CredentialError::Missing("KEY".into()).into());
    }
}

/// X-plugins-11 R11.2-1: a variable that is missing, empty or not sendable is named, its value never, and nothing is
/// sent.
#[tokio::test]
async fn bad_variables() {
    let api = FakeApi::always(Answer::json(200, json!(1))).await;
    let operation = with_site(get("g", &api.base_url(), "/x"), |site| site.auth = bearer());
    let missing = CredentialError::Missing("TOKEN".into());
    for variables in [vec![], vec![("TOKEN", "")]] {
        let error = call(&operation, &variables, json!({})).await.unwrap_err();
        assert_eq!(error, UpstreamError::Credential(missing.clone()));
    }
    for value in ["s3cret\n", "s3\r\ncret", "s3cret\u{7f}", "s3crét", " s3cret"] {
        let error = call(&operation, &[("TOKEN", value)], json!({})).await.unwrap_err();
        assert_eq!(error, CredentialError::Malformed("TOKEN".into()).into());
        assert!(!format!("{error:?} {error}").contains("s3"));
    }
    for value in ["${env:s3cret}", "${input:s3cret}", "${S3CRET}", "Bearer ${env:s3cret}"] {
        let error = call(&operation, &[("TOKEN", value)], json!({})).await.unwrap_err();
        assert_eq!(error, CredentialError::Placeholder("TOKEN".into()).into(), "{value}");
    }
    let with_header = with_site(get("g", &api.base_url(), "/x"), |site| {
        site.operator_headers = vec![NamedSecret::new("x-key", "${env:KEY}")];
    });
    let error = call(&with_header, &[], json!({})).await.unwrap_err();
    assert_eq!(error, CredentialError::PlaceholderHeader("x-key".into()).into());
    assert_eq!(api.requests().len(), 0);
}

/// R2.2-3 R2.2-4 R2.2-7: the request is built before credentials are looked for.
#[tokio::test]
async fn build_comes_before_auth() {
    let operation = with_site(get("g", "https://api.example.com", "/x/{id}"), |site| site.auth = bearer());
    let error = call(&operation, &[], json!({})).await.unwrap_err();
    assert_eq!(error, RequestBuildError::MissingPathParam("id".into()).into());
}

/// R11.2-4: credentials go over https, or to this machine; the refusal comes before anything is sent.
#[tokio::test]
async fn never_over_plain_http() {
    let operation = with_site(get("g", "http://api.example.com", "/x"), |site| site.auth = bearer());
    let error = call(&operation, &[("TOKEN", "t0ken-value")], json!({})).await.unwrap_err();
    assert_eq!(error, CredentialError::Unencrypted("api.example.com".into()).into());
    let mut with_operator_header = site("http://api.example.com");
    with_operator_header.operator_headers = vec![NamedSecret::new("X-Key", "operator-value")];
    let variables = TestEnvironment::with(&[]);
    let held = Credentials::resolve(&with_operator_header, &variables).unwrap();
    let none = Credentials::resolve(&site("http://api.example.com"), &variables).unwrap();
    for (url, is_allowed) in [
        ("https://api.example.com/", true),
        ("http://localhost:8080/", true),
        ("http://127.0.0.1/", true),
        ("http://[::1]/", true),
        ("http://api.example.com/", false),
        ("http://10.0.0.1/", false),
        ("http://localhost.example.com/", false),
    ] {
        let url = Url::parse(url).unwrap();
        assert_eq!(held.check_destination(&url).is_ok(), is_allowed, "{url}");
        assert!(none.check_destination(&url).is_ok());
    }
}

/// R11.2-1: what holds a credential does not print it. Its types also clear their memory, which no test can see.
#[test]
fn held_safely() {
    fn is_cleared_on_drop(_: &impl zeroize::ZeroizeOnDrop) {}
    let variables =
        TestEnvironment::with(&[("TOKEN", "t0ken-value"), ("KEY", "t0ken-value"), ("USER", "t0ken-value")]);
    let basic = Auth::Basic { username_env: "USER".into(), password_env: "KEY".into() };
    for auth in [
        bearer(),
        basic,
        key(KeyPlace::Header("X".into())),
        key(KeyPlace::Query("q".into())),
        key(KeyPlace::Cookie("c".into())),
    ] {
        let mut site = site("https://api.example.com");
        site.auth = auth;
        site.operator_headers = vec![NamedSecret::new("X-Op", "t0ken-value")];
        let held = Credentials::resolve(&site, &variables).unwrap();
        let shown = format!("{held:?} {site:?}");
        for leak in ["t0ken", "dDBrZW4"] {
            assert!(!shown.contains(leak), "{shown}");
        }
        for credential in &held.items {
            match credential {
                Credential::Header(_, value) => assert!(value.is_sensitive()),
                Credential::Query(_, value) | Credential::Cookie(_, value) => is_cleared_on_drop(value),
            }
        }
    }
}

#[test]
fn operator_headers_are_secret() {
    let of = |name: &str, value: &str| {
        let mut site = site("https://api.example.com");
        site.operator_headers = vec![NamedSecret::new(name, value)];
        Credentials::resolve(&site, &TestEnvironment::with(&[])).unwrap().redactor
    };
    assert_eq!(of("Authorization", "Bearer abcdef").data("x abcdef Bearer"), "x [REDACTED] Bearer");
    assert_eq!(of("Cookie", "a=abcdef; b=uvwxyz").data("uvwxyz abcdef"), "[REDACTED] [REDACTED]");
    assert_eq!(of("X-Api-Version", "2022-11-28").data("2022-11-28"), "2022-11-28");
    assert_eq!(of("Accept", "text/csv").data("text/csv"), "text/csv");
}

/// R11.4-4: headers that frame a message are not for operators either.
#[test]
fn operator_headers_do_not_frame() {
    for name in ["Host", "Content-Length", "Transfer-Encoding", "Connection", "Proxy-Authorization"] {
        let mut site = site("https://api.example.com");
        site.operator_headers = vec![NamedSecret::new(name, "5")];
        let refused = Credentials::resolve(&site, &TestEnvironment::with(&[])).err();
        assert_eq!(refused, Some(CredentialError::OperatorHeader(name.into())));
    }
}

#[test]
fn places_must_be_names() {
    let variables = TestEnvironment::with(&[("KEY", "k3y-value")]);
    for place in [KeyPlace::Header("not a name".into()), KeyPlace::Cookie("a;b".into())] {
        let mut site = site("https://api.example.com");
        site.auth = key(place);
        let error = Credentials::resolve(&site, &variables).unwrap_err();
        assert!(matches!(error, CredentialError::Place(_)), "{error}");
    }
}
