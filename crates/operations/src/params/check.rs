//! Every problem of a value against a shape. Used for the values of requests and for the defaults, enums and examples
//! of adapter files, so that both are judged by the same rules.

use super::Param;
use super::shape::{Shape, ValueKind, type_name};
use aqueduct_schema::pattern::PatternMatch;
use aqueduct_schema::{Meter, WorkStop};
use serde_json::{Number, Value};

/// Integers beyond this lose digits in many JSON readers (core specification, section 4.7.3).
const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

/// Problems that are reported of one value, and options that are named in one of them: no one reads more.
const MOST_PROBLEMS: usize = 1_000;
const SHOWN_OPTIONS: usize = 100;

/// The name of the constraint that numbers keep all their digits.
pub const INTEGER_RANGE: &str = "integer range";

/// One thing that is wrong with a value.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueProblem {
    /// The place inside the value, such as `[2]`; empty for the value itself.
    pub place: String,
    /// Which rule is broken.
    pub rule: BrokenRule,
    /// What was expected, in words.
    pub expected: String,
    /// The JSON type, or the value, that was found.
    pub received: String,
}

/// Which rule a value breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BrokenRule {
    /// The type.
    Type,
    /// A constraint, named as in the file.
    Constraint(&'static str),
}

/// All problems of a parameter's value: by its schema when it has one, else by its shape.
pub fn of_param(param: &Param, value: &Value) -> Vec<ValueProblem> {
    of_param_within(param, value, &Meter::default())
}

/// The same within the steps of a meter. That they did not suffice is a problem too; the meter knows of it.
pub fn of_param_within(param: &Param, value: &Value, meter: &Meter) -> Vec<ValueProblem> {
    let Some(schema) = &param.schema else { return problems_within(&param.shape, value, meter) };
    let found = match schema.get().problems_within(value, meter) {
        Ok(found) => found,
        Err(stop) => return vec![unfinished(stop)],
    };
    found
        .into_iter()
        .map(|problem| ValueProblem {
            rule: rule_of(&problem.keyword),
            place: if problem.place.is_empty() || problem.place.starts_with('[') {
                problem.place
            } else {
                format!(".{}", problem.place)
            },
            expected: problem.expected,
            received: problem.received,
        })
        .collect()
}

/// The rule that a keyword of JSON Schema stands for.
fn rule_of(keyword: &str) -> BrokenRule {
    const KEYWORDS: [&str; 20] = [
        "enum",
        "const",
        "required",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "pattern",
        "format",
        "minItems",
        "maxItems",
        "uniqueItems",
        "contains",
        "additionalProperties",
        "anyOf",
        "oneOf",
        "not",
    ];
    match keyword {
        "type" => BrokenRule::Type,
        other => {
            BrokenRule::Constraint(KEYWORDS.into_iter().find(|known| *known == other).unwrap_or("schema"))
        }
    }
}

/// A whole number of up to 64 bits that came as text, because it is too large for many writers of JSON. Smaller ones are
/// no reason to write text.
pub fn large_integer(kind: &ValueKind, text: &str) -> Option<Value> {
    let takes = |kind: &ValueKind| matches!(kind, ValueKind::Integer);
    let is_wanted = match kind {
        ValueKind::Union(kinds) => kinds.iter().any(takes) && !kind.takes_text(),
        kind => takes(kind),
    };
    let number = if is_wanted { text.parse::<i64>().map(Value::from).ok() } else { return None };
    let number = number.or_else(|| text.parse::<u64>().ok().map(Value::from))?;
    let is_plain =
        text.strip_prefix('-').unwrap_or(text).starts_with(|digit: char| ('1'..='9').contains(&digit));
    (is_plain && number.as_f64().is_some_and(|float| float.abs() > MAX_SAFE_INTEGER)).then_some(number)
}

/// All problems of a value, outermost first.
pub fn problems(shape: &Shape, value: &Value) -> Vec<ValueProblem> {
    problems_within(shape, value, &Meter::default())
}

fn problems_within(shape: &Shape, value: &Value, meter: &Meter) -> Vec<ValueProblem> {
    let mut found = Vec::new();
    match collect(shape, value, "", meter, &mut found) {
        Ok(()) => found,
        Err(stop) => vec![unfinished(stop)],
    }
}

/// The problem of a value whose check was not finished.
fn unfinished(stop: WorkStop) -> ValueProblem {
    ValueProblem {
        place: String::new(),
        rule: BrokenRule::Constraint("work"),
        expected: "a value that can be checked within the steps of a call".to_owned(),
        received: stop.to_string(),
    }
}

fn collect(
    shape: &Shape,
    value: &Value,
    place: &str,
    meter: &Meter,
    found: &mut Vec<ValueProblem>,
) -> Result<(), WorkStop> {
    meter.spend(1 + shape.allowed.as_ref().map_or(0, Vec::len) as u64)?;
    if found.len() >= MOST_PROBLEMS {
        return Ok(());
    }
    if !shape.kind.accepts(value) {
        type_problems(&shape.kind, value, place, found);
        return Ok(());
    }
    let mut broken = BrokenConstraints { place, found };
    broken.by_options(shape, value);
    match value {
        Value::Number(number) => broken.by_number(shape, number),
        Value::String(text) => broken.by_text(shape, text, meter)?,
        _ => {}
    }
    if let (Value::Array(elements), Some(items)) = (value, &shape.items) {
        for (index, element) in elements.iter().enumerate() {
            collect(items, element, &format!("{place}[{index}]"), meter, found)?;
        }
    }
    Ok(())
}

/// The constraints that a value of the right type breaks, and its place.
struct BrokenConstraints<'f> {
    place: &'f str,
    found: &'f mut Vec<ValueProblem>,
}

impl BrokenConstraints<'_> {
    fn add(&mut self, name: &'static str, expected: String, received: String) {
        let rule = BrokenRule::Constraint(name);
        self.found.push(ValueProblem { place: self.place.to_owned(), rule, expected, received });
    }

    fn by_options(&mut self, shape: &Shape, value: &Value) {
        let Some(allowed) = &shape.allowed else { return };
        if allowed.iter().any(|each| same(each, value)) {
            return;
        }
        let names: Vec<String> = allowed.iter().take(SHOWN_OPTIONS).map(plain).collect();
        let more = match allowed.len() - names.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        self.add("enum", format!("one of {}{more}", names.join(", ")), plain(value));
    }

    fn by_number(&mut self, shape: &Shape, number: &Number) {
        let Some(float) = number.as_f64() else { return };
        if let Some(minimum) = shape.minimum.filter(|minimum| float < *minimum) {
            self.add("minimum", format!("{minimum} or more"), number.to_string());
        }
        if let Some(maximum) = shape.maximum.filter(|maximum| float > *maximum) {
            self.add("maximum", format!("{maximum} or less"), number.to_string());
        }
        // The caller may have rounded it already.
        let is_integer = !number.is_f64() || shape.kind == ValueKind::Integer;
        if is_integer && float.abs() > MAX_SAFE_INTEGER {
            let expected =
                "an integer between -9007199254740991 and 9007199254740991 (larger ones travel as strings)";
            self.add(INTEGER_RANGE, expected.to_owned(), number.to_string());
        }
    }

    fn by_text(&mut self, shape: &Shape, text: &str, meter: &Meter) -> Result<(), WorkStop> {
        let length = text.chars().count() as u64;
        if let Some(min) = shape.min_length.filter(|min| length < *min) {
            self.add("minLength", format!("{min} or more characters"), format!("{length} characters"));
        }
        if let Some(max) = shape.max_length.filter(|max| length > *max) {
            self.add("maxLength", format!("{max} or fewer characters"), format!("{length} characters"));
        }
        if let Some(pattern) = &shape.pattern {
            match pattern.matches(text, meter)? {
                PatternMatch::Yes | PatternMatch::Unknown => {}
                PatternMatch::No => {
                    self.add("pattern", format!("text matching {pattern}"), plain(&text.into()))
                }
                PatternMatch::Undecided => self.add(
                    "pattern",
                    "a text short enough for its pattern, which takes too long with this one".to_owned(),
                    format!("{length} characters"),
                ),
            }
        }
        if let Some(format) = shape.format.as_ref().filter(|format| !format.accepts(text)) {
            self.add("format", format.expectation().to_owned(), plain(&text.into()));
        }
        Ok(())
    }
}

/// Points to each element that does not fit when the value is a list of the wrong things.
fn type_problems(kind: &ValueKind, value: &Value, place: &str, found: &mut Vec<ValueProblem>) {
    if let (ValueKind::Array(Some(element)), Value::Array(values)) = (kind, value) {
        for (index, wrong) in values.iter().enumerate().filter(|(_, each)| !element.accepts(each)) {
            type_problems(element, wrong, &format!("{place}[{index}]"), found);
        }
        return;
    }
    found.push(ValueProblem {
        place: place.to_owned(),
        rule: BrokenRule::Type,
        expected: kind.to_string(),
        received: type_name(value).to_owned(),
    });
}

/// Numbers are equal by value, so that `1.0` is in the enum `[1, 2]`.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        _ => a == b,
    }
}

/// A value as a person would write it in a sentence, kept short.
fn plain(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match text.char_indices().nth(60) {
        Some((cut, _)) => format!("{}...", &text[..cut]),
        None => text,
    }
}

#[cfg(test)]
mod tests;
