//! Values in the styles of OpenAPI: a name, a value and a `ParamEncoding` come in; pairs, or one text, go out.
//!
//! Here is decided what stands beside what; the place of a parameter decides how it is escaped. A null member is left out,
//! and so is a list or an object without members (RFC 6570, section 2.3). A list or an object inside another one has no
//! form of its own but in `deepObject`: there a list goes by index, elsewhere it is comma-joined and an object is JSON.

#[cfg(test)]
mod tests;

use super::encode;
use aqueduct_operations::params::{Param, ParamEncoding, ParamStyle};
use serde_json::Value;

/// How one text is escaped.
pub(crate) type EscapeText = fn(&str) -> String;

/// A name and its value, not escaped yet.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NameValue {
    pub(crate) name: String,
    texts: Vec<String>,
    delimiter: &'static str,
}

impl NameValue {
    pub(crate) fn one(name: &str, text: String) -> NameValue {
        NameValue { name: name.to_owned(), texts: vec![text], delimiter: "," }
    }

    /// The value, its members escaped one by one.
    pub(crate) fn value(&self, escape: EscapeText) -> String {
        joined(&self.texts, self.delimiter, escape)
    }

    /// `name=value`, both escaped.
    pub(crate) fn written(&self, name: EscapeText, value: EscapeText) -> String {
        format!("{}={}", name(&self.name), self.value(value))
    }
}

/// The pairs of a parameter's value: by its style, or as the one text that it has always been.
pub(crate) fn of_param(param: &Param, value: &Value) -> Vec<NameValue> {
    match param.writing {
        Some(writing) => pairs(&param.upstream_name, value, writing),
        None => {
            encode::text(value).map(|text| NameValue::one(&param.upstream_name, text)).into_iter().collect()
        }
    }
}

/// The pairs of a value in a query, a form or a cookie.
pub(crate) fn pairs(name: &str, value: &Value, writing: ParamEncoding) -> Vec<NameValue> {
    match (writing.style, value) {
        (_, Value::Null) => Vec::new(),
        (ParamStyle::Json, value) => vec![NameValue::one(name, value.to_string())],
        (ParamStyle::DeepObject, value) => {
            let mut all = Vec::new();
            deep(name, value, &mut all);
            all
        }
        (style, value) => shallow(name, value, style, writing.explode),
    }
}

fn shallow(name: &str, value: &Value, style: ParamStyle, explode: bool) -> Vec<NameValue> {
    let many = |texts| vec![NameValue { name: name.to_owned(), texts, delimiter: delimiter(style) }];
    match ValueMembers::of(value) {
        ValueMembers::None => Vec::new(),
        ValueMembers::One(text) => vec![NameValue::one(name, text)],
        ValueMembers::List(items) if explode => {
            items.into_iter().map(|item| NameValue::one(name, item)).collect()
        }
        ValueMembers::List(items) => many(items),
        ValueMembers::Fields(fields) if explode => {
            fields.into_iter().map(|(key, text)| NameValue::one(&key, text)).collect()
        }
        ValueMembers::Fields(fields) => many(flattened(fields)),
    }
}

/// `a[b][0]=`, as deep as the value goes.
fn deep(name: &str, value: &Value, all: &mut Vec<NameValue>) {
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                deep(&format!("{name}[{index}]"), item, all);
            }
        }
        Value::Object(fields) => {
            for (key, field) in fields {
                deep(&format!("{name}[{key}]"), field, all);
            }
        }
        scalar => all.extend(encode::text(scalar).map(|text| NameValue::one(name, text))),
    }
}

/// The one text of a value in a path or a header; none when there is nothing to write.
pub(crate) fn flat(name: &str, value: &Value, writing: ParamEncoding, escape: EscapeText) -> Option<String> {
    let ParamEncoding { style, explode, .. } = writing;
    let is_nested = matches!(value, Value::Array(_) | Value::Object(_));
    let members = match style {
        _ if value.is_null() => return None,
        ParamStyle::Json => ValueMembers::One(value.to_string()),
        // Defined for queries alone.
        ParamStyle::DeepObject if is_nested => ValueMembers::One(value.to_string()),
        _ => ValueMembers::of(value),
    };
    let pair = |(key, text): (String, String)| format!("{}={}", escape(&key), escape(&text));
    let comma_joined = |texts: &[String]| joined(texts, delimiter(style), escape);
    let sign = match style {
        ParamStyle::Matrix => ";",
        ParamStyle::Label => ".",
        _ => "",
    };
    let signed = |text: String| match style {
        ParamStyle::Matrix => format!(";{}={text}", escape(name)),
        _ => format!("{sign}{text}"),
    };
    Some(match members {
        ValueMembers::None => return None,
        ValueMembers::One(text) if style == ParamStyle::Matrix && text.is_empty() => {
            format!(";{}", escape(name))
        }
        ValueMembers::One(text) => signed(escape(&text)),
        ValueMembers::List(items) if explode && !sign.is_empty() => {
            items.iter().map(|item| signed(escape(item))).collect()
        }
        ValueMembers::Fields(fields) if explode && sign.is_empty() => {
            fields.into_iter().map(pair).collect::<Vec<_>>().join(",")
        }
        ValueMembers::Fields(fields) if explode => {
            fields.into_iter().map(|field| format!("{sign}{}", pair(field))).collect()
        }
        ValueMembers::List(items) => signed(comma_joined(&items)),
        ValueMembers::Fields(fields) => signed(comma_joined(&flattened(fields))),
    })
}

/// True when a string or a key of the value holds NUL, percent-encoded or not.
pub(crate) fn holds_nul(value: &Value) -> bool {
    let is_in = |text: &str| text.contains('\0') || encode::decode_lossy(text).contains('\0');
    match value {
        Value::String(text) => is_in(text),
        Value::Array(items) => items.iter().any(holds_nul),
        Value::Object(fields) => fields.iter().any(|(key, field)| is_in(key) || holds_nul(field)),
        _ => false,
    }
}

/// What a value is made of, as texts.
enum ValueMembers {
    None,
    One(String),
    List(Vec<String>),
    Fields(Vec<(String, String)>),
}

impl ValueMembers {
    fn of(value: &Value) -> ValueMembers {
        match value {
            Value::Array(items) => {
                let texts: Vec<_> = items.iter().filter_map(encode::text).collect();
                if texts.is_empty() { ValueMembers::None } else { ValueMembers::List(texts) }
            }
            Value::Object(fields) => {
                let text = |(key, field): (&String, &Value)| Some((key.clone(), encode::text(field)?));
                let texts: Vec<_> = fields.iter().filter_map(text).collect();
                if texts.is_empty() { ValueMembers::None } else { ValueMembers::Fields(texts) }
            }
            scalar => encode::text(scalar).map_or(ValueMembers::None, ValueMembers::One),
        }
    }
}

fn flattened(fields: Vec<(String, String)>) -> Vec<String> {
    fields.into_iter().flat_map(|(key, text)| [key, text]).collect()
}

fn delimiter(style: ParamStyle) -> &'static str {
    match style {
        ParamStyle::SpaceDelimited => " ",
        ParamStyle::PipeDelimited => "|",
        ParamStyle::TabDelimited => "\t",
        _ => ",",
    }
}

/// The comma stands as it is, so that it can be told from one inside a member; a URL has no room for the others.
fn joined(texts: &[String], delimiter: &str, escape: EscapeText) -> String {
    let between = if delimiter == "," { ",".to_owned() } else { escape(delimiter) };
    texts.iter().map(|text| escape(text)).collect::<Vec<_>>().join(&between)
}
