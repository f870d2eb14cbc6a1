//! Numbers of JSON, compared and added without losing digits.
//!
//! In: JSON numbers. Out: an exact order over all of them, whole or not, and sums that stay whole while they can.

use aqueduct_schema::whole_against;
use serde_json::{Number as JsonNumber, Value};
use std::cmp::Ordering;

/// Beyond this a float cannot distinguish neighbouring whole numbers.
const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;

/// A number: whole as long as it can be.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Number {
    Whole(i128),
    Float(f64),
}

impl PartialEq for Number {
    fn eq(&self, other: &Number) -> bool {
        self.compare(*other) == Ordering::Equal
    }
}

/// What is the same for two numbers exactly when they are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum NumberIdentity {
    Whole(i128),
    Float(u64),
}

impl Number {
    /// What distinguishes it from all other numbers.
    pub(crate) fn identity(self) -> NumberIdentity {
        match self {
            Number::Whole(whole) => NumberIdentity::Whole(whole),
            Number::Float(float) if float.fract() == 0.0 && float.abs() < i128::MAX as f64 => {
                NumberIdentity::Whole(float as i128)
            }
            Number::Float(float) => NumberIdentity::Float(float.to_bits()),
        }
    }

    /// The number in a JSON value, if it is one.
    pub(crate) fn of(value: &Value) -> Option<Number> {
        let Value::Number(number) = value else { return None };
        if let Some(whole) = number.as_i128() {
            return Some(Number::Whole(whole));
        }
        number.as_f64().map(Number::from_float)
    }

    /// This float; whole where it is one and no digit is in doubt.
    pub(crate) fn from_float(float: f64) -> Number {
        if float.fract() == 0.0 && float.abs() <= LARGEST_EXACT {
            Number::Whole(float as i128)
        } else {
            Number::Float(float)
        }
    }

    /// The nearest float.
    pub(crate) fn as_float(self) -> f64 {
        match self {
            Number::Whole(whole) => whole as f64,
            Number::Float(float) => float,
        }
    }

    /// The order of the numbers themselves: no rounding decides.
    pub(crate) fn compare(self, other: Number) -> Ordering {
        match (self, other) {
            (Number::Whole(a), Number::Whole(b)) => a.cmp(&b),
            (Number::Float(a), Number::Float(b)) => a.total_cmp(&b),
            (Number::Whole(a), Number::Float(b)) => whole_against(a, b),
            (Number::Float(a), Number::Whole(b)) => whole_against(b, a).reverse(),
        }
    }

    /// The number as JSON: null where JSON has no word for it.
    pub(crate) fn to_json(self) -> Value {
        match self {
            Number::Whole(whole) => match JsonNumber::from_i128(whole) {
                Some(number) => Value::Number(number),
                None => Value::from(whole as f64),
            },
            Number::Float(float) => match Number::from_float(float) {
                Number::Whole(whole) => Value::from(whole as i64),
                Number::Float(float) => Value::from(float),
            },
        }
    }
}

/// A sum that stays whole while all its terms are, and otherwise keeps what rounding would lose (after Neumaier).
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sum {
    whole: i128,
    float: f64,
    lost: f64,
    terms: u64,
    not_whole: bool,
}

impl Sum {
    /// One term more.
    pub(crate) fn add(&mut self, term: Number) {
        self.terms += 1;
        if let Number::Whole(whole) = term
            && let Some(sum) = self.whole.checked_add(whole)
        {
            self.whole = sum;
            return;
        }
        self.add_float(term.as_float());
    }

    /// The terms of another sum more.
    pub(crate) fn join(&mut self, other: &Sum) {
        let terms = self.terms + other.terms;
        if other.not_whole {
            self.add_float(other.float);
            self.lost += other.lost;
        }
        self.add(Number::Whole(other.whole));
        self.terms = terms;
    }

    fn add_float(&mut self, term: f64) {
        self.not_whole = true;
        let sum = self.float + term;
        self.lost += if self.float.abs() >= term.abs() {
            (self.float - sum) + term
        } else {
            (term - sum) + self.float
        };
        self.float = sum;
    }

    /// The sum; zero of nothing.
    pub(crate) fn total(&self) -> Number {
        if self.not_whole {
            Number::Float(self.whole as f64 + (self.float + self.lost))
        } else {
            Number::Whole(self.whole)
        }
    }

    /// The mean, if there was a term.
    pub(crate) fn mean(&self) -> Option<Number> {
        (self.terms > 0).then(|| Number::Float(self.total().as_float() / self.terms as f64))
    }
}

#[cfg(test)]
mod tests;
