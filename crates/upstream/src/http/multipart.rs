//! `multipart/form-data` (RFC 7578): fields of a body come in, the bytes with their boundary go out, and where each part is
//! in them.
//!
//! The boundary is worked out from the parts, so that equal values make equal requests; it is in none of them.

use super::base64_file::FileUpload;
use super::header;
use super::param_style;
use crate::error::RequestBuildError;
use aqueduct_operations::digest::Sha256;
use aqueduct_operations::params::ParamEncoding;
use aqueduct_operations::target::PartRule;
use memchr::memmem;
use serde_json::Value;
use std::ops::Range;

/// A part: what it says of itself, and its content.
#[derive(Clone, PartialEq, Eq)]
#[cfg_attr(test, derive(Debug))]
pub(crate) struct MultipartPart<C = Vec<u8>> {
    pub(crate) name: String,
    pub(crate) filename: Option<String>,
    pub(crate) content_type: Option<String>,
    pub(crate) content: C,
}

/// A part that is written, with the place of its content in the body.
pub(crate) type WrittenPart = MultipartPart<Range<usize>>;

/// A body, its boundary, and its parts.
pub(crate) struct Multipart {
    pub(crate) bytes: Vec<u8>,
    pub(crate) boundary: String,
    pub(crate) parts: Vec<WrittenPart>,
}

/// The parts of one field: one for each member of a list, none for null. `param` is named where the value is not fit.
pub(crate) fn parts(
    param: &str,
    name: &str,
    value: &Value,
    writing: Option<ParamEncoding>,
    rule: Option<&PartRule>,
) -> Result<Vec<MultipartPart>, RequestBuildError> {
    let declared = rule.and_then(|rule| rule.content_type.as_deref()).and_then(first_type);
    if declared.is_some_and(|kind| header::value(kind).is_none()) {
        return Err(RequestBuildError::ConstantHeader("content-type".to_owned()));
    }
    let writing = writing.or(rule.and_then(|rule| rule.writing)).filter(|_| declared.is_none());
    let members = match value {
        Value::Null => return Ok(Vec::new()),
        Value::Array(items) if writing.is_none() => items.as_slice(),
        other => std::slice::from_ref(other),
    };
    let members = members.iter().filter(|member| !member.is_null());
    if rule.is_some_and(|rule| rule.is_file) {
        return members.map(|member| file_part(param, name, member, declared)).collect();
    }
    if let Some(writing) = writing {
        let pairs = param_style::pairs(name, value, writing).into_iter();
        return Ok(pairs.map(|pair| text_part(&pair.name, pair.value(str::to_owned))).collect());
    }
    Ok(members.map(|member| plain_part(name, member, declared)).collect())
}

fn file_part(
    param: &str,
    name: &str,
    value: &Value,
    declared: Option<&str>,
) -> Result<MultipartPart, RequestBuildError> {
    let file = FileUpload::read(param, value)?;
    let kind = file.content_type.as_deref().or(declared).unwrap_or("application/octet-stream");
    Ok(MultipartPart {
        name: name.to_owned(),
        filename: Some(file.name.unwrap_or_else(|| name.to_owned())),
        content_type: Some(kind.to_owned()),
        content: file.bytes,
    })
}

/// A scalar is text, anything else JSON; all of it is JSON where that is declared.
fn plain_part(name: &str, value: &Value, declared: Option<&str>) -> MultipartPart {
    let is_nested = matches!(value, Value::Array(_) | Value::Object(_));
    let text = match value {
        Value::String(text) if !declared.is_some_and(super::body_text::is_json) => text.clone(),
        other => other.to_string(),
    };
    let kind = declared.or(is_nested.then_some("application/json"));
    MultipartPart { content_type: kind.map(str::to_owned), ..text_part(name, text) }
}

fn text_part(name: &str, text: String) -> MultipartPart {
    MultipartPart { name: name.to_owned(), filename: None, content_type: None, content: text.into_bytes() }
}

/// The first of the media types that a document offers, unless it stands for many.
fn first_type(offered: &str) -> Option<&str> {
    offered.split(',').map(str::trim).find(|kind| !kind.is_empty() && !kind.contains('*'))
}

/// Writes the parts, one after the other.
pub(crate) fn write(parts: Vec<MultipartPart>) -> Multipart {
    let boundary = boundary(&parts);
    let mut bytes = Vec::new();
    let mut placed = Vec::new();
    for part in parts {
        let mut head =
            format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{}\"", quoted(&part.name));
        if let Some(filename) = &part.filename {
            head.push_str(&format!("; filename=\"{}\"", quoted(filename)));
        }
        if let Some(kind) = &part.content_type {
            head.push_str(&format!("\r\nContent-Type: {kind}"));
        }
        head.push_str("\r\n\r\n");
        bytes.extend_from_slice(head.as_bytes());
        let start = bytes.len();
        bytes.extend_from_slice(&part.content);
        let content = start..bytes.len();
        bytes.extend_from_slice(b"\r\n");
        let MultipartPart { name, filename, content_type, .. } = part;
        placed.push(WrittenPart { name, filename, content_type, content });
    }
    bytes.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    Multipart { bytes, boundary, parts: placed }
}

/// Quotes and line breaks would end the name: browsers write them so.
fn quoted(text: &str) -> String {
    text.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A")
}

/// A text that is in no part.
fn boundary(parts: &[MultipartPart]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        for piece in [part.name.as_bytes(), &part.content] {
            digest.update_part(piece);
        }
    }
    loop {
        let boundary = format!("aqueduct-{}", &digest.clone().finish().hex()[..32]);
        let is_free = |part: &MultipartPart| memmem::find(&part.content, boundary.as_bytes()).is_none();
        if parts.iter().all(is_free) {
            return boundary;
        }
        digest.update([0]);
    }
}

#[cfg(test)]
mod tests;
