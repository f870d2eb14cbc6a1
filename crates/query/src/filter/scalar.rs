//! Values as a filter compares them.
//!
//! In: a value of the request and one of an item, each read once. Out: whether they are the same, and their order. A
//! number and a text that spells one as JSON does (`"1810"`, not `"01810"` or `" 1810"`) are compared by what they are
//! worth, a boolean and `"true"` or `"false"` are the same; two texts are never taken for anything but texts.

use crate::number::Number;
use crate::order::comparable;
use serde_json::Value;
use std::borrow::Cow;
use std::cmp::Ordering;

/// A value, and the number that it is or spells.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scalar<'v> {
    value: Cow<'v, Value>,
    number: Option<Number>,
}

impl<'v> Scalar<'v> {
    pub(super) fn new(value: Cow<'v, Value>) -> Scalar<'v> {
        let number = match value.as_ref() {
            Value::String(text) => spelled_number(text),
            other => Number::of(other),
        };
        Scalar { value, number }
    }

    /// The number that it is or spells.
    pub(super) fn number(&self) -> Option<Number> {
        self.number
    }

    pub(super) fn value(&self) -> &Value {
        &self.value
    }

    /// True when they are the same.
    pub(super) fn equals(&self, other: &Scalar<'_>) -> bool {
        match (self.value(), other.value()) {
            (Value::String(text), Value::Bool(bool)) | (Value::Bool(bool), Value::String(text)) => {
                text == if *bool { "true" } else { "false" }
            }
            (Value::Number(_), Value::Number(_) | Value::String(_))
            | (Value::String(_), Value::Number(_)) => self.number.is_some() && self.number == other.number,
            (this, other) => this == other,
        }
    }

    /// The order of two numbers or two texts; nothing for anything else.
    pub(super) fn order(&self, other: &Scalar<'_>) -> Option<Ordering> {
        match (self.value(), other.value()) {
            (Value::String(_), Value::String(_)) => comparable(self.value(), other.value()),
            _ => Some(self.number?.compare(other.number?)),
        }
    }
}

/// The number that a text is in JSON, with nothing around it.
fn spelled_number(text: &str) -> Option<Number> {
    let is_bare = text.starts_with(|c: char| c == '-' || c.is_ascii_digit())
        && text.ends_with(|c: char| c.is_ascii_digit());
    let number: serde_json::Number = if is_bare { serde_json::from_str(text).ok()? } else { return None };
    Number::of(&Value::Number(number))
}

#[cfg(test)]
mod tests;
