//! The question put to a person: the adapter's own words with the call's values filled in.
//!
//! An operation and the values of a call in, the text out, if the adapter has one. No secret is in it.

use crate::operation::Operation;
use crate::secrets::values::hide_named;
use serde_json::{Map, Value};

/// Fills `{param}` slots from the call. What is a secret, by a flag or by its name, is not shown: people other than the caller read it,
/// and it is kept.
pub fn confirmation_message(operation: &Operation, values: &Map<String, Value>) -> Option<String> {
    let template = operation.danger.confirmation_message.as_deref()?;
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        out.push_str(&rest[..open]);
        let after = &rest[open + 1..];
        let Some(close) = after.find('}') else {
            rest = &rest[open..];
            break;
        };
        let name = &after[..close];
        match operation.param(name) {
            Some(param) if param.is_secret() => out.push_str("[hidden]"),
            Some(_) => out.push_str(&values.get(name).map(one_line).unwrap_or_default()),
            None => out.push_str(&rest[open..open + close + 2]),
        }
        rest = &after[close + 1..];
    }
    out.push_str(rest);
    Some(out)
}

/// A value as one short line, so that a hostile one cannot rewrite the question.
fn one_line(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        other => {
            let mut shown = other.clone();
            hide_named(&mut shown);
            shown.to_string()
        }
    };
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect()
}
