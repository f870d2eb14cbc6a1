//! Bytes that travel as base64 (core specification, section 4.7.4): a value comes in, bytes and what is said of them go out.
//!
//! The value is the base64 text, or an object with it: `{content, filename?, content_type?}`. An answer of bytes has that
//! form too (`content`, `encoding`, `mime_type`), so that what was read from one API can be written to another.

use super::header;
use crate::error::RequestBuildError;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

/// Bytes, and what the caller says of them.
#[derive(Default)]
#[cfg_attr(test, derive(Debug, PartialEq, Eq))]
pub(crate) struct FileUpload {
    pub(crate) bytes: Vec<u8>,
    pub(crate) name: Option<String>,
    pub(crate) content_type: Option<String>,
}

impl FileUpload {
    /// Reads the value of a parameter.
    pub(crate) fn read(param: &str, value: &Value) -> Result<FileUpload, RequestBuildError> {
        match value {
            Value::String(text) => Ok(FileUpload {
                bytes: decoded(text).ok_or_else(|| refused(param))?,
                ..FileUpload::default()
            }),
            Value::Object(fields) => FileUpload::described(param, fields),
            _ => Err(refused(param)),
        }
    }

    fn described(param: &str, fields: &Map<String, Value>) -> Result<FileUpload, RequestBuildError> {
        let mut file = FileUpload::default();
        let mut content = None;
        for (key, value) in fields {
            let text = value.as_str();
            match (key.as_str(), text) {
                ("content", Some(text)) => content = decoded(text),
                ("encoding", Some("base64")) => {}
                ("filename", Some(name)) => file.name = Some(name.to_owned()),
                ("content_type" | "mime_type", Some(kind)) => file.content_type = Some(kind.to_owned()),
                ("filename" | "content_type" | "mime_type" | "encoding", None) if value.is_null() => {}
                _ => return Err(refused(param)),
            }
        }
        if file.name.as_deref().is_some_and(|name| name.contains('\0')) {
            return Err(RequestBuildError::NulCharacter { param: param.to_owned() });
        }
        if file.content_type.as_deref().is_some_and(|kind| header::value(kind).is_none()) {
            return Err(RequestBuildError::HeaderValue { param: param.to_owned() });
        }
        Ok(FileUpload { bytes: content.ok_or_else(|| refused(param))?, ..file })
    }
}

fn decoded(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

fn refused(param: &str) -> RequestBuildError {
    RequestBuildError::NotBase64 { param: param.to_owned() }
}

#[cfg(test)]
mod tests {
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
        let refused = Err(RequestBuildError::NotBase64 { param: "f".into() });
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
        let with =
            |key: &str, text: &str| FileUpload::read("f", &json!({"content": "", key: text})).unwrap_err();
        assert_eq!(with("content_type", "a\r\nX: 1"), RequestBuildError::HeaderValue { param: "f".into() });
        assert_eq!(with("filename", "a\0"), RequestBuildError::NulCharacter { param: "f".into() });
    }
}
