//! A list of values of which one must be found, however long it is.
//!
//! Values of the request in; whether one of an item is among them out, in a time that does not grow with the list. It says
//! what comparing with each of them would say.

use super::condition::ComparedWith;
use super::scalar::Scalar;
use crate::number::NumberIdentity;
use serde_json::Value;
use std::collections::HashSet;

/// Values of which one must be found.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AnyOf {
    values: Vec<ComparedWith>,
    texts: HashSet<String>,
    /// Of the numbers in the list: texts that spell one are equal to them too.
    numbers: HashSet<NumberIdentity>,
    /// Of texts that spell numbers: only numbers are equal to them, other texts are not.
    spelled: HashSet<NumberIdentity>,
    has_true: bool,
    has_false: bool,
    has_null: bool,
}

impl AnyOf {
    pub(super) fn of(values: Vec<ComparedWith>) -> AnyOf {
        let has = |wanted: &Value| values.iter().any(|value| value.value() == wanted);
        let mut choice = AnyOf {
            has_true: has(&Value::Bool(true)),
            has_false: has(&Value::Bool(false)),
            has_null: has(&Value::Null),
            texts: HashSet::new(),
            numbers: HashSet::new(),
            spelled: HashSet::new(),
            values: Vec::new(),
        };
        for wanted in &values {
            let number = wanted.number().map(|number| number.identity());
            match wanted.value() {
                Value::String(text) => {
                    choice.texts.insert(text.clone());
                    choice.spelled.extend(number);
                }
                _ => choice.numbers.extend(number),
            }
        }
        AnyOf { values, ..choice }
    }

    /// The one value, where there is only one.
    pub(super) fn only(&self) -> Option<&ComparedWith> {
        if self.values.len() == 1 { self.values.first() } else { None }
    }

    pub(super) fn has_null(&self) -> bool {
        self.has_null
    }

    /// True when this value is one of them.
    pub(super) fn has(&self, found: &Scalar<'_>) -> bool {
        let number = found.number().map(|number| number.identity());
        let is_in =
            |numbers: &HashSet<NumberIdentity>| number.is_some_and(|number| numbers.contains(&number));
        match found.value() {
            Value::Null => self.has_null,
            Value::Bool(true) => self.has_true || self.texts.contains("true"),
            Value::Bool(false) => self.has_false || self.texts.contains("false"),
            Value::Number(_) => is_in(&self.numbers) || is_in(&self.spelled),
            Value::String(text) => {
                self.texts.contains(text)
                    || is_in(&self.numbers)
                    || (self.has_true && text == "true")
                    || (self.has_false && text == "false")
            }
            Value::Array(_) | Value::Object(_) => false,
        }
    }
}

#[cfg(test)]
mod tests;
