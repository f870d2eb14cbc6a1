//! The order of values: for sorting, for the smallest and the largest, and for comparing two.
//!
//! In: JSON values. Out: ranks, made once for each value and then compared without reading anything again. Numbers
//! come first, then texts that are timestamps (by the instant they name), other texts (by code points), booleans,
//! objects and arrays. The order has no contradictions whatever is mixed.

use crate::instant::instant;
use crate::number::Number;
use jiff::Timestamp;
use serde_json::Value;
use std::cmp::Ordering;

/// The place of a value among others.
#[derive(Debug, Clone)]
pub(crate) enum ValueRank {
    Number(Number),
    Time(Timestamp),
    Text(String),
    Bool(bool),
    /// Objects and arrays: all in one place.
    Other,
}

impl ValueRank {
    /// The rank of a value; null has none.
    pub(crate) fn of(value: &Value) -> Option<ValueRank> {
        Some(match value {
            Value::Null => return None,
            Value::Bool(bool) => ValueRank::Bool(*bool),
            Value::String(text) => match instant(text) {
                Some(time) => ValueRank::Time(time),
                None => ValueRank::Text(text.clone()),
            },
            Value::Array(_) | Value::Object(_) => ValueRank::Other,
            Value::Number(_) => ValueRank::Number(Number::of(value)?),
        })
    }

    /// The order of two.
    pub(crate) fn compare(&self, other: &ValueRank) -> Ordering {
        match (self, other) {
            (ValueRank::Number(a), ValueRank::Number(b)) => a.compare(*b),
            (ValueRank::Time(a), ValueRank::Time(b)) => a.cmp(b),
            (ValueRank::Text(a), ValueRank::Text(b)) => a.cmp(b),
            (ValueRank::Bool(a), ValueRank::Bool(b)) => a.cmp(b),
            (a, b) => a.class().cmp(&b.class()),
        }
    }

    fn class(&self) -> u8 {
        match self {
            ValueRank::Number(_) => 0,
            ValueRank::Time(_) => 1,
            ValueRank::Text(_) => 2,
            ValueRank::Bool(_) => 3,
            ValueRank::Other => 4,
        }
    }
}

/// The order of two numbers or two texts; nothing for anything else. Two texts are compared as instants when both
/// are.
pub(crate) fn comparable(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Number(_), Value::Number(_)) => Some(Number::of(left)?.compare(Number::of(right)?)),
        (Value::String(left), Value::String(right)) => Some(match (instant(left), instant(right)) {
            (Some(left), Some(right)) => left.cmp(&right),
            _ => left.cmp(right),
        }),
        _ => None,
    }
}

/// True when two scalars are the same: numbers by what they are worth, everything else as it is written.
pub(crate) fn same(left: &Value, right: &Value) -> bool {
    match (Number::of(left), Number::of(right)) {
        (Some(left), Some(right)) => left.compare(right) == Ordering::Equal,
        _ => left == right,
    }
}

#[cfg(test)]
mod tests;
