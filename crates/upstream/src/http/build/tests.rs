//! Tests of `build`.

use super::build;
use crate::error::RequestBuildError;
use aqueduct_operations::operation::{Grouping, Operation};
use aqueduct_operations::params::{Param, ParamLocation, ValueKind};
use aqueduct_operations::target::{AnswerKind, BodyFormat, Method};
use aqueduct_testkit::operation::{
    get, http_target, operation, param, site, target, with_param, with_target,
};
use proptest::{prop_assert_eq, proptest};
use serde_json::{Value, json};

const BASE: &str = "https://api.example.com/v1";

fn built(operation: &Operation, values: Value) -> Result<super::HttpRequest, RequestBuildError> {
    build(operation, http_target(operation), values.as_object().unwrap())
}

fn with_place(method: Method, places: &[(&str, ParamLocation)]) -> Operation {
    let target = target(site(BASE), method, "/items");
    let category = aqueduct_operations::category::Category::Execute;
    places.iter().fold(operation("do_it", category, target), |operation, (name, place)| {
        with_param(operation, param(name, ValueKind::String, *place))
    })
}

fn url(operation: &Operation, values: Value) -> String {
    built(operation, values).unwrap().url.to_string()
}

fn body(operation: &Operation, values: Value) -> Option<String> {
    let body = built(operation, values).unwrap().body;
    body.map(|bytes| String::from_utf8(bytes.to_vec()).unwrap())
}

/// R6.5-1: the path is joined to the base URL, whose own path is kept.
#[test]
fn base_path_is_kept() {
    assert_eq!(url(&get("g", BASE, "/x/{id}"), json!({"id": 7})), "https://api.example.com/v1/x/7");
    let slashed = get("g", "https://api.example.com/v1/", "/x");
    assert_eq!(url(&slashed, json!({})), "https://api.example.com/v1/x");
    let bare = get("g", "https://api.example.com", "/x");
    assert_eq!(url(&bare, json!({})), "https://api.example.com/x");
}

/// R6.5-2 R6.4-1 R6.4-2 R11.4-3 O5.2-5: query pairs in declared order under their upstream names, encoded; null and
/// absent left out; arrays and objects.
#[test]
fn queries() {
    let places = ["z", "a", "list", "object", "none", "absent"].map(|name| (name, ParamLocation::Query));
    for method in [Method::Get, Method::Delete] {
        let renamed = Param {
            upstream_name: "perPage".into(),
            ..param("per_page", ValueKind::String, ParamLocation::Query)
        };
        let operation = with_param(with_place(method, &places), renamed);
        let request = built(
                &operation,
                json!({"per_page": 5, "object": {"k": 1}, "list": [1, "b c"], "a": "x&y=z", "z": true, "none": null}),
            )
            .unwrap();
        assert_eq!(
            request.url.query(),
            Some("z=true&a=x%26y%3Dz&list=1%2Cb%20c&object=%7B%22k%22%3A1%7D&perPage=5")
        );
        assert_eq!(request.body, None);
    }
}

/// R6.5-2: a static query is kept and extended.
#[test]
fn static_query() {
    let operation =
        with_param(get("g", BASE, "/s?type=x"), param("q", ValueKind::String, ParamLocation::Query));
    assert_eq!(url(&operation, json!({})), "https://api.example.com/v1/s?type=x");
    assert_eq!(url(&operation, json!({"q": "1"})), "https://api.example.com/v1/s?type=x&q=1");
}

/// R6.4-3 R6.4-4 R6.4-5 R6.4-6 X-plugins-10: body parameters form one JSON object under their upstream names, and a
/// path parameter is in neither query nor body.
#[test]
fn json_bodies() {
    for method in [Method::Post, Method::Put, Method::Patch] {
        let mut operation =
            with_place(method, &[("title", ParamLocation::Body), ("gone", ParamLocation::Body)]);
        operation.params.push(Param {
            upstream_name: "dueDate".into(),
            ..param("due_date", ValueKind::String, ParamLocation::Body)
        });
        let operation =
            with_target(operation, |t| t.path = aqueduct_testkit::operation::segments("/items/{id}"));
        let operation = with_param(operation, param("id", ValueKind::String, ParamLocation::Path));
        let request =
            built(&operation, json!({"id": "7", "due_date": "x", "title": "t", "gone": null})).unwrap();
        assert_eq!(request.url.as_str(), "https://api.example.com/v1/items/7");
        assert_eq!(request.body.as_deref(), Some(br#"{"title":"t","gone":null,"dueDate":"x"}"#.as_slice()));
        assert_eq!(request.headers["content-type"], "application/json");
    }
}

/// R6.4-3: with nothing to send there is neither body nor content type, not even a constant one.
#[test]
fn no_body() {
    let mut site = site(BASE);
    site.headers = vec![("Content-Type".into(), "application/json".into())];
    let operation = with_target(with_place(Method::Post, &[("a", ParamLocation::Body)]), |target| {
        target.site = std::sync::Arc::new(site);
    });
    let request = built(&operation, json!({})).unwrap();
    assert_eq!(request.body, None);
    assert!(!request.headers.contains_key("content-type"));
}

#[test]
fn form_bodies() {
    let places = [("a", ParamLocation::Body), ("b", ParamLocation::Body), ("c", ParamLocation::Body)];
    let operation = with_target(with_place(Method::Post, &places), |t| t.body = BodyFormat::Form);
    let request = built(&operation, json!({"a": "x y&z", "b": [1, 2], "c": null})).unwrap();
    assert_eq!(request.body.as_deref(), Some(b"a=x%20y%26z&b=1%2C2".as_slice()));
    assert_eq!(request.headers["content-type"], "application/x-www-form-urlencoded");
}

/// Ruling W8: a declared `input` is the whole body.
#[test]
fn whole_input() {
    let mut operation = with_place(Method::Patch, &[("input", ParamLocation::Body)]);
    operation.grouping = Grouping::WholeInput;
    assert_eq!(body(&operation, json!({"input": {"a": 1}})).as_deref(), Some(r#"{"a":1}"#));
    assert_eq!(body(&operation, json!({"input": [1]})).as_deref(), Some("[1]"));
    assert_eq!(body(&operation, json!({})), None);
}

/// X-plugins-7: headers that go with every request, and those of the site and the parameters over them.
#[test]
fn headers() {
    let operation = with_place(Method::Get, &[("trace", ParamLocation::Header)]);
    let plain = built(&operation, json!({})).unwrap();
    assert_eq!(plain.headers["accept"], "application/json");
    assert_eq!(plain.headers["user-agent"], concat!("aqueduct/", env!("CARGO_PKG_VERSION")));
    assert!(!plain.headers.contains_key("trace"));
    let mut site = site(BASE);
    let constant = [("Accept", "application/vnd.x+json"), ("trace", "no"), ("Accept-Encoding", "lzma")];
    site.headers = constant.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let operation = with_target(operation, |target| target.site = std::sync::Arc::new(site));
    let request = built(&operation, json!({"trace": ["a", 1]})).unwrap();
    assert_eq!(request.headers["accept"], "application/vnd.x+json");
    assert_eq!(request.headers["trace"], "a,1");
    assert!(!request.headers.contains_key("accept-encoding"));
}

/// S-openapi-17: what is asked for follows what the operation may be answered with.
#[test]
fn accepted_answers() {
    for (answer, accepted) in [
        (AnswerKind::Json, "application/json"),
        (AnswerKind::Any, "application/json, */*;q=0.8"),
        (AnswerKind::Events, "text/event-stream, application/json;q=0.5"),
    ] {
        let operation = with_target(with_place(Method::Get, &[]), |target| target.answer = answer);
        assert_eq!(built(&operation, json!({})).unwrap().headers["accept"], accepted);
    }
}

/// R11.4-4: no line break gets into a header, and no parameter sets a framing header.
#[test]
fn header_injection() {
    let operation = with_place(Method::Get, &[("x", ParamLocation::Header)]);
    for value in ["a\r\nEvil: 1", "a\nb", "a\rb", "a\0b"] {
        assert_eq!(
            built(&operation, json!({"x": value})).unwrap_err(),
            RequestBuildError::HeaderValue("x".into())
        );
    }
    for name in ["Host", "content-length", "Transfer-Encoding", "proxy-x", "not a name"] {
        let operation = with_place(Method::Get, &[(name, ParamLocation::Header)]);
        assert_eq!(
            built(&operation, json!({name: "1"})).unwrap_err(),
            RequestBuildError::HeaderName(name.into())
        );
    }
}

#[test]
fn cookies_share_one_header() {
    let operation = with_place(Method::Get, &[("a", ParamLocation::Cookie), ("b", ParamLocation::Cookie)]);
    let request = built(&operation, json!({"b": "x; y=1\r\n", "a": 1})).unwrap();
    assert_eq!(request.headers["cookie"], "a=1; b=x%3B%20y%3D1%0D%0A");
}

/// R11.1-3: NUL is refused wherever it would become a part of the URL.
#[test]
fn nul_in_query_and_cookie() {
    for place in [ParamLocation::Query, ParamLocation::Cookie] {
        assert_eq!(
            built(&with_place(Method::Get, &[("a", place)]), json!({"a": "x\0"})).unwrap_err(),
            RequestBuildError::NulCharacter("a".into())
        );
    }
}

/// A name and password in a base URL are not sent.
#[test]
fn no_credentials_from_the_url() {
    let operation = get("g", "https://user:pw@api.example.com", "/x");
    assert_eq!(url(&operation, json!({})), "https://api.example.com/x");
}

#[test]
fn debug_shows_no_values() {
    let operation = with_place(Method::Get, &[("a", ParamLocation::Query), ("b", ParamLocation::Header)]);
    let shown = format!("{:?}", built(&operation, json!({"a": "s3cret", "b": "s3cret"})).unwrap());
    assert!(!shown.contains("s3cret") && shown.contains("api.example.com"), "{shown}");
}

proptest! {
    /// R1.2-3: the same operation and values give the same bytes, in whatever order the values come.
    #[test]
    fn deterministic(texts in proptest::collection::vec("[^\0]*", 6)) {
        let places = [ParamLocation::Query, ParamLocation::Cookie, ParamLocation::Body, ParamLocation::Query, ParamLocation::Cookie, ParamLocation::Body];
        let names = ["a", "b", "c", "d", "e", "f"];
        let pairs: Vec<_> = names.into_iter().zip(places).collect();
        let operation = with_place(Method::Post, &pairs);
        let values: Vec<_> =
            names.iter().zip(&texts).map(|(name, text)| (name.to_string(), json!(text))).collect();
        let forward = Value::Object(values.iter().cloned().collect());
        let backward = Value::Object(values.iter().rev().cloned().collect());
        let (one, two) = (built(&operation, forward).unwrap(), built(&operation, backward).unwrap());
        prop_assert_eq!(one.url.as_str(), two.url.as_str());
        prop_assert_eq!(&one.headers, &two.headers);
        prop_assert_eq!(
            one.headers.iter().collect::<Vec<_>>(),
            two.headers.iter().collect::<Vec<_>>()
        );
        prop_assert_eq!(&one.body, &two.body);
    }
}
