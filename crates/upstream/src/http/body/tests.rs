//! Bodies in every format, as the request has them.
//!
//! An operation and values in; the bytes of the body and its media type out, or why no request can be built.

mod stripe;

use super::super::build::build;
use super::super::request::HttpRequest;
use crate::error::RequestBuildError;
use aqueduct_operations::category::Category;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::{Param, ParamEncoding, ParamLocation, ParamStyle, ValueKind};
use aqueduct_operations::target::{BodyFormat, HttpTarget, Method, PartRule};
use aqueduct_schema::LazySchema;
use aqueduct_testkit::operation::{http_target, operation, param, site, target, with_param, with_target};
use serde_json::{Value, json};

fn with_body(method: Method, names: &[&str], change: impl FnOnce(&mut HttpTarget)) -> Operation {
    let operation =
        operation("do_it", Category::Execute, target(site("https://api.example.com"), method, "/x"));
    let operation = names.iter().fold(operation, |operation, name| {
        with_param(operation, param(name, ValueKind::String, ParamLocation::Body))
    });
    with_target(operation, change)
}

fn built(operation: &Operation, values: &Value) -> Result<HttpRequest, RequestBuildError> {
    build(operation, http_target(operation), values.as_object().unwrap())
}

/// The body and its media type.
fn sent(operation: &Operation, values: &Value) -> (Vec<u8>, String) {
    let request = built(operation, values).unwrap();
    (request.body.unwrap().to_vec(), request.headers["content-type"].to_str().unwrap().to_owned())
}

fn text(operation: &Operation, values: &Value) -> String {
    String::from_utf8(sent(operation, values).0).unwrap()
}

/// S-openapi-15: a JSON body, under the exact media type of the document, over a constant one; a wildcard is none.
#[test]
fn exact_media_types() {
    let patch = |kind: Option<&str>| {
        with_body(Method::Patch, &["a"], |target| {
            let mut site = site("https://api.example.com");
            site.headers = vec![("Content-Type".into(), "text/constant".into())];
            target.site = site.into();
            target.content_type = kind.map(str::to_owned);
        })
    };
    let kind = "application/merge-patch+json";
    let body = br#"{"a":1}"#.to_vec();
    assert_eq!(sent(&patch(Some(kind)), &json!({"a": 1})), (body.clone(), kind.to_owned()));
    assert_eq!(sent(&patch(None), &json!({"a": 1})).1, "text/constant");
    assert_eq!(sent(&patch(Some("*/*")), &json!({"a": 1})).1, "text/constant");
    assert_eq!(
        built(&patch(Some("a\nb")), &json!({"a": 1})).unwrap_err(),
        RequestBuildError::ConstantHeader("content-type".into())
    );
}

/// A body that the API requires is sent with no field in it too; one that it does not require is not.
#[test]
fn required_bodies_without_fields() {
    for (format, body) in [(BodyFormat::Json, "{}"), (BodyFormat::Form, "")] {
        let post = |needs_body: bool| {
            with_body(Method::Post, &["a"], |target| (target.body, target.needs_body) = (format, needs_body))
        };
        assert_eq!(text(&post(true), &json!({})), body, "{format:?}");
        assert!(built(&post(false), &json!({})).unwrap().body.is_none(), "{format:?}");
    }
}

/// S-openapi-15: one parameter is the whole body, whatever it is; without it there is none.
#[test]
fn whole_bodies() {
    let whole = |format| {
        with_body(Method::Post, &["body", "other"], |target| {
            target.body = format;
            target.whole_body = Some("body".to_owned());
        })
    };
    for value in [json!([1, {"a": null}]), json!("a"), json!(7)] {
        assert_eq!(text(&whole(BodyFormat::Json), &json!({"body": value})), value.to_string());
    }
    for format in [BodyFormat::Json, BodyFormat::Form, BodyFormat::Multipart, BodyFormat::Text] {
        for values in [json!({}), json!({"body": null})] {
            assert_eq!(built(&whole(format), &values).unwrap().body, None);
        }
    }
    let form = json!({"body": {"a b": "c d", "e": [1, {"f": 2}]}});
    assert_eq!(text(&whole(BodyFormat::Form), &form), "a+b=c+d&e[0]=1&e[1][f]=2");
    assert_eq!(text(&whole(BodyFormat::Form), &json!({"body": "a=1"})), "a=1");
    let refused = RequestBuildError::InvalidType("body".into());
    for format in [BodyFormat::Form, BodyFormat::Multipart, BodyFormat::Text] {
        assert_eq!(built(&whole(format), &json!({"body": [1]})).unwrap_err(), refused, "{format:?}");
    }
    let (body, kind) = sent(&whole(BodyFormat::Text), &json!({"body": "é\n<a/>"}));
    assert_eq!((String::from_utf8(body).unwrap().as_str(), kind.as_str()), ("é\n<a/>", "text/plain"));
    assert_eq!(text(&whole(BodyFormat::Text), &json!({"body": 1.5})), "1.5");
}

/// S-openapi-15: bytes travel as base64 and arrive as themselves.
#[test]
fn bytes() {
    let upload = |kind: Option<&str>| {
        with_body(Method::Put, &["body"], |target| {
            target.body = BodyFormat::Bytes;
            target.whole_body = Some("body".to_owned());
            target.content_type = kind.map(str::to_owned);
        })
    };
    let of = |kind, value| sent(&upload(kind), &json!({"body": value}));
    assert_eq!(of(None, json!("AP8=")), (vec![0, 255], "application/octet-stream".to_owned()));
    assert_eq!(of(Some("image/png"), json!("AP8=")).1, "image/png");
    let described = json!({"content": "AP8=", "mime_type": "image/webp"});
    assert_eq!(of(Some("image/*"), described.clone()), (vec![0, 255], "image/webp".to_owned()));
    assert_eq!(of(Some("image/png"), described).1, "image/png");
    let refused = built(&upload(None), &json!({"body": "no base64"})).unwrap_err();
    assert_eq!(refused, RequestBuildError::NotBase64("body".into()));
}

/// S-openapi-15: a form whose fields are declared: lists repeated or by index, objects by key, and spaces as forms have them.
#[test]
fn declared_forms() {
    let rule = |style, explode| PartRule {
        writing: Some(ParamEncoding { style, explode, allow_reserved: false }),
        ..PartRule::default()
    };
    let form = with_body(Method::Post, &["a", "b", "c", "d"], |target| {
        target.body = BodyFormat::Form;
        target.parts = vec![
            ("a".to_owned(), rule(ParamStyle::Form, true)),
            ("b".to_owned(), rule(ParamStyle::Form, false)),
        ];
    });
    let values = json!({"a": [1, "x y"], "b": [1, 2], "c": {"k": [true]}, "d": "it's + 1"});
    let expected = "a=1&a=x+y&b=1,2&c[k][0]=true&d=it%27s+%2B+1";
    assert_eq!(text(&form, &values), expected);
    assert_eq!(sent(&form, &values).1, "application/x-www-form-urlencoded");
    let writing = ParamEncoding { style: ParamStyle::Json, explode: false, allow_reserved: false };
    let mut own = with_body(Method::Post, &[], |target| target.body = BodyFormat::Form);
    own.params.push(Param { writing: Some(writing), ..param("o", ValueKind::Object, ParamLocation::Body) });
    assert_eq!(text(&own, &json!({"o": {"k": 1}})), "o=%7B%22k%22%3A1%7D");
}

/// S-openapi-15: a field with a schema comes from a document too; one of an adapter file is spelled as it always was.
#[test]
fn spelling_of_forms() {
    let form = |schema: Option<Value>| {
        let mut operation = with_body(Method::Post, &["a"], |target| target.body = BodyFormat::Form);
        let schema = schema.map(LazySchema::of);
        operation.params[0].schema = schema.map(std::sync::Arc::new);
        text(&operation, &json!({"a": "x (y)"}))
    };
    assert_eq!(form(Some(json!({"type": "string"}))), "a=x+%28y%29");
    assert_eq!(form(None), "a=x%20(y)");
}

/// Reserved characters stay where that is asked for; of two parameters with one name upstream the last is sent, once.
#[test]
fn odd_forms() {
    let writing = Some(ParamEncoding { style: ParamStyle::Form, explode: true, allow_reserved: true });
    let mut operation = with_body(Method::Post, &["a", "b", "c"], |target| target.body = BodyFormat::Form);
    operation.params[0].writing = writing;
    operation.params[2].upstream_name = "b".into();
    let values = json!({"a": "/x:y&z", "b": "1", "c": "2"});
    assert_eq!(text(&operation, &values), "a=/x:y%26z&b=2");
}

/// S-openapi-15: a multipart body of fields and files. An upload never becomes an empty body in silence.
#[test]
fn multipart_bodies() {
    let upload = with_body(Method::Post, &["title", "file", "meta"], |target| {
        target.body = BodyFormat::Multipart;
        target.parts = vec![("file".to_owned(), PartRule { is_file: true, ..PartRule::default() })];
    });
    let values = json!({"title": "a b", "file": "AP8=", "meta": {"k": 1}});
    let (body, kind) = sent(&upload, &values);
    let boundary = kind.strip_prefix("multipart/form-data; boundary=").unwrap();
    let text = String::from_utf8_lossy(&body);
    assert!(text.starts_with(&format!("--{boundary}\r\n")), "{text}");
    assert!(
        memchr::memmem::find(
            &body,
            b"filename=\"file\"\r\nContent-Type: application/octet-stream\r\n\r\n\0\xff\r\n"
        )
        .is_some()
    );
    assert!(text.contains("name=\"title\"\r\n\r\na b\r\n"), "{text}");
    assert!(text.contains("name=\"meta\"\r\nContent-Type: application/json\r\n\r\n{\"k\":1}\r\n"), "{text}");
    assert_eq!(sent(&upload, &values), (body, kind), "the same values, the same bytes");
    let refused = built(&upload, &json!({"file": "?"})).unwrap_err();
    assert_eq!(refused, RequestBuildError::NotBase64("file".into()));
    let whole = with_target(upload, |target| target.whole_body = Some("title".to_owned()));
    assert_eq!(
        built(&whole, &json!({"title": {"a\0": 1}})).unwrap_err(),
        RequestBuildError::NulCharacter("title".into())
    );
}

/// S-openapi-15: every method sends the body that is declared for it.
#[test]
fn every_method_may_have_a_body() {
    for method in Method::ALL {
        let operation = with_body(method, &["a"], |_| {});
        assert_eq!(text(&operation, &json!({"a": 1})), r#"{"a":1}"#, "{method}");
        assert_eq!(built(&operation, &json!({})).unwrap().body, None);
    }
}
