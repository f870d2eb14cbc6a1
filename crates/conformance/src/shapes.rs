//! The closed shapes of answers, told member by member: operation results, batches, introspection.
//!
//! A value in; every way in which it is not of the shape out, each with its rule. Written from the requirements, not from the
//! published schemas.

pub(crate) mod batch;
pub(crate) mod introspection;
pub(crate) mod operation_result;

use serde_json::Value;

/// One way in which a value is not of its shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ShapeProblem {
    /// The rule.
    pub rule: &'static str,
    /// What is wrong, and where.
    pub problem: String,
}

/// What a member must be.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// Anything.
    Any,
    /// This very value.
    Is(bool),
    /// Nothing.
    Null,
    /// True or false.
    Bool,
    /// A text.
    Text,
    /// A text with something in it.
    Words,
    /// A text of this form, with a name for it.
    Form(fn(&str) -> bool, &'static str),
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// A whole number, not negative.
    Count,
    /// A number.
    Number,
    /// A number, not negative.
    Amount,
    /// An object that may hold anything.
    Open,
    /// A list of anything.
    List,
    /// A list of texts.
    Texts,
    /// A list whose items are of a shape.
    Each(&'static Shape),
    /// An object of a shape.
    Object(&'static Shape),
    /// Whatever this function makes of it.
    Checked(fn(&Value, &str, &mut Vec<ShapeProblem>)),
}

/// The shape of an object.
pub(crate) struct Shape {
    /// The rule that says so.
    pub rule: &'static str,
    /// Members that must be there.
    pub required: &'static [(&'static str, Kind)],
    /// Members that may be there.
    pub optional: &'static [(&'static str, Kind)],
    /// Other members may be there too.
    pub is_open: bool,
}

/// Every way in which a value is not of a shape.
pub(crate) fn shape_problems(value: &Value, shape: &'static Shape) -> Vec<ShapeProblem> {
    let mut found = Vec::new();
    object(value, "", shape, &mut found);
    found
}

/// Holds an object against a shape.
pub(crate) fn object(value: &Value, place: &str, shape: &'static Shape, found: &mut Vec<ShapeProblem>) {
    let Some(members) = value.as_object() else {
        return found.push(shape_problem(
            shape.rule,
            place,
            &format!("is {}, not an object", type_of(value)),
        ));
    };
    for (name, kind) in shape.required {
        match members.get(*name) {
            Some(member) => check(member, &inner(place, name), *kind, shape.rule, found),
            None => found.push(shape_problem(shape.rule, &inner(place, name), "is missing")),
        }
    }
    for (name, kind) in shape.optional {
        if let Some(member) = members.get(*name) {
            check(member, &inner(place, name), *kind, shape.rule, found);
        }
    }
    let is_known = |name: &str| shape.required.iter().chain(shape.optional).any(|(known, _)| *known == name);
    for name in members.keys().filter(|name| !shape.is_open && !is_known(name)) {
        found.push(shape_problem(shape.rule, &inner(place, name), "does not belong there"));
    }
}

fn check(value: &Value, place: &str, kind: Kind, rule: &'static str, found: &mut Vec<ShapeProblem>) {
    let expected = match kind {
        Kind::Any => return,
        Kind::Object(shape) => return object(value, place, shape, found),
        Kind::Each(shape) => {
            let Some(items) = value.as_array() else {
                return found.push(shape_problem(rule, place, &format!("is {}, not a list", type_of(value))));
            };
            for (index, item) in items.iter().enumerate() {
                object(item, &format!("{place}[{index}]"), shape, found);
            }
            return;
        }
        Kind::Checked(checked) => return checked(value, place, found),
        Kind::Is(wanted) if value != wanted => format!("{wanted}"),
        Kind::Null if !value.is_null() => "null".to_owned(),
        Kind::Bool if !value.is_boolean() => "true or false".to_owned(),
        Kind::Text if !value.is_string() => "a text".to_owned(),
        Kind::Words if value.as_str().is_none_or(|text| text.trim().is_empty()) => {
            "a text with words".to_owned()
        }
        Kind::Form(is_right, name) if !value.as_str().is_some_and(is_right) => name.to_owned(),
        Kind::OneOf(words) if !value.as_str().is_some_and(|text| words.contains(&text)) => {
            format!("one of {}", words.join(", "))
        }
        Kind::Count if value.as_u64().is_none() => "a whole number, not negative".to_owned(),
        Kind::Number if !value.is_number() => "a number".to_owned(),
        Kind::Amount if value.as_f64().is_none_or(|amount| amount < 0.0) => {
            "a number, not negative".to_owned()
        }
        Kind::Open if !value.is_object() => "an object".to_owned(),
        Kind::List if !value.is_array() => "a list".to_owned(),
        Kind::Texts if !value.as_array().is_some_and(|items| items.iter().all(Value::is_string)) => {
            "a list of texts".to_owned()
        }
        _ => return,
    };
    found.push(shape_problem(rule, place, &format!("is {value}, not {expected}")));
}

/// A problem in a place.
pub(crate) fn shape_problem(rule: &'static str, place: &str, problem: &str) -> ShapeProblem {
    let place = if place.is_empty() { "the answer" } else { place };
    ShapeProblem { rule, problem: format!("'{place}' {problem}") }
}

fn inner(place: &str, name: &str) -> String {
    if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// The form of public names: small letters, digits, underscores.
pub(crate) fn is_snake_case(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|each| each.is_ascii_lowercase() || each.is_ascii_digit() || each == '_')
}

/// The form of codes.
pub(crate) fn is_code(code: &str) -> bool {
    code.starts_with(|first: char| first.is_ascii_uppercase())
        && code.chars().all(|each| each.is_ascii_uppercase() || each.is_ascii_digit() || each == '_')
}

/// A point in time as `2026-02-04T10:30:00Z` or with an offset.
pub(crate) fn is_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = |range: std::ops::Range<usize>| {
        bytes.get(range).is_some_and(|part| part.iter().all(u8::is_ascii_digit))
    };
    digits(0..4)
        && digits(5..7)
        && digits(8..10)
        && digits(11..13)
        && digits(14..16)
        && digits(17..19)
        && matches!(bytes[10], b'T' | b't' | b' ')
        && (text.ends_with(['Z', 'z']) || text[19..].contains(['+', '-']))
}
