//! The values of a call as rules find and compare them.
//!
//! The name in a rule and the values of a call in; whether one of them is what the rule means out. For rules that restrict, a value
//! is also what it may become on its way: each element of its lists, each part into which the written list falls, and the list as
//! one text. For rules that allow it is exactly what was sent.

use super::Permission;
use crate::params::{Param, ParamStyle};
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The value of a parameter as it is given in a call, and what stands between the elements where its lists are written.
#[derive(Debug)]
pub(super) struct ParamValue<'a> {
    pub value: Cow<'a, Value>,
    pub delimiter: Cow<'static, str>,
}

impl ParamValue<'_> {
    /// True when a value fits that a rule that restricts may mean by this one. Anyone who says no to all sees each of them.
    pub fn any(&self, fits: &mut dyn FnMut(&Value) -> bool) -> bool {
        any_meant(&self.value, &self.delimiter, fits)
    }
}

fn any_meant(value: &Value, delimiter: &str, fits: &mut dyn FnMut(&Value) -> bool) -> bool {
    let Value::Array(elements) = value else { return fits(value) };
    let mut whole = String::new();
    for element in elements {
        if any_meant(element, delimiter, fits) {
            return true;
        }
        let text = if element.is_null() { None } else { scalar_text(element) };
        let Some(text) = text else { continue };
        if any_part(&text, delimiter, fits) {
            return true;
        }
        if !whole.is_empty() {
            whole.push_str(delimiter);
        }
        whole.push_str(&text);
    }
    elements.len() > 1 && fits(&Value::from(whole))
}

/// The parts of an element that holds what stands between elements, as it is and decoded. Those inside a list of a list stand between
/// commas, whatever the style.
fn any_part(text: &str, delimiter: &str, fits: &mut dyn FnMut(&Value) -> bool) -> bool {
    let decoded = decoded(text).filter(|decoded| decoded != text);
    [Some(Cow::Borrowed(text)), decoded].into_iter().flatten().any(|text| {
        [",", delimiter]
            .into_iter()
            .any(|between| text.contains(between) && text.split(between).any(|part| fits(&Value::from(part))))
    })
}

/// What stands between the elements of a list of this parameter.
pub(super) fn delimiter(param: Option<&Param>) -> Cow<'static, str> {
    let writing = param.and_then(|param| Some((param, param.writing?)));
    let Some((param, writing)) = writing else { return Cow::Borrowed(",") };
    match writing.style {
        ParamStyle::SpaceDelimited => Cow::Borrowed(" "),
        ParamStyle::PipeDelimited => Cow::Borrowed("|"),
        ParamStyle::TabDelimited => Cow::Borrowed("\t"),
        ParamStyle::Label if writing.explode => Cow::Borrowed("."),
        ParamStyle::Matrix if writing.explode => Cow::Owned(format!(";{}=", param.upstream_name)),
        _ => Cow::Borrowed(","),
    }
}

/// A value by the name of its parameter, or by the path to a field. Fields of an update's `input` are parameters of their own
/// by the time that a call is judged.
pub(super) fn find<'a>(values: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    if let Some(value) = values.get(name).or_else(|| values.get(name.strip_prefix("input.")?)) {
        return Some(value);
    }
    let (first, rest) = name.split_once('.')?;
    find(values.get(first)?.as_object()?, rest)
}

/// Every value that a name or a path leads to, through lists as well: a list around a value hides it from no rule, and neither does
/// another letter case or a space in the name of a field.
pub(super) fn find_all<'a>(values: &'a Map<String, Value>, name: &str, found: &mut Vec<&'a Value>) {
    found.extend(values.get(name));
    found.extend(name.strip_prefix("input.").and_then(|bare| values.get(bare)));
    if let Some((first, rest)) = name.split_once('.')
        && let Some(value) = values.get(first)
    {
        find_inside(value, &path_alike(rest), found);
    }
}

fn find_inside<'a>(value: &'a Value, path: &str, found: &mut Vec<&'a Value>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                let name = path_alike(name);
                let Some(rest) = path.strip_prefix(name.as_str()) else { continue };
                if rest.is_empty() {
                    found.push(field);
                } else if let Some(rest) = rest.strip_prefix('.') {
                    find_inside(field, rest, found);
                }
            }
        }
        Value::Array(elements) => elements.iter().for_each(|element| find_inside(element, path, found)),
        _ => {}
    }
}

/// A path to a field as rules that restrict compare it.
fn path_alike(path: &str) -> String {
    path.split('.').map(alike).collect::<Vec<_>>().join(".")
}

/// True when a value of a call is the one in a rule.
pub(super) fn is_equal(wanted: &Value, value: &Value, permission: Permission) -> bool {
    let is_same_number = number(wanted).zip(number(value)).is_some_and(|(wanted, value)| wanted == value);
    let (Some(wanted), Some(value)) = (scalar_text(wanted), scalar_text(value)) else { return false };
    if permission == Permission::Allow {
        return wanted == value;
    }
    let is_alike = |text: &str| alike(text) == alike(&wanted);
    is_same_number || is_alike(&value) || decoded(&value).is_some_and(|decoded| is_alike(&decoded))
}

/// A number, also where it is written as text: `5.0` is what `5` is.
pub(super) fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())
}

/// A scalar as text, so that `"5"` in a rule fits the number 5.
pub(super) fn scalar_text(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Number(_) | Value::Bool(_) | Value::Null => Some(Cow::Owned(value.to_string())),
        Value::Array(_) | Value::Object(_) => None,
    }
}

/// A text without percent signs; absent when it has none.
pub(super) fn decoded(text: &str) -> Option<Cow<'_, str>> {
    text.contains('%').then(|| percent_decode_str(text).decode_utf8_lossy())
}

/// A text as rules that restrict compare it.
pub(super) fn alike(text: &str) -> String {
    text.trim().to_lowercase()
}
