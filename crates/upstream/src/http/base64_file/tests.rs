//! Tests of `file`.

use super::FileUpload;
use crate::error::RequestBuildError;
use serde_json::json;

/// C4.7.4-1: base64 with padding, as text or in an object; nothing else is taken for bytes.
#[test]
fn what_is_bytes() {
    let plain = FileUpload { bytes: vec![0, 255], ..FileUpload::default() };
    assert_eq!(FileUpload::read("f", &json!("AP8=")), Ok(plain));
    let named = FileUpload {
        bytes: b"hi".to_vec(),
        name: Some("a.txt".into()),
        content_type: Some("text/plain".into()),
    };
    let object = json!({"filename": "a.txt", "content": "aGk=", "content_type": "text/plain"});
    assert_eq!(FileUpload::read("f", &object).as_ref(), Ok(&named));
    let answer =
        json!({"content": "aGk=", "encoding": "base64", "mime_type": "text/plain", "filename": null});
    assert_eq!(FileUpload::read("f", &answer), Ok(FileUpload { name: None, ..named }));
    let refused = Err(RequestBuildError::NotBase64("f".into()));
    for value in [
        json!("AP8"),
        json!("a b="),
        json!("AP_="),
        json!("AP8=\n"),
        json!(7),
        json!(["AP8="]),
        json!({}),
        json!({"content": "x"}),
        json!({"content": 1}),
        json!({"content": "aGk=", "encoding": "hex"}),
        json!({"content": "aGk=", "path": "/etc/passwd"}),
    ] {
        assert_eq!(FileUpload::read("f", &value), refused, "{value}");
    }
}

/// R11.4-4: no line break gets into the head of a part.
#[test]
fn what_is_said_of_them() {
    let with = |key: &str, text: &str| FileUpload::read("f", &json!({"content": "", key: text})).unwrap_err();
    assert_eq!(with("content_type", "a\r\nX: 1"), RequestBuildError::HeaderValue("f".into()));
    assert_eq!(with("filename", "a\0"), RequestBuildError::NulCharacter("f".into()));
}
