//! Shows a request without sending it (ruling W17): operation, values and the prepared request come in, `{method, url,
//! headers, body}` goes out.
//!
//! Invariant: no credential and no value is in it that is secret, by a flag or by its name. Both are marked where they stand, so short
//! ones are hidden too; then whatever is known to be secret is taken out of the text wherever else it may be.

use super::multipart::WrittenPart;
use super::request::HttpRequest;
use super::{body, encode, param_style, path_template};
use crate::credentials::{self, Credentials};
use crate::prepared::PreparedRequest;
use crate::sensitive;
use aqueduct_egress::environment::Environment;
use aqueduct_egress::redact::{MARK, Redactor};
use aqueduct_operations::params::{Param, ParamLocation};
use aqueduct_operations::secrets::values::hide_named;
use aqueduct_operations::target::BodyFormat;
use http::header::HeaderName;
use serde_json::{Map, Value, json};

/// The request as it may be shown.
pub(crate) fn preview(prepared: &PreparedRequest<'_>, environment: &dyn Environment) -> Value {
    let PreparedRequest { request, operation, target, values } = prepared;
    let (secret, plain): (Vec<&Param>, Vec<&Param>) =
        operation.params.iter().partition(|param| param.is_secret());
    let mut redactor = Credentials::redactor_of(target, environment);
    sensitive::add(&mut redactor, operation, values);
    sensitive::add_members(&mut redactor, values);
    let mut shown = request.clone();
    hide_path(prepared, &secret, &mut shown);
    let given = |param: &Param| values.get(&param.name).filter(|value| !value.is_null());
    for param in &secret {
        if let Some(value) = given(param) {
            hide(param, value, &mut shown);
        }
    }
    for param in plain {
        if let Some(value) = given(param) {
            hide_members(param, value, &mut shown);
        }
    }
    credentials::mask(target, environment, &mut shown);
    json!({
        "method": shown.method.name(),
        "url": redactor.error(&shown.url.as_str().replace(&encode::component(MARK), MARK)),
        "headers": headers(&shown, &redactor),
        "body": body(prepared, &secret, &shown, &redactor),
    })
}

/// Fills the path again, with marks in the place of secret values.
fn hide_path(prepared: &PreparedRequest<'_>, secret: &[&Param], shown: &mut HttpRequest) {
    let PreparedRequest { operation, target, values, .. } = prepared;
    let mut marked = Map::clone(values);
    for param in secret.iter().filter(|param| param.place == ParamLocation::Path) {
        marked.insert(param.name.clone(), MARK.into());
    }
    let fill = |values| path_template::fill(&target.path, values, &operation.params, target.dot_segments);
    if let (Ok(real), Ok(marked)) = (fill(values), fill(&marked))
        && let Some(base) = shown.url.path().strip_suffix(real.as_str()).map(str::to_owned)
    {
        shown.url.set_path(&format!("{base}{marked}"));
    }
}

fn hide(param: &Param, value: &Value, shown: &mut HttpRequest) {
    let names = || param_style::of_param(param, value).into_iter().map(|pair| pair.name);
    match param.place {
        ParamLocation::Query => {
            names().for_each(|name| shown.remove_query(&name));
            shown.set_query_pair(&param.upstream_name, MARK);
        }
        ParamLocation::Cookie => names().for_each(|name| credentials::mask_cookie(shown, &name)),
        ParamLocation::Header => {
            if let Ok(name) = HeaderName::from_bytes(param.upstream_name.as_bytes()) {
                credentials::set(shown, name, MARK);
            }
        }
        ParamLocation::Path | ParamLocation::Body => {}
    }
}

/// Hides the members of a value that stand in a query or in cookies under names of credentials.
fn hide_members(param: &Param, value: &Value, shown: &mut HttpRequest) {
    if !value.is_object() && !value.is_array() {
        return;
    }
    for name in param_style::of_param(param, value).into_iter().map(|pair| pair.name) {
        match param.place {
            _ if !sensitive::is_secret_member(&name) => {}
            ParamLocation::Query => shown.set_query_pair(&name, MARK),
            ParamLocation::Cookie => credentials::mask_cookie(shown, &name),
            ParamLocation::Header | ParamLocation::Path | ParamLocation::Body => {}
        }
    }
}

/// Headers by name; what is there several times is one list.
fn headers(shown: &HttpRequest, redactor: &Redactor) -> Value {
    let all = shown.headers.keys().map(|name| {
        let values = shown.headers.get_all(name).iter();
        let text =
            values.map(|value| String::from_utf8_lossy(value.as_bytes())).collect::<Vec<_>>().join(", ");
        (name.to_string(), redactor.error(&text).into())
    });
    Value::Object(all.collect())
}

fn body(
    prepared: &PreparedRequest<'_>,
    secret: &[&Param],
    shown: &HttpRequest,
    redactor: &Redactor,
) -> Value {
    let Some(bytes) = &shown.body else { return Value::Null };
    let redacted: Vec<&Param> = secret.iter().copied().filter(|param| param.is_body()).collect();
    let whole = body::whole_param(prepared.operation, prepared.target);
    if redacted.iter().any(|param| whole == Some(param.name.as_str())) {
        return MARK.into();
    }
    match (shown.format, serde_json::from_slice(bytes)) {
        (BodyFormat::Json, Ok(mut value)) => {
            if let Value::Object(fields) = &mut value {
                let is_redacted = |name: &str| redacted.iter().any(|param| param.upstream_name == name);
                fields
                    .iter_mut()
                    .filter(|(name, _)| is_redacted(name))
                    .for_each(|(_, field)| *field = MARK.into());
            }
            hide_named(&mut value);
            redactor.error_value(&mut value);
            value
        }
        (BodyFormat::Multipart, _) => {
            shown.parts.iter().map(|placed| part(placed, bytes, shown, redactor)).collect()
        }
        // Text and bytes are one value each.
        (BodyFormat::Text | BodyFormat::Bytes, _) if !redacted.is_empty() => MARK.into(),
        (BodyFormat::Bytes, _) => json!({"bytes": bytes.len()}),
        (BodyFormat::Form, _) => {
            let text = String::from_utf8_lossy(bytes);
            let pairs = text.split('&').map(|pair| {
                let name = pair.split_once('=').map_or(pair, |(name, _)| name);
                if shown.hidden_fields.contains(&encode::decode_lossy(&name.replace('+', " ")).into_owned()) {
                    format!("{name}={MARK}")
                } else {
                    pair.to_owned()
                }
            });
            redactor.error(&pairs.collect::<Vec<_>>().join("&")).into()
        }
        (BodyFormat::Text | BodyFormat::Json, _) => redactor.error(&String::from_utf8_lossy(bytes)).into(),
    }
}

/// A part of a multipart body: its text, or how many bytes it has.
fn part(placed: &WrittenPart, body: &[u8], shown: &HttpRequest, redactor: &Redactor) -> Value {
    let content = body.get(placed.content.clone()).unwrap_or_default();
    let clean = |text: &str| Value::from(redactor.error(text));
    let mut fields = Map::from_iter([("name".to_owned(), clean(&placed.name))]);
    if let Some(kind) = &placed.content_type {
        fields.insert("content_type".to_owned(), clean(kind));
    }
    if shown.hidden_fields.contains(&placed.name) {
        fields.insert("value".to_owned(), MARK.into());
    } else if let Some(filename) = &placed.filename {
        fields.insert("filename".to_owned(), clean(filename));
        fields.insert("bytes".to_owned(), content.len().into());
    } else {
        fields.insert("value".to_owned(), clean(&String::from_utf8_lossy(content)));
    }
    Value::Object(fields)
}

#[cfg(test)]
mod tests;
