//! Parts of a multipart body: what a value becomes by its rule, and the bytes that are written.
//!
//! Always: the same parts make the same bytes, and no content is taken for the end of its part.

use super::{MultipartPart, parts, write};
use crate::error::RequestBuildError;
use aqueduct_operations::params::{ParamEncoding, ParamStyle};
use aqueduct_operations::target::PartRule;
use proptest::{prop_assert_eq, proptest};
use serde_json::{Value, json};

fn part(name: &str, filename: Option<&str>, content_type: Option<&str>, content: &str) -> MultipartPart {
    MultipartPart {
        name: name.to_owned(),
        filename: filename.map(str::to_owned),
        content_type: content_type.map(str::to_owned),
        content: content.into(),
    }
}

fn of(value: Value, rule: &PartRule) -> Vec<MultipartPart> {
    parts("f", "f", &value, None, Some(rule)).unwrap()
}

fn file() -> PartRule {
    PartRule { is_file: true, ..PartRule::default() }
}

fn typed(kind: &str) -> PartRule {
    PartRule { content_type: Some(kind.to_owned()), ..PartRule::default() }
}

/// S-openapi-15: base64 comes in and bytes go out, under the name that is given, once for each file.
#[test]
fn files() {
    let octets = Some("application/octet-stream");
    assert_eq!(of(json!("aGk="), &file()), [part("f", Some("f"), octets, "hi")]);
    let named = json!({"filename": "a.png", "content": "aGk="});
    let image = PartRule { content_type: Some("image/*, image/png, image/gif".into()), ..file() };
    assert_eq!(of(named.clone(), &image), [part("f", Some("a.png"), Some("image/png"), "hi")]);
    let own = json!({"content": "aGk=", "content_type": "image/webp"});
    assert_eq!(of(own, &image), [part("f", Some("f"), Some("image/webp"), "hi")]);
    assert_eq!(
        of(json!(["aGk=", null, named]), &file()),
        [part("f", Some("f"), octets, "hi"), part("f", Some("a.png"), octets, "hi")]
    );
    assert_eq!(of(json!(null), &file()), []);
    let refused = parts("upload", "f", &json!("hi!"), None, Some(&file()));
    assert_eq!(refused, Err(RequestBuildError::NotBase64("upload".into())));
}

/// S-openapi-15: fields that are no files: text, lists repeated, objects as JSON, and what a document declares.
#[test]
fn fields() {
    let plain = PartRule::default();
    let json = Some("application/json");
    assert_eq!(of(json!("a b"), &plain), [part("f", None, None, "a b")]);
    assert_eq!(
        of(json!([1, true, null]), &plain),
        [part("f", None, None, "1"), part("f", None, None, "true")]
    );
    assert_eq!(of(json!({"a": 1}), &plain), [part("f", None, json, r#"{"a":1}"#)]);
    assert_eq!(of(json!([{"a": 1}]), &plain), [part("f", None, json, r#"{"a":1}"#)]);
    assert_eq!(of(json!("a"), &typed("application/json")), [part("f", None, json, "\"a\"")]);
    assert_eq!(of(json!("a,b"), &typed("text/csv")), [part("f", None, Some("text/csv"), "a,b")]);
    let refused = parts("f", "f", &json!("a"), None, Some(&typed("a\r\nX: 1")));
    assert_eq!(refused, Err(RequestBuildError::ConstantHeader("content-type".into())));
    let deep = ParamEncoding { style: ParamStyle::DeepObject, explode: true, allow_reserved: false };
    let rule = PartRule { writing: Some(deep), ..PartRule::default() };
    let nested = json!({"a": [1, "x y"]});
    let expected = [part("f[a][0]", None, None, "1"), part("f[a][1]", None, None, "x y")];
    assert_eq!(of(nested.clone(), &rule), expected);
    assert_eq!(parts("f", "f", &nested, Some(deep), None).unwrap(), expected);
    let whole = PartRule { writing: Some(deep), ..typed("application/json") };
    assert_eq!(of(nested, &whole), [part("f", None, json, r#"{"a":[1,"x y"]}"#)]);
}

/// S-openapi-15: the bytes on the wire; nothing in a name ends its line.
#[test]
fn bytes() {
    let body =
        write(vec![part("a\"\r\nX: 1", None, None, "1"), part("b", Some("é.bin"), Some("x/y"), "2\r\n")]);
    let boundary = &body.boundary;
    let expected = format!(
        "--{boundary}\r\nContent-Disposition: form-data; name=\"a%22%0D%0AX: 1\"\r\n\r\n1\r\n\
         --{boundary}\r\nContent-Disposition: form-data; name=\"b\"; filename=\"é.bin\"\r\n\
         Content-Type: x/y\r\n\r\n2\r\n\r\n--{boundary}--\r\n"
    );
    assert_eq!(String::from_utf8(body.bytes.clone()).unwrap(), expected);
    let contents: Vec<_> = body.parts.iter().map(|placed| &body.bytes[placed.content.clone()]).collect();
    assert_eq!(contents, [&b"1"[..], b"2\r\n"]);
}

proptest! {
    /// R1.2-3: the same parts make the same bytes, and no content is taken for the end of its part.
    #[test]
    fn boundaries(contents in proptest::collection::vec(r"(\r\n--)?(aqueduct-)?[0-9a-f-]{0,40}", 1..5)) {
        let all = || contents.iter().map(|text| part("f", None, None, text)).collect::<Vec<_>>();
        let body = write(all());
        prop_assert_eq!(&write(all()).bytes, &body.bytes);
        let text = String::from_utf8(body.bytes).unwrap();
        let pieces: Vec<_> = text.split(&format!("--{}", body.boundary)).collect();
        prop_assert_eq!(pieces.len(), contents.len() + 2);
        for (piece, content) in pieces[1..].iter().zip(&contents) {
            let (_, rest) = piece.split_once("\r\n\r\n").unwrap();
            prop_assert_eq!(rest.strip_suffix("\r\n"), Some(content.as_str()));
        }
    }
}
