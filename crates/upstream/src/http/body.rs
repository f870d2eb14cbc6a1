//! Writes a body: operation, target and values come in; bytes, their media type, and what may be shown of them go out
//! (runtime specification, section 6.4; ruling W8).
//!
//! The body is one parameter's value as a whole, or an object of those that belong there. Values that need no body give
//! none. Equal values give equal bytes.

use super::base64_file::FileUpload;
use super::multipart::{self, WrittenPart};
use super::{encode, header, param_style};
use crate::error::RequestBuildError;
use crate::sensitive;
use aqueduct_operations::operation::{Grouping, Operation};
use aqueduct_operations::params::{Param, ParamEncoding, ParamLocation, ParamStyle};
use aqueduct_operations::target::{BodyFormat, HttpTarget, PartRule};
use bytes::Bytes;
use http::HeaderValue;
use serde_json::{Map, Value};

/// How Stripe and most others read nested fields of a form.
const NESTED: ParamEncoding =
    ParamEncoding { style: ParamStyle::DeepObject, explode: true, allow_reserved: false };

/// A body that is written.
#[derive(Default)]
pub(crate) struct WrittenBody {
    pub(crate) bytes: Bytes,
    /// The media type that the body has to be sent with.
    pub(crate) content_type: Option<HeaderValue>,
    /// The parts of a multipart body.
    pub(crate) parts: Vec<WrittenPart>,
    /// Names of fields, in a form or a multipart body, whose values must not be seen.
    pub(crate) hidden: Vec<String>,
}

/// The parameter whose value is the whole body, by its public name.
pub(crate) fn whole_param<'a>(operation: &Operation, target: &'a HttpTarget) -> Option<&'a str> {
    if operation.grouping == Grouping::WholeInput { Some("input") } else { target.whole_body.as_deref() }
}

/// Writes the body of one call.
pub(crate) fn write(
    operation: &Operation,
    target: &HttpTarget,
    values: &Map<String, Value>,
) -> Result<Option<WrittenBody>, RequestBuildError> {
    let writer = BodyWriter { operation, target };
    if let Some(param) = whole_param(operation, target) {
        let value = values.get(param).filter(|value| !value.is_null());
        return value.map(|value| writer.whole(param, value)).transpose();
    }
    let mut fields: Vec<BodyField<'_>> = Vec::new();
    for param in operation.params.iter().filter(|param| param.place == ParamLocation::Body) {
        let Some(value) = values.get(&param.name) else { continue };
        let field = BodyField {
            param: &param.name,
            name: &param.upstream_name,
            value,
            writing: param.writing,
            // In JSON, fields are found by their names.
            is_hidden: target.body != BodyFormat::Json && param.is_secret(),
        };
        match fields.iter_mut().find(|known| known.name == field.name) {
            Some(known) => *known = field,
            None => fields.push(field),
        }
    }
    // An update that changes nothing still has its input as the body.
    if fields.is_empty() && operation.grouping != Grouping::Input && !target.needs_body {
        return Ok(None);
    }
    writer.fields(&fields).map(Some)
}

/// A field of the body, before it is written.
struct BodyField<'a> {
    /// The parameter that is named when the value is not fit.
    param: &'a str,
    name: &'a str,
    value: &'a Value,
    writing: Option<ParamEncoding>,
    is_hidden: bool,
}

struct BodyWriter<'a> {
    operation: &'a Operation,
    target: &'a HttpTarget,
}

impl BodyWriter<'_> {
    fn whole(&self, param: &str, value: &Value) -> Result<WrittenBody, RequestBuildError> {
        match (self.target.body, value) {
            (BodyFormat::Json, value) => self.written(value.to_string().into_bytes(), None),
            (BodyFormat::Form | BodyFormat::Multipart, Value::Object(fields)) => {
                let fields = fields.iter().map(|(name, value)| BodyField {
                    param,
                    name,
                    value,
                    writing: None,
                    is_hidden: false,
                });
                self.fields(&fields.collect::<Vec<_>>())
            }
            (BodyFormat::Form | BodyFormat::Text, Value::String(text)) => {
                self.written(text.clone().into_bytes(), None)
            }
            (BodyFormat::Text, Value::Number(_) | Value::Bool(_)) => {
                self.written(value.to_string().into_bytes(), None)
            }
            (BodyFormat::Bytes, value) => {
                let file = FileUpload::read(param, value)?;
                self.written(file.bytes, file.content_type.as_deref())
            }
            (BodyFormat::Form | BodyFormat::Multipart | BodyFormat::Text, _) => {
                Err(RequestBuildError::InvalidType(param.to_owned()))
            }
        }
    }

    fn fields(&self, fields: &[BodyField<'_>]) -> Result<WrittenBody, RequestBuildError> {
        match self.target.body {
            BodyFormat::Json => {
                let object: Map<String, Value> =
                    fields.iter().map(|field| (field.name.to_owned(), field.value.clone())).collect();
                self.written(Value::Object(object).to_string().into_bytes(), None)
            }
            BodyFormat::Form => self.form(fields),
            BodyFormat::Multipart => self.multipart(fields),
            // One value is all that fits.
            BodyFormat::Text | BodyFormat::Bytes => match fields {
                [field] => self.whole(field.param, field.value),
                [] => self.written(Vec::new(), None),
                [_, second, ..] => Err(RequestBuildError::InvalidType(second.param.to_owned())),
            },
        }
    }

    fn form(&self, fields: &[BodyField<'_>]) -> Result<WrittenBody, RequestBuildError> {
        let is_declared = self.is_declared();
        let escape: param_style::EscapeText = if is_declared { encode::form } else { encode::component };
        let mut texts = Vec::new();
        let mut hidden = Vec::new();
        for field in fields {
            let declared = field.writing.or(self.rule(field.name).and_then(|rule| rule.writing));
            let pairs = match declared.or(is_declared.then_some(NESTED)) {
                Some(writing) => param_style::pairs(field.name, field.value, writing),
                None => encode::text(field.value)
                    .map(|text| param_style::NameValue::one(field.name, text))
                    .into_iter()
                    .collect(),
            };
            let keeps_reserved = declared.is_some_and(|writing| writing.allow_reserved);
            let of_value = if keeps_reserved { encode::reserved_in_query } else { escape };
            for pair in pairs {
                texts.push(pair.written(escape, of_value));
                if field.is_hidden || sensitive::is_secret_member(&pair.name) {
                    hidden.push(pair.name);
                }
            }
        }
        Ok(WrittenBody { hidden, ..self.written(texts.join("&").into_bytes(), None)? })
    }

    /// Forms of adapter files that say nothing of their fields keep the spelling that they always had.
    fn is_declared(&self) -> bool {
        let HttpTarget { parts, content_type, whole_body, .. } = self.target;
        let says_more =
            |param: &Param| param.is_body() && (param.writing.is_some() || param.schema.is_some());
        !parts.is_empty()
            || content_type.is_some()
            || whole_body.is_some()
            || self.operation.params.iter().any(says_more)
    }

    fn multipart(&self, fields: &[BodyField<'_>]) -> Result<WrittenBody, RequestBuildError> {
        let mut parts = Vec::new();
        let mut hidden = Vec::new();
        for field in fields {
            let rule = self.rule(field.name);
            let own = multipart::parts(field.param, field.name, field.value, field.writing, rule)?;
            if own.iter().any(|part| part.name.contains('\0')) {
                return Err(RequestBuildError::NulCharacter(field.param.to_owned()));
            }
            let is_hidden = |name: &str| field.is_hidden || sensitive::is_secret_member(name);
            hidden.extend(own.iter().map(|part| &part.name).filter(|name| is_hidden(name)).cloned());
            parts.extend(own);
        }
        let body = multipart::write(parts);
        let kind = self.declared_type().unwrap_or(BodyFormat::Multipart.usual_type());
        let content_type = media_type(&format!("{kind}; boundary={}", body.boundary))?;
        Ok(WrittenBody {
            bytes: body.bytes.into(),
            content_type: Some(content_type),
            parts: body.parts,
            hidden,
        })
    }

    fn rule(&self, name: &str) -> Option<&PartRule> {
        self.target.parts.iter().find(|(part, _)| part == name).map(|(_, rule)| rule)
    }

    /// The media type of the target, unless it stands for many.
    fn declared_type(&self) -> Option<&str> {
        self.target.content_type.as_deref().filter(|kind| !kind.contains('*'))
    }

    /// The bytes with the media type that is declared, else with the one that the value brings along.
    fn written(&self, bytes: Vec<u8>, own_type: Option<&str>) -> Result<WrittenBody, RequestBuildError> {
        let content_type = self.declared_type().or(own_type).map(media_type).transpose()?;
        Ok(WrittenBody { bytes: bytes.into(), content_type, ..WrittenBody::default() })
    }
}

fn media_type(text: &str) -> Result<HeaderValue, RequestBuildError> {
    header::value(text).ok_or_else(|| RequestBuildError::ConstantHeader("content-type".to_owned()))
}

#[cfg(test)]
mod tests;
