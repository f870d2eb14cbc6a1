//! Tests of `prepared`.

use crate::cache::ReadOptions;
use crate::error::{LinkError, RequestBuildError};
use crate::test_support::{prepared, program_call, upstream};
use crate::upstream::Upstream;
use aqueduct_operations::auth::{Auth, KeyPlace};
use aqueduct_operations::category::Category;
use aqueduct_operations::credential_scope::origin_text;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::{ParamEncoding, ParamLocation, ParamStyle, ValueKind};
use aqueduct_operations::target::{BodyFormat, Method};
use aqueduct_testkit::api::{Answer, FakeApi};
use aqueduct_testkit::operation::{get, operation, param, site, target, with_param, with_site, with_target};
use aqueduct_testkit::permit::PermittedOperation;
use proptest::{prop_assert, prop_assert_eq, proptest};
use serde_json::{Map, json};
use std::sync::Arc;

const BASE: &str = "https://api.example.com/v1";

fn followed(link: &str) -> Result<String, LinkError> {
    let operation = get("list", BASE, "/items");
    let next = prepared(&operation, json!({})).follow(link)?;
    Ok(next.request.url.to_string())
}

/// R10.4-2: links lead on, absolute or relative to the request.
#[test]
fn links_are_followed() {
    for (link, url) in [
        ("https://api.example.com/v1/items?page=2", "https://api.example.com/v1/items?page=2"),
        ("https://API.example.com:443/v1/items?page=2#x", "https://api.example.com/v1/items?page=2"),
        ("?page=2", "https://api.example.com/v1/items?page=2"),
        (" /v1/other ", "https://api.example.com/v1/other"),
        ("/v1", "https://api.example.com/v1"),
        ("more/2", "https://api.example.com/v1/more/2"),
        ("//api.example.com/v1/x", "https://api.example.com/v1/x"),
    ] {
        assert_eq!(followed(link).as_deref(), Ok(url), "{link}");
    }
}

/// R10.4-2: a link leads nowhere but below the site's base URL, however it is written (ruling S7).
#[test]
fn links_do_not_lead_away() {
    for (link, error) in [
        ("https://evil.example/v1/items", LinkError::Elsewhere),
        ("//evil.example/v1/items", LinkError::Elsewhere),
        ("\\\\evil.example/v1/items", LinkError::Elsewhere),
        ("http://api.example.com/v1/items", LinkError::Elsewhere),
        ("https://api.example.com:444/v1/items", LinkError::Elsewhere),
        ("https://api.example.com.evil.example/v1/", LinkError::Elsewhere),
        ("ftp://api.example.com/v1/items", LinkError::Elsewhere),
        ("javascript:alert(1)", LinkError::Elsewhere),
        ("/v2/items", LinkError::Elsewhere),
        ("/v10", LinkError::Elsewhere),
        ("/", LinkError::Elsewhere),
        ("../v2/items", LinkError::Elsewhere),
        ("/v1/../admin", LinkError::Elsewhere),
        ("/v1/%2e%2E/admin", LinkError::Elsewhere),
        ("https://me@api.example.com/v1/items", LinkError::UserInfo),
        ("https://me:pw@api.example.com/v1/items", LinkError::UserInfo),
        ("https://[", LinkError::Unusable),
        ("", LinkError::Unusable),
        ("  ", LinkError::Unusable),
    ] {
        assert_eq!(followed(link), Err(error), "{link}");
    }
    let long = format!("?{}", "x".repeat(8 * 1024));
    assert_eq!(followed(&long), Err(LinkError::TooLong { limit: 8192, actual: 8193 }));
    assert!(followed(&long[..8192]).is_ok());
    let search = operation("find", Category::Read, target(site(BASE), Method::Post, "/search"));
    assert_eq!(prepared(&search, json!({})).follow("?page=2").unwrap_err(), LinkError::Method);
}

/// An API whose pages have links, of which the second tells everything back that was sent.
async fn paging() -> FakeApi {
    FakeApi::start(|request| match request.index {
        0 => {
            let link = format!("<{}&page=2>; rel=\"next\"", request.target);
            Answer::json(200, json!([1])).header("Link", &link)
        }
        _ => Answer::json(200, json!([2])).header("Link", "<?page=1>; rel=prev"),
    })
    .await
}

fn secretive(base_url: &str) -> Operation {
    let operation = with_site(get("list", base_url, "/items"), |site| {
        site.auth = Auth::ApiKey { key_env: "T".into(), place: KeyPlace::Query("api key".into()) };
    });
    let operation = with_param(operation, param("kind", ValueKind::String, ParamLocation::Query));
    let operation = with_param(operation, param("lang", ValueKind::String, ParamLocation::Header));
    let mut pin = param("pin", ValueKind::String, ParamLocation::Query);
    pin.sensitive = true;
    with_param(operation, pin)
}

/// R10.4-2 R11.2-1: the link that is shown holds no credential and no sensitive value; followed, both are sent again,
/// once, with the headers of the first request.
#[tokio::test]
async fn links_keep_no_secrets() {
    let api = paging().await;
    let operation = secretive(&api.base_url());
    let upstream = upstream(&[("T", "k3y-value")]);
    let values = json!({"pin": "12", "kind": "x", "lang": "de"});
    let values = Arc::new(values.as_object().cloned().unwrap());
    let permitted = PermittedOperation::new(&operation);
    let first = Upstream::prepare(permitted.operation(), &values).unwrap();
    let answer = upstream.send(permitted.permit(&values), &first, &ReadOptions::default()).await.unwrap();
    let link = answer.next_link().unwrap();
    assert_eq!(link, format!("{}/items?kind=x&page=2", api.base_url()));
    assert!(!format!("{answer:?}").contains("items"), "{answer:?}");
    let second = first.follow(&link).unwrap();
    let answer = upstream.send(permitted.permit(&values), &second, &ReadOptions::default()).await.unwrap();
    assert_eq!((answer.data.as_str(), answer.next_link()), ("[2]", None));
    let seen = &api.requests()[1];
    assert_eq!(seen.target, "/items?kind=x&page=2&pin=12&api%20key=k3y-value");
    assert_eq!(seen.header("lang"), Some("de"));
}

/// A permit sends what it was given for: not another operation, and no other values.
#[tokio::test]
async fn a_permit_is_for_one_request() {
    let api = FakeApi::always(Answer::json(200, json!({}))).await;
    let (one, other) = (get("one", &api.base_url(), "/one"), get("other", &api.base_url(), "/other"));
    let (one, other) = (PermittedOperation::new(&one), PermittedOperation::new(&other));
    let values = Arc::new(Map::new());
    let upstream = upstream(&[]);
    let others = Upstream::prepare(other.operation(), &values).unwrap();
    let other_values = Upstream::prepare(one.operation(), &Arc::new(Map::new())).unwrap();
    for prepared in [others, other_values] {
        let refused = upstream.send(one.permit(&values), &prepared, &ReadOptions::fresh()).await.unwrap_err();
        assert_eq!(refused, RequestBuildError::NotPermitted.into());
        let refused = upstream.events(one.permit(&values), &prepared).await.map(|_| ()).unwrap_err();
        assert_eq!(refused, RequestBuildError::NotPermitted.into());
    }
    assert_eq!(api.requests().len(), 0);
    let own = Upstream::prepare(one.operation(), &values).unwrap();
    upstream.send(one.permit(&values), &own, &ReadOptions::fresh()).await.unwrap();
    assert_eq!(api.requests()[0].target, "/one");
}

/// R10.4-2: a key in the link is not sent twice, whatever it is and however its name is written.
#[test]
fn keys_in_links_are_dropped() {
    let operation = secretive(BASE);
    let first = prepared(&operation, json!({"pin": "12"}));
    for link in ["?api%20key=other&page=2", "?api+key=other&page=2&pin=99&api%20key", "?page=2&%61pi key=1"] {
        let next = first.follow(link).unwrap();
        assert_eq!(next.request.url.query(), Some("page=2&pin=12"), "{link}");
    }
    let without = prepared(&operation, json!({})).follow("?api+key=1").unwrap();
    assert_eq!(without.request.url.query(), None);
}

/// R10.4-2 R11.2-1: a sensitive value that is several pairs is hidden, and sent again, with all of them.
#[test]
fn hidden_pairs_are_sent_again() {
    let mut pin = param("pin", ValueKind::Object, ParamLocation::Query);
    pin.sensitive = true;
    pin.writing = Some(ParamEncoding { style: ParamStyle::DeepObject, explode: true, allow_reserved: false });
    let operation = with_param(get("list", BASE, "/items"), pin);
    let first = prepared(&operation, json!({"pin": {"a": [1, 2]}}));
    let next = first.follow("?pin[a][0]=9&page=2").unwrap();
    assert_eq!(next.request.url.query(), Some("page=2&pin%5Ba%5D%5B0%5D=1&pin%5Ba%5D%5B1%5D=2"));
}

/// R10.4-2: where a page is but cannot be reached, the link says so: no one takes this page for the last.
#[tokio::test]
async fn unusable_links() {
    for (link, expected) in [
        ("</t0ken-value/2>; rel=next", Err(LinkError::Unusable)),
        ("<https://[>; rel=next", Err(LinkError::Unusable)),
        ("<https://evil.example/?page=2>; rel=next", Err(LinkError::Elsewhere)),
        ("<?page=2&echo=t0ken-value>; rel=next", Ok("/items?page=2")),
    ] {
        let api = FakeApi::always(Answer::json(200, json!([])).header("Link", link)).await;
        let operation = with_site(get("list", &api.base_url(), "/items"), |site| {
            site.auth = Auth::Bearer { token_env: "T".into(), prefix: String::new() };
        });
        let upstream = upstream(&[("T", "t0ken-value")]);
        let answer = program_call(&upstream, &operation, &Map::new()).await.unwrap();
        let next = prepared(&operation, json!({})).follow(&answer.next_link().unwrap());
        let next = next.map(|next| next.request.url[url::Position::BeforePath..].to_owned());
        assert_eq!(next.as_deref(), expected.as_ref().map(|text| *text), "{link}");
    }
}

/// R10.4-2: a relative link is of the URL that answered, also after a redirect.
#[tokio::test]
async fn links_after_a_redirect() {
    let api = FakeApi::start(|request| match request.path() {
        "/old/items" => Answer::redirect(302, "/new/items"),
        _ => Answer::json(200, json!([])).header("Link", "<more?page=2>; rel=next"),
    })
    .await;
    let operation = get("list", &api.base_url(), "/old/items");
    let answer = program_call(&upstream(&[]), &operation, &Map::new()).await.unwrap();
    assert_eq!(answer.next_link(), Some(format!("{}/new/more?page=2", api.base_url())));
}

#[test]
fn queries_versions_and_bodies_can_be_set() {
    let put = operation("change", Category::Update, target(site(BASE), Method::Put, "/items/1?page=1"));
    let put = with_param(put, param("title", ValueKind::String, ParamLocation::Body));
    let mut request = prepared(&put, json!({"title": "a"}));
    request.set_query("page", "2&3");
    assert_eq!(request.request.url.query(), Some("page=2%263"));
    request.set_header_if_match("\"v1\"").unwrap();
    assert_eq!(request.request.headers["if-match"], "\"v1\"");
    let refused = RequestBuildError::HeaderValue("if_match".into());
    assert_eq!(request.set_header_if_match("a\r\nX-Evil: 1"), Err(refused));
    assert_eq!(request.body_json(), Some(json!({"title": "a"})));
    assert!(request.set_json_body(&json!({"title": "b", "n": 1}).to_string()));
    assert_eq!(request.body_json(), Some(json!({"title": "b", "n": 1})));
    let mut empty = prepared(&put, json!({}));
    assert_eq!(empty.body_json(), None);
    assert!(empty.set_json_body("{}"));
    assert_eq!(empty.request.headers["content-type"], "application/json");
    let form = with_target(put, |target| target.body = BodyFormat::Form);
    let mut form = prepared(&form, json!({"title": "1"}));
    assert!(form.body_json().is_none() && !form.set_json_body("{}"));
    assert_eq!(form.request.body.as_deref(), Some(&b"title=1"[..]));
}

proptest! {
    /// R10.4-2: no text, however strange, leads off the site.
    #[test]
    fn no_link_leaves_the_site(link in r"([/\\\\.:@?#%a-f0-9\[\]]|%2[eEfF]|//|https?:|api\.example\.com|/v1|evil\.example){0,12}", other in ".*") {
        for link in [link, other] {
            if let Ok(url) = followed(&link) {
                let url = url::Url::parse(&url).unwrap();
                prop_assert_eq!(origin_text(&url), "https://api.example.com");
                prop_assert!(url.path() == "/v1" || url.path().starts_with("/v1/"));
                prop_assert!(url.username().is_empty() && url.password().is_none() && url.fragment().is_none());
            }
        }
    }
}
