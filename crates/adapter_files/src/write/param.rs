//! Parameters, the fields of types, and how values are written in requests.
//!
//! A parameter in; the keys of its definition out, without those that say what is so anyway.

use super::schemas::SharedSchemas;
use super::yaml::{YamlEntries, YamlValue};
use aqueduct_operations::params::check::problems;
use aqueduct_operations::params::format::Format;
use aqueduct_operations::params::{Param, ParamEncoding, ParamLocation, ParamStyle, Shape, ValueKind};
use aqueduct_operations::secrets::names::{NamePlace, is_secret};
use serde_json::{Number, Value as Json};

/// The definition of a parameter. `usual` is where it goes when nothing is said.
pub(super) fn definition(
    param: &Param,
    usual: Option<ParamLocation>,
    is_type: &dyn Fn(&str) -> bool,
    shared: &mut SharedSchemas,
) -> YamlEntries {
    let mut entries = YamlEntries::default();
    entries.text("type", &type_text(&param.shape));
    entries.maybe_text("type_name", param.shape.reference.as_deref().filter(|name| is_type(name)));
    entries.unless("required", param.required, false);
    entries.maybe_text("description", param.description.as_deref());
    if usual.is_some_and(|usual| usual != param.place) {
        entries.json("in", param.place.name());
    }
    entries.unless("mapTo", param.upstream_name.as_str(), param.name.as_str());
    let fitting = fitting(param, shared);
    constraints(&fitting, &mut entries);
    if let Some(default) = param.default.as_ref().filter(|default| !is_credential(param, default)) {
        if param.schema.is_some() || problems(&fitting, default).is_empty() {
            entries.json("default", default.clone());
        } else {
            shared.leave_out(format!("the default of '{}' does not fit its type", param.name));
        }
    }
    entries.unless("sensitive", param.sensitive, false);
    entries.words("sources", &param.sources);
    if let Some(writing) = &param.writing {
        put_writing(writing, Some(param.place), &mut entries);
    }
    entries.maybe_json("schema", param.schema.as_ref().and_then(|schema| shared.in_place(schema)));
    entries
}

/// The shape without what no value can meet: a file with it would not load. Beside a schema it is only shown, and stays.
fn fitting(param: &Param, shared: &mut SharedSchemas) -> Shape {
    let mut shape = param.shape.clone();
    if param.schema.is_some() {
        return shape;
    }
    if !shape.kind.takes_numbers() {
        (shape.minimum, shape.maximum) = (None, None);
    }
    if !shape.kind.takes_text() {
        (shape.min_length, shape.max_length, shape.pattern) = (None, None, None);
        shape.format = shape.format.filter(|format| matches!(format, Format::Other(_)));
    }
    if shape.minimum.zip(shape.maximum).is_some_and(|(low, high)| low > high) {
        (shape.minimum, shape.maximum) = (None, None);
        shared.leave_out(format!("the bounds of '{}' exclude each other", param.name));
    }
    if shape.min_length.zip(shape.max_length).is_some_and(|(low, high)| low > high) {
        (shape.min_length, shape.max_length) = (None, None);
        shared.leave_out(format!("the lengths of '{}' exclude each other", param.name));
    }
    let plain = Shape { allowed: None, ..shape.clone() };
    if let Some(allowed) = &mut shape.allowed {
        let before = allowed.len();
        allowed.retain(|value| problems(&plain, value).is_empty());
        if allowed.len() < before {
            shared.leave_out(format!("some values of '{}' do not fit its type", param.name));
        }
    }
    shape
}

/// A default that stands where only a credential would stand is never written.
fn is_credential(param: &Param, default: &Json) -> bool {
    param.sensitive || is_secret(&param.upstream_name, NamePlace::Parameter) && default.is_string()
}

/// The definition of a field of a type.
pub(super) fn field(field: &Param, is_type: &dyn Fn(&str) -> bool) -> YamlEntries {
    let mut entries = YamlEntries::default();
    let reference = field.shape.reference.as_deref().filter(|name| is_type(name));
    let is_list = field.shape.kind == ValueKind::Array(Some(Box::new(ValueKind::Object)));
    let is_short =
        constraints_of(&field.shape).0.is_empty() && (is_list || field.shape.kind == ValueKind::Object);
    match reference {
        Some(name) if is_short => {
            entries.text("type", &if is_list { format!("{name}[]") } else { name.to_owned() })
        }
        reference => {
            entries.text("type", &type_text(&field.shape));
            entries.maybe_text("type_name", reference);
        }
    }
    entries.unless("required", field.required, false);
    entries.maybe_text("description", field.description.as_deref());
    constraints(&field.shape, &mut entries);
    entries.maybe_json("default", field.default.clone());
    entries
}

/// `style`, `explode` and `allow_reserved`, in full for what is said of them.
pub(super) fn put_writing(writing: &ParamEncoding, place: Option<ParamLocation>, entries: &mut YamlEntries) {
    let is_usual = place.is_some_and(|place| ParamStyle::usual_in(place) == writing.style);
    let is_explode_usual = writing.explode == writing.style.usually_explodes();
    if !is_usual || (is_explode_usual && !writing.allow_reserved) {
        entries.json("style", writing.style.name());
    }
    entries.unless("explode", writing.explode, writing.style.usually_explodes());
    entries.unless("allow_reserved", writing.allow_reserved, false);
}

/// The type as files name it. A list of alternatives has no name: it is a list, whose elements say what they are.
fn type_text(shape: &Shape) -> String {
    let text = shape.kind.to_string();
    if ValueKind::parse(&text).as_ref() == Some(&shape.kind) { text } else { "array".to_owned() }
}

fn constraints_of(shape: &Shape) -> YamlEntries {
    let mut entries = YamlEntries::default();
    constraints(shape, &mut entries);
    entries
}

fn constraints(shape: &Shape, entries: &mut YamlEntries) {
    entries.maybe_json("enum", shape.allowed.clone().filter(|allowed| !allowed.is_empty()));
    entries.maybe_json("minimum", shape.minimum.and_then(number));
    entries.maybe_json("maximum", shape.maximum.and_then(number));
    entries.maybe_json("minLength", shape.min_length.and_then(|length| i64::try_from(length).ok()));
    entries.maybe_json("maxLength", shape.max_length.and_then(|length| i64::try_from(length).ok()));
    entries.maybe_json("pattern", shape.pattern.as_ref().map(|pattern| pattern.as_str()));
    entries.maybe_json("format", shape.format.as_ref().map(ToString::to_string));
    if let Some(items) = &shape.items {
        let mut inner = YamlEntries::default();
        inner.text("type", &type_text(items));
        constraints(items, &mut inner);
        entries.put("items", YamlValue::Map(inner));
    }
}

/// A number as it is written by hand: whole where it is whole.
pub(super) fn number(number: f64) -> Option<Json> {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        return Some(Json::from(number as i64));
    }
    Number::from_f64(number).map(Json::Number)
}
