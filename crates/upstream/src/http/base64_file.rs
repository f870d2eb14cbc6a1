//! Bytes that travel as base64 (core specification, section 4.7.4): a value comes in, bytes and what is said of them go out.
//!
//! The value is the base64 text, or an object with it: `{content, filename?, content_type?}`. A response of bytes has that
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
            return Err(RequestBuildError::NulCharacter(param.to_owned()));
        }
        if file.content_type.as_deref().is_some_and(|kind| header::value(kind).is_none()) {
            return Err(RequestBuildError::HeaderValue(param.to_owned()));
        }
        Ok(FileUpload { bytes: content.ok_or_else(|| refused(param))?, ..file })
    }
}

fn decoded(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

fn refused(param: &str) -> RequestBuildError {
    RequestBuildError::NotBase64(param.to_owned())
}

#[cfg(test)]
mod tests;
