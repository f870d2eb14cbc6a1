//! One condition upon what a key finds.
//!
//! In: the value beside a key of `filter`. Out: conditions, and whether they hold for the values found.

use super::any_of::AnyOf;
use super::scalar::Scalar;
use crate::error::{ParseResult, QueryError, all};
use crate::item::FoundValue;
use crate::search::fold;
use serde_json::Value;
use std::borrow::Cow;
use std::cmp::Ordering;

/// The operators, as errors list them.
const OPERATORS: &str = "one of eq, ne, in, gt, gte, lt, lte, contains, exists";
/// The most values in one list.
const MOST_VALUES: usize = 1000;
const SCALAR: &str = "string, number, boolean or null";

/// What must be true.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum FilterCondition {
    /// Equal to one of these.
    AnyOf(AnyOf),
    /// Equal to none of these.
    NoneOf(AnyOf),
    /// On this side of a number or text.
    Bound(ValueBound, ComparedWith),
    /// Has this text in it, or this element. A text is in lower case.
    Contains(ComparedWith),
    /// There, and not null; or the opposite.
    Exists(bool),
}

/// A value of the request.
pub(super) type ComparedWith = Scalar<'static>;

fn wanted(value: &Value) -> ComparedWith {
    Scalar::new(Cow::Owned(value.clone()))
}

fn found_scalar(value: &Value) -> Scalar<'_> {
    Scalar::new(Cow::Borrowed(value))
}

/// A side of a number or text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueBound {
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
}

impl ValueBound {
    fn admits(self, order: Ordering) -> bool {
        match self {
            ValueBound::Greater => order.is_gt(),
            ValueBound::GreaterOrEqual => order.is_ge(),
            ValueBound::Less => order.is_lt(),
            ValueBound::LessOrEqual => order.is_le(),
        }
    }
}

impl FilterCondition {
    /// Reads what stands beside a key.
    pub(super) fn parse(place: &str, value: &Value) -> ParseResult<Vec<FilterCondition>> {
        let Value::Object(operators) = value else {
            let choice = alternatives(place, value).map_err(|error| vec![error])?;
            return Ok(vec![FilterCondition::AnyOf(choice)]);
        };
        if operators.is_empty() {
            return Err(vec![QueryError::bad_value(place, OPERATORS, "an empty object")]);
        }
        all(operators.iter().map(|(operator, operand)| {
            FilterCondition::operator(place, operator, operand).map_err(|error| vec![error])
        }))
    }

    fn operator(place: &str, operator: &str, operand: &Value) -> Result<FilterCondition, QueryError> {
        let param = format!("{place}.{operator}");
        let bound = |bound: ValueBound| match operand {
            Value::Number(_) | Value::String(_) => Ok(FilterCondition::Bound(bound, wanted(operand))),
            other => Err(QueryError::wrong_type(&param, "number or string", other)),
        };
        match operator {
            "eq" => Ok(FilterCondition::AnyOf(alternatives(&param, operand)?)),
            "ne" => Ok(FilterCondition::NoneOf(alternatives(&param, operand)?)),
            "in" if operand.is_array() => Ok(FilterCondition::AnyOf(alternatives(&param, operand)?)),
            "in" => Err(QueryError::wrong_type(&param, "array", operand)),
            "gt" => bound(ValueBound::Greater),
            "gte" => bound(ValueBound::GreaterOrEqual),
            "lt" => bound(ValueBound::Less),
            "lte" => bound(ValueBound::LessOrEqual),
            "contains" if is_scalar(operand) && !operand.is_null() => {
                Ok(FilterCondition::Contains(match operand {
                    Value::String(text) => wanted(&fold(text).into()),
                    other => wanted(other),
                }))
            }
            "contains" => Err(QueryError::wrong_type(&param, "string, number or boolean", operand)),
            "exists" => match operand {
                Value::Bool(wanted) => Ok(FilterCondition::Exists(*wanted)),
                other => Err(QueryError::wrong_type(&param, "boolean", other)),
            },
            _ => Err(QueryError::unknown(place, operator, OPERATORS)
                .with_hint("To reach into an object, put dots into the key: 'owner.login'.")),
        }
    }

    /// Whether it is true of what was found.
    pub(super) fn holds(&self, found: &FoundValue) -> bool {
        match self {
            FilterCondition::AnyOf(choice) => equals_any(found, choice),
            FilterCondition::NoneOf(choice) => !equals_any(found, choice),
            FilterCondition::Bound(bound, limit) => found
                .elements()
                .any(|value| found_scalar(value).order(limit).is_some_and(|order| bound.admits(order))),
            FilterCondition::Contains(wanted) => found.values.iter().any(|value| contains(value, wanted)),
            FilterCondition::Exists(wanted) => found.exists() == *wanted,
        }
    }
}

/// One scalar, or a list of them.
fn alternatives(param: &str, value: &Value) -> Result<AnyOf, QueryError> {
    match value {
        Value::Array(values) if values.is_empty() => {
            Err(QueryError::bad_value(param, "one or more values", "an empty array"))
        }
        Value::Array(values) if values.len() > MOST_VALUES => {
            Err(QueryError::too_many(param, MOST_VALUES, values.len(), "values"))
        }
        Value::Array(values) => match values.iter().position(|value| !is_scalar(value)) {
            Some(index) => Err(QueryError::wrong_type(format!("{param}.{index}"), SCALAR, &values[index])),
            None => Ok(AnyOf::of(values.iter().map(wanted).collect())),
        },
        Value::Object(_) => Err(QueryError::wrong_type(param, SCALAR, value)),
        scalar => Ok(AnyOf::of(vec![wanted(scalar)])),
    }
}

fn is_scalar(value: &Value) -> bool {
    !value.is_array() && !value.is_object()
}

fn equals_any(found: &FoundValue, choice: &AnyOf) -> bool {
    if found.values.is_empty() {
        return choice.has_null();
    }
    found.elements().map(found_scalar).any(|element| choice.has(&element))
}

/// A text has a part of it, an array an element that is it, both whatever the case.
fn contains(value: &Value, wanted: &ComparedWith) -> bool {
    match (value, wanted.value()) {
        (Value::String(text), Value::String(part)) => fold(text).contains(part.as_str()),
        (Value::Array(elements), wanted_value) => {
            elements.iter().any(|element| match (element, wanted_value) {
                (Value::String(element), Value::String(wanted)) => fold(element) == *wanted,
                (element, _) => found_scalar(element).equals(wanted),
            })
        }
        _ => false,
    }
}
