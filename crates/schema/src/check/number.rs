//! Numbers as schemas compare them: by what they are worth, whole or not.
//!
//! JSON numbers in; their order, and whether one is a multiple of another, out. No rounding decides.

use serde_json::Number;
use std::cmp::Ordering;

/// True when the number has no fraction.
pub(super) fn is_whole(number: &Number) -> bool {
    !number.is_f64() || number.as_f64().is_some_and(|float| float.fract() == 0.0)
}

/// The order of two numbers.
pub(super) fn compare(left: &Number, right: &Number) -> Ordering {
    match (whole(left), whole(right)) {
        (Some(left), Some(right)) => left.cmp(&right),
        (Some(left), None) => whole_against(left, float(right)),
        (None, Some(right)) => whole_against(right, float(left)).reverse(),
        (None, None) => float(left).partial_cmp(&float(right)).unwrap_or(Ordering::Equal),
    }
}

/// True when the number is this many times something.
pub(super) fn is_multiple(number: &Number, of: &Number) -> bool {
    if let (Some(number), Some(of)) = (whole(number), whole(of)) {
        return of != 0 && number % of == 0;
    }
    if let (Some(number), Some(of)) = (decimal(number), decimal(of))
        && let Some(answer) = divides(&number, &of)
    {
        return answer;
    }
    let (number, of) = (float(number), float(of));
    number == 0.0 || (number / of).fract() == 0.0
}

/// The whole number, where no digit is in doubt.
pub(super) fn whole(number: &Number) -> Option<i128> {
    number.as_i128().or_else(|| {
        let float = number.as_f64()?;
        (float.fract() == 0.0 && float.abs() < 1e38).then_some(float as i128)
    })
}

fn float(number: &Number) -> f64 {
    number.as_f64().unwrap_or(f64::INFINITY)
}

/// The order of a whole number and another one: cutting the fraction off decides all but ties.
pub fn whole_against(whole: i128, float: f64) -> Ordering {
    if float >= i128::MAX as f64 {
        return Ordering::Less;
    }
    if float < i128::MIN as f64 {
        return Ordering::Greater;
    }
    let tie = if float.fract() == 0.0 { Ordering::Equal } else { Ordering::Less };
    whole.cmp(&(float.floor() as i128)).then(tie)
}

/// The digits of a number as it is written, and how many of them are behind the point.
struct Decimal {
    digits: i128,
    places: i32,
}

fn decimal(number: &Number) -> Option<Decimal> {
    let text = number.to_string();
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((&text, "0"));
    let (before, behind) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: i128 = format!("{before}{behind}").parse().ok()?;
    let exponent: i32 = exponent.parse().ok()?;
    Some(Decimal { digits, places: i32::try_from(behind.len()).ok()?.checked_sub(exponent)? })
}

fn divides(number: &Decimal, of: &Decimal) -> Option<bool> {
    let shared = number.places.min(of.places);
    let scaled = |digits: i128, places: i32| {
        let places = u32::try_from(places.checked_sub(shared)?).ok()?;
        digits.checked_mul(10_i128.checked_pow(places)?)
    };
    let (number, of) = (scaled(number.digits, of.places)?, scaled(of.digits, number.places)?);
    (of != 0).then(|| number % of == 0)
}
