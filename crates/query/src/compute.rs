//! Computed fields: what an adapter lets us work out for each item (computed-fields document; no code, no loops).
//!
//! In: a declared field, an item's text, the time. Out: a value; null where something is missing, cannot be used, or
//! is divided by zero. Where a path leads through arrays, `count` counts what it finds, a template joins it with
//! commas, and everything else wants exactly one value.

use crate::instant::instant;
use crate::item::{FoundValue, find};
use crate::number::Number;
use crate::order::{comparable, same};
use aqueduct_operations::response::{
    Comparison, ComputedExpression, ComputedField, FieldPath, Operand, Operator, Template, TemplatePiece,
};
use jiff::Timestamp;
use serde_json::{Map, Value};

/// Numbers from here on are times in milliseconds: in seconds this is the year 5138.
const FIRST_MILLISECOND: i128 = 100_000_000_000;

/// The value of a computed field.
pub fn value(computed: &ComputedField, item: &str, now: Timestamp) -> Value {
    let result = match &computed.value {
        ComputedExpression::AgeDays(path) => {
            hours_since(item, path, now).map(|hours| Value::from(hours / 24))
        }
        ComputedExpression::AgeHours(path) => hours_since(item, path, now).map(Value::from),
        ComputedExpression::Count(path) => count(&find(item, path)).map(Value::from),
        ComputedExpression::Template(template) => fill(template, item).map(Value::from),
        ComputedExpression::Arithmetic(operator, operands) => {
            calculate(*operator, operands, item).map(Number::to_json)
        }
        ComputedExpression::Compare(comparison, left, right) => {
            compare(*comparison, left, right, item).map(Value::from)
        }
        ComputedExpression::Exists(path) => Some(Value::from(find(item, path).exists())),
    };
    result.unwrap_or_default()
}

/// The text of the object `_computed` with these fields.
pub fn computed_member(fields: &[ComputedField], item: &str, now: Timestamp) -> String {
    let members: Map<String, Value> =
        fields.iter().map(|computed| (computed.name.clone(), value(computed, item, now))).collect();
    Value::Object(members).to_string()
}

/// The one value at a path.
fn single(item: &str, path: &FieldPath) -> Option<Value> {
    let mut found = find(item, path);
    if found.values.len() > 1 {
        return None;
    }
    found.values.pop().filter(|value| !value.is_null())
}

/// Whole hours; negative for what is still to come. A number is a time in seconds, or milliseconds, since 1970.
fn hours_since(item: &str, path: &FieldPath, now: Timestamp) -> Option<i64> {
    let then = match single(item, path)? {
        Value::String(text) => instant(&text)?,
        number => match Number::of(&number)? {
            Number::Whole(millis) if millis.abs() >= FIRST_MILLISECOND => {
                Timestamp::from_millisecond(i64::try_from(millis).ok()?).ok()?
            }
            seconds => Timestamp::from_second(seconds.as_float() as i64).ok()?,
        },
    };
    Some(now.duration_since(then).as_hours())
}

fn count(found: &FoundValue) -> Option<u64> {
    if found.through_array {
        return Some(found.elements().filter(|value| !value.is_null()).count() as u64);
    }
    let size = match found.values.first()? {
        Value::Array(elements) => elements.len(),
        Value::Object(members) => members.len(),
        Value::String(text) => text.chars().count(),
        _ => return None,
    };
    Some(size as u64)
}

fn fill(template: &Template, item: &str) -> Option<String> {
    let mut text = String::new();
    for piece in &template.0 {
        match piece {
            TemplatePiece::Literal(literal) => text.push_str(literal),
            TemplatePiece::Value(path) => text.push_str(&joined(&find(item, path))?),
        }
    }
    Some(text)
}

fn joined(found: &FoundValue) -> Option<String> {
    let parts: Vec<String> = found.elements().filter(|value| !value.is_null()).map(plain_text).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// A text as it is, everything else as JSON.
pub(crate) fn plain_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn operand(operand: &Operand, item: &str) -> Option<Value> {
    match operand {
        Operand::Path(path) => single(item, path),
        Operand::Number(number) => Some(Number::from_float(*number).to_json()),
    }
}

fn calculate(operator: Operator, operands: &[Operand], item: &str) -> Option<Number> {
    let mut numbers = operands.iter().map(|each| operand(each, item).as_ref().and_then(Number::of));
    let first = numbers.next()??;
    numbers.try_fold(first, |left, right| apply(operator, left, right?))
}

/// Whole numbers stay whole where they can.
fn apply(operator: Operator, left: Number, right: Number) -> Option<Number> {
    if let (Number::Whole(left), Number::Whole(right)) = (left, right) {
        let exact = match operator {
            Operator::Add => left.checked_add(right),
            Operator::Sub => left.checked_sub(right),
            Operator::Mul => left.checked_mul(right),
            Operator::Div => (right != 0 && left % right == 0).then(|| left / right),
        };
        if let Some(exact) = exact {
            return Some(Number::Whole(exact));
        }
    }
    let (left, right) = (left.as_float(), right.as_float());
    let result = match operator {
        Operator::Add => left + right,
        Operator::Sub => left - right,
        Operator::Mul => left * right,
        Operator::Div => left / right,
    };
    result.is_finite().then_some(Number::Float(result))
}

fn compare(comparison: Comparison, left: &Operand, right: &Operand, item: &str) -> Option<bool> {
    let (left, right) = (operand(left, item)?, operand(right, item)?);
    match comparison {
        Comparison::Equal => Some(same(&left, &right)),
        Comparison::Greater => comparable(&left, &right).map(|order| order.is_gt()),
        Comparison::Less => comparable(&left, &right).map(|order| order.is_lt()),
    }
}

#[cfg(test)]
mod tests;
