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
mod tests {
    use super::{AnyOf, Scalar};
    use proptest::prelude::{Just, Strategy, any, prop_oneof};
    use proptest::{collection, prop_assert_eq, proptest};
    use serde_json::{Value, json};
    use std::borrow::Cow;

    fn scalar() -> impl Strategy<Value = Value> {
        prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (-2_i64..3).prop_map(Value::from),
            (-4_i64..6).prop_map(|halves| json!(halves as f64 / 2.0)),
            proptest::sample::select(vec![json!(1e20), json!(u64::MAX), json!(18_446_744_073_709_551_616.0)]),
            proptest::sample::select(vec![
                "true", "false", "null", "1", "1.0", "01", "-2", "1e20", "0.5", "a", ""
            ])
            .prop_map(Value::from),
        ]
    }

    proptest! {
        /// The same as comparing with each of them.
        #[test]
        fn as_one_by_one(wanted in collection::vec(scalar(), 1..6), found in scalar()) {
            let values: Vec<_> = wanted.iter().map(|value| Scalar::new(Cow::Owned(value.clone()))).collect();
            let found = Scalar::new(Cow::Borrowed(&found));
            let expected = values.iter().any(|value| value.equals(&found));
            prop_assert_eq!(AnyOf::of(values).has(&found), expected);
        }
    }
}
