//! Tests of `preview`.

use crate::test_support::{prepared, upstream};
use crate::upstream::{Upstream, UpstreamSettings};
use aqueduct_operations::auth::{Auth, KeyPlace};
use aqueduct_operations::category::Category;
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_operations::operation::{Grouping, Operation};
use aqueduct_operations::params::{ParamEncoding, ParamLocation, ParamStyle, ValueKind};
use aqueduct_operations::target::{BodyFormat, HttpTarget, Method, PartRule};
use aqueduct_testkit::environment::TestEnvironment;
use aqueduct_testkit::operation::{operation, param, site, target, with_param, with_site, with_target};
use proptest::{prop_assert, proptest, sample};
use serde_json::{Value, json};
use std::sync::Arc;

fn put() -> Operation {
    let target = target(site("https://api.example.com/v1"), Method::Put, "/items/{id}/x?kind=1");
    operation("change", Category::Update, target)
}

fn with(operation: Operation, name: &str, place: ParamLocation, sensitive: bool) -> Operation {
    let mut param = param(name, ValueKind::String, place);
    param.sensitive = sensitive;
    with_param(operation, param)
}

fn shown(upstream: &Upstream, operation: &Operation, values: &Value) -> Value {
    upstream.preview(&prepared(operation, values.clone()))
}

/// The exact request, and what was changed on it since (ruling W17).
#[test]
fn shows_the_request() {
    let operation = with(with(put(), "q", ParamLocation::Query, false), "title", ParamLocation::Body, false);
    let operation = with(operation, "lang", ParamLocation::Header, false);
    let values = json!({"id": "a b", "q": "x&y", "title": "é", "lang": "de"});
    let mut prepared = prepared(&operation, values);
    prepared.set_header_if_match("\"v1\"").unwrap();
    prepared.set_json_body(&json!({"title": "é", "n": [1]}).to_string());
    let preview = upstream(&[]).preview(&prepared);
    assert_eq!(
        preview,
        json!({
            "method": "PUT",
            "url": "https://api.example.com/v1/items/a%20b/x?kind=1&q=x%26y",
            "headers": {
                "accept": "application/json",
                "user-agent": format!("aqueduct/{}", env!("CARGO_PKG_VERSION")),
                "lang": "de",
                "content-type": "application/json",
                "if-match": "\"v1\"",
            },
            "body": {"title": "é", "n": [1]},
        })
    );
    let bare = shown(&upstream(&[]), &put(), &json!({"id": "1"}));
    assert_eq!(bare["body"], Value::Null);
    let form = with_target(with(put(), "title", ParamLocation::Body, false), |target| {
        target.body = BodyFormat::Form
    });
    assert_eq!(shown(&upstream(&[]), &form, &json!({"id": "1", "title": "a b"}))["body"], "title=a%20b");
}

/// R11.2-1: a mark stands where a credential would, whether or not there is one.
#[test]
fn marks_credentials() {
    let key = |place| Auth::ApiKey { key_env: "T".into(), place };
    for variables in [&[("T", "t0ken-value"), ("U", "t0ken-user")][..], &[]] {
        for (auth, pointer, expected) in [
            (
                Auth::Bearer { token_env: "T".into(), prefix: "Bearer ".into() },
                "/headers/authorization",
                "Bearer [REDACTED]",
            ),
            (
                Auth::Basic { username_env: "U".into(), password_env: "T".into() },
                "/headers/authorization",
                "Basic [REDACTED]",
            ),
            (key(KeyPlace::Header("X-Key".into())), "/headers/x-key", "[REDACTED]"),
            (key(KeyPlace::Cookie("sid".into())), "/headers/cookie", "sid=[REDACTED]"),
            (
                key(KeyPlace::Query("a key".into())),
                "/url",
                "https://api.example.com/v1/items/1/x?kind=1&a%20key=[REDACTED]",
            ),
        ] {
            let operation = with_site(put(), |site| {
                site.auth = auth;
                site.operator_headers = vec![
                    NamedSecret::new("X-Op", "operator-value"),
                    NamedSecret::new("X-Api-Version", "2026-01-01"),
                ];
            });
            let preview = shown(&upstream(variables), &operation, &json!({"id": "1"}));
            assert_eq!(preview.pointer(pointer), Some(&json!(expected)), "{preview}");
            assert_eq!(preview["headers"]["x-op"], "[REDACTED]");
            assert_eq!(preview["headers"]["x-api-version"], "2026-01-01");
            assert!(!preview.to_string().contains("t0ken") && !preview.to_string().contains("operator"));
        }
    }
}

/// R11.3-4: sensitive values are hidden where they stand, however short; others are not.
#[test]
fn marks_sensitive_values() {
    let mut operation = put();
    operation.params[0].sensitive = true;
    for (name, place) in [
        ("q", ParamLocation::Query),
        ("h", ParamLocation::Header),
        ("c", ParamLocation::Cookie),
        ("b", ParamLocation::Body),
    ] {
        operation = with(with(operation, name, place, true), &format!("{name}2"), place, false);
    }
    operation = with(operation, "absent", ParamLocation::Query, true);
    let values = json!({
        "id": "7", "q": "7", "h": "7", "c": "7", "b": {"deep": 7}, "absent": null,
        "q2": "8", "h2": "8", "c2": "8", "b2": 8,
    });
    let preview = shown(&upstream(&[]), &operation, &values);
    assert_eq!(preview["url"], "https://api.example.com/v1/items/[REDACTED]/x?kind=1&q2=8&q=[REDACTED]");
    assert_eq!((&preview["headers"]["h"], &preview["headers"]["h2"]), (&json!("[REDACTED]"), &json!("8")));
    assert_eq!(preview["headers"]["cookie"], "c2=8; c=[REDACTED]");
    assert_eq!(preview["body"], json!({"b": "[REDACTED]", "b2": 8}));
    let form = with_target(operation, |target| target.body = BodyFormat::Form);
    let preview = shown(&upstream(&[]), &form, &json!({"id": "7", "b": "7", "b2": "8"}));
    assert_eq!(preview["body"], "b=[REDACTED]&b2=8");
}

/// R11.3-4: what is a secret by its name alone is hidden in the same places: query, path, header, cookie, JSON, form and parts.
#[test]
fn marks_secrets_by_their_names() {
    let target = target(site("https://api.example.com/v1"), Method::Put, "/charge/{token}");
    let mut operation = operation("change", Category::Update, target);
    for (name, upstream_name, place) in [
        ("password", "password", ParamLocation::Query),
        ("word", "api_key", ParamLocation::Query),
        ("secret", "x-note", ParamLocation::Header),
        ("jwt", "j", ParamLocation::Cookie),
        ("passwd", "pw", ParamLocation::Body),
        ("login", "login", ParamLocation::Body),
        ("open", "open", ParamLocation::Query),
    ] {
        operation = with(operation, name, place, false);
        operation.params.last_mut().unwrap().upstream_name = upstream_name.to_owned();
    }
    operation.params.last_mut().unwrap().writing =
        Some(ParamEncoding { style: ParamStyle::DeepObject, explode: true, allow_reserved: false });
    let values = json!({
        "token": "h1", "password": "h2", "word": "h3", "secret": "h4", "jwt": "h5", "passwd": "h6",
        "login": {"user": "ann", "password": "hush-7"}, "open": {"a": "b", "password": "h8"},
    });
    let preview = shown(&upstream(&[]), &operation, &values);
    assert_eq!(
        preview["url"],
        "https://api.example.com/v1/charge/[REDACTED]?open%5Ba%5D=b&password=[REDACTED]&api_key=[REDACTED]&open%5Bpassword%5D=[REDACTED]"
    );
    assert_eq!(preview["headers"]["x-note"], "[REDACTED]");
    assert_eq!(preview["headers"]["cookie"], "j=[REDACTED]");
    assert_eq!(
        preview["body"],
        json!({"pw": "[REDACTED]", "login": {"user": "ann", "password": "[REDACTED]"}})
    );
    for format in [BodyFormat::Form, BodyFormat::Multipart] {
        let other = with_target(operation.clone(), |target| {
            target.body = format;
            target.parts = vec![("login".to_owned(), PartRule::default())];
        });
        let text = shown(&upstream(&[]), &other, &values)["body"].to_string();
        assert!(text.contains("[REDACTED]") && text.contains("ann"), "{text}");
        assert!(["h6", "hush-7"].iter().all(|secret| !text.contains(secret)), "{text}");
    }
}

/// R11.3-4: in whatever style, a sensitive value is hidden whole, and others are shown as they are sent.
#[test]
fn marks_sensitive_values_in_their_styles() {
    let mut operation = put();
    let styles = [
        ("deep", ParamLocation::Query, ParamStyle::DeepObject, true),
        ("open", ParamLocation::Query, ParamStyle::DeepObject, false),
        ("each", ParamLocation::Query, ParamStyle::Form, true),
        ("crumb", ParamLocation::Cookie, ParamStyle::Form, true),
        ("head", ParamLocation::Header, ParamStyle::Simple, true),
    ];
    for (name, place, style, sensitive) in styles {
        operation = with(operation, name, place, sensitive);
        let writing = ParamEncoding { style, explode: true, allow_reserved: false };
        operation.params.last_mut().unwrap().writing = Some(writing);
    }
    operation.params[0].sensitive = true;
    operation.params[0].writing =
        Some(ParamEncoding { style: ParamStyle::Matrix, explode: true, allow_reserved: false });
    let values = json!({
        "id": {"a": 7}, "deep": {"a": {"b": 7}}, "open": {"a": 8}, "each": {"x": 7, "y": 7}, "crumb": {"k": 7},
        "head": [7],
    });
    let preview = shown(&upstream(&[]), &operation, &values);
    let base = "https://api.example.com/v1/items/;id=[REDACTED]/x?kind=1";
    let query = "open%5Ba%5D=8&deep=[REDACTED]&each=[REDACTED]";
    assert_eq!(preview["url"], format!("{base}&{query}"));
    assert_eq!(preview["headers"]["cookie"], "k=[REDACTED]");
    assert_eq!(preview["headers"]["head"], "[REDACTED]");
}

fn with_parts(names: &[(&str, bool)], change: impl FnOnce(&mut HttpTarget)) -> Operation {
    let operation = names
        .iter()
        .fold(put(), |operation, (name, sensitive)| with(operation, name, ParamLocation::Body, *sensitive));
    with_target(operation, change)
}

/// R11.3-4: what a body is, where it is no JSON; sensitive fields are hidden.
#[test]
fn shows_other_bodies() {
    let rule = PartRule { is_file: true, ..PartRule::default() };
    let upload = with_parts(&[("a", false), ("pin", true), ("f", false), ("key", true)], |target| {
        target.body = BodyFormat::Multipart;
        target.parts = vec![("f".to_owned(), rule.clone()), ("key".to_owned(), rule)];
    });
    let file = json!({"filename": "x.png", "content": "AP8=", "content_type": "image/png"});
    let values = json!({"id": "1", "a": {"k": 8}, "pin": 7, "f": file, "key": "AP8="});
    assert_eq!(
        shown(&upstream(&[]), &upload, &values)["body"],
        json!([
            {"name": "a", "content_type": "application/json", "value": "{\"k\":8}"},
            {"name": "pin", "value": "[REDACTED]"},
            {"name": "f", "content_type": "image/png", "filename": "x.png", "bytes": 2},
            {"name": "key", "content_type": "application/octet-stream", "value": "[REDACTED]"},
        ])
    );
    let form = with_parts(&[("a b", false), ("pin", true)], |target| {
        target.body = BodyFormat::Form;
        target.content_type = Some("application/x-www-form-urlencoded".to_owned());
    });
    let values = json!({"id": "1", "a b": [8], "pin": {"old": 7, "new": [7]}});
    let body = &shown(&upstream(&[]), &form, &values)["body"];
    assert_eq!(body, "a+b[0]=8&pin[old]=[REDACTED]&pin[new][0]=[REDACTED]");
    for (format, sensitive, value, expected) in [
        (BodyFormat::Bytes, false, "AP8=", json!({"bytes": 2})),
        (BodyFormat::Text, false, "a b", json!("a b")),
        (BodyFormat::Bytes, true, "AP8=", json!("[REDACTED]")),
        (BodyFormat::Text, true, "a b", json!("[REDACTED]")),
        (BodyFormat::Json, true, "a b", json!("[REDACTED]")),
        (BodyFormat::Json, false, "a b", json!("a b")),
    ] {
        let whole = with_parts(&[("body", sensitive)], |target| {
            target.body = format;
            target.whole_body = Some("body".to_owned());
        });
        assert_eq!(shown(&upstream(&[]), &whole, &json!({"id": "1", "body": value}))["body"], expected);
    }
}

#[test]
fn hides_a_sensitive_body() {
    let mut operation = with(put(), "input", ParamLocation::Body, true);
    operation.grouping = Grouping::WholeInput;
    let preview = shown(&upstream(&[]), &operation, &json!({"id": "1", "input": [7]}));
    assert_eq!(preview["body"], "[REDACTED]");
}

proptest! {
    /// R11.2-1 R11.3-4: no credential and no sensitive value is in a preview, wherever the values of other parameters
    /// tell it again.
    #[test]
    fn no_secret_is_shown(
        token in "[q-z0-9/%+]{8,16}",
        value in "[q-z1-9/%é\"]{8,16}",
        place in sample::select(ParamLocation::ALL.to_vec()),
        key_place in 0..4usize,
        is_form: bool,
    ) {
        let auth = match key_place {
            0 => Auth::Bearer { token_env: "T".into(), prefix: "Bearer ".into() },
            1 => Auth::ApiKey { key_env: "T".into(), place: KeyPlace::Header("X-Key".into()) },
            2 => Auth::ApiKey { key_env: "T".into(), place: KeyPlace::Query("key".into()) },
            _ => Auth::ApiKey { key_env: "T".into(), place: KeyPlace::Cookie("key".into()) },
        };
        let mut operation = with_site(put(), |site| site.auth = auth);
        operation = with(operation, "note", ParamLocation::Body, false);
        operation = with(operation, "q", ParamLocation::Query, false);
        let mut values = json!({"id": "1", "note": format!("it is {value}, {token}"), "q": [token, value]});
        match place {
            ParamLocation::Path => {
                operation.params[0].sensitive = true;
                values["id"] = value.as_str().into();
            }
            place => {
                operation = with(operation, "secret", place, true);
                values["secret"] = value.as_str().into();
            }
        }
        if is_form {
            operation = with_target(operation, |target| target.body = BodyFormat::Form);
        }
        let variables = TestEnvironment::with(&[("T", &token)]);
        let upstream = Upstream::new(UpstreamSettings::default(), Arc::new(variables));
        let text = shown(&upstream, &operation, &values).to_string();
        for secret in [&token, &value] {
            let quoted = json!(secret).to_string();
            prop_assert!(!text.contains(secret.as_str()), "{}", text);
            prop_assert!(!text.contains(quoted.trim_matches('"')), "{}", text);
            prop_assert!(!text.contains(&crate::http::encode::component(secret)), "{}", text);
        }
    }
}
