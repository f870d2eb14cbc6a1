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
pub(crate) enum Rank {
    Number(Number),
    Time(Timestamp),
    Text(String),
    Bool(bool),
    /// Objects and arrays: all in one place.
    Other,
}

impl Rank {
    /// The rank of a value; null has none.
    pub(crate) fn of(value: &Value) -> Option<Rank> {
        Some(match value {
            Value::Null => return None,
            Value::Bool(bool) => Rank::Bool(*bool),
            Value::String(text) => match instant(text) {
                Some(time) => Rank::Time(time),
                None => Rank::Text(text.clone()),
            },
            Value::Array(_) | Value::Object(_) => Rank::Other,
            Value::Number(_) => Rank::Number(Number::of(value)?),
        })
    }

    /// The order of two.
    pub(crate) fn compare(&self, other: &Rank) -> Ordering {
        match (self, other) {
            (Rank::Number(a), Rank::Number(b)) => a.compare(*b),
            (Rank::Time(a), Rank::Time(b)) => a.cmp(b),
            (Rank::Text(a), Rank::Text(b)) => a.cmp(b),
            (Rank::Bool(a), Rank::Bool(b)) => a.cmp(b),
            (a, b) => a.class().cmp(&b.class()),
        }
    }

    fn class(&self) -> u8 {
        match self {
            Rank::Number(_) => 0,
            Rank::Time(_) => 1,
            Rank::Text(_) => 2,
            Rank::Bool(_) => 3,
            Rank::Other => 4,
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
