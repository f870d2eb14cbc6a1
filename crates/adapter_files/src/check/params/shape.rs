//! The type of a parameter and its constraints, each held against the type.
//!
//! A definition in; a shape, and every constraint, default or enum value that cannot hold, out.

use super::file_budget::{FileBudget, PatternProblem};
use crate::keys::PARAM_CONSTRAINTS;
use aqueduct_documents::NodeValue;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, quoted, shortened};
use aqueduct_operations::params::check::{BrokenRule, problems};
use aqueduct_operations::params::format::Format;
use aqueduct_operations::params::{Shape, ValueKind};
use aqueduct_schema::Pattern;
use serde_json::Value as Json;

/// What the constraints beside a type are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::check) enum ConstraintRole {
    /// Values are held against them.
    Binding,
    /// They say in short what a schema, or an API, holds values against.
    Short,
}

/// Reads `type` and the constraints beside it.
pub(in crate::check) fn of(
    at: &NodeCursor<'_>,
    words: ConstraintRole,
    budget: &FileBudget,
    found: &mut Findings<'_>,
) -> Option<Shape> {
    let kind = match (words, at.get("type"), at.get("schema")) {
        (ConstraintRole::Short, None, Some(schema)) => kind_of_schema(&schema.node.to_json()),
        _ => kind(at, found)?,
    };
    let mut shape = Shape::of(kind);
    shape.reference = at.owned_text("type_name");
    shape.minimum = at.number("minimum");
    shape.maximum = at.number("maximum");
    let length = |key| at.whole(key).and_then(|length| u64::try_from(length).ok());
    shape.min_length = length("minLength");
    shape.max_length = length("maxLength");
    shape.format = at.text("format").map(Format::parse);
    if let (ConstraintRole::Binding, Some(Format::Other(name)), Some(place)) =
        (words, &shape.format, at.get("format"))
    {
        warn_of_format(name, &place, found);
    }
    if let (Some(pattern), Some(place)) = (at.text("pattern"), at.get("pattern")) {
        shape.pattern = match words {
            ConstraintRole::Binding => compile(pattern, &place, budget, found),
            ConstraintRole::Short => budget.compile(pattern).ok(),
        };
    }
    if let Some(items) = at.get("items") {
        shape.items = of(&items, words, budget, found).map(Box::new);
    }
    if words == ConstraintRole::Short {
        let values = at.get("enum").filter(|place| !place.node.elements().is_empty());
        shape.allowed = values.map(|place| place.node.elements().iter().map(|node| node.to_json()).collect());
        return Some(shape);
    }
    let fits = check_fit(&shape, at, found);
    let ordered = check_order(&shape, at, found);
    if fits && ordered {
        shape.allowed = allowed(&shape, at, found);
    }
    Some(shape)
}

/// The types that a schema names; anything when it names none.
fn kind_of_schema(schema: &Json) -> ValueKind {
    let named = |value: &Json| value.as_str().and_then(ValueKind::parse);
    let mut kinds: Vec<ValueKind> = match schema.get("type") {
        Some(Json::Array(types)) => types.iter().filter_map(named).collect(),
        Some(other) => named(other).into_iter().collect(),
        None => Vec::new(),
    };
    match kinds.len() {
        0 => ValueKind::Union(ValueKind::NAMES.iter().filter_map(|name| ValueKind::parse(name)).collect()),
        1 => kinds.remove(0),
        _ => ValueKind::Union(kinds),
    }
}

fn kind(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<ValueKind> {
    const EXPECTED: &str = "string, integer, number, boolean, array, object, T[] or A | B";
    let Some(place) = at.get("type") else {
        if !matches!(at.node.value, NodeValue::Map(_)) {
            return None;
        }
        at.missing_key("type", "Parameter type is required").expected(EXPECTED).add_to(found);
        return None;
    };
    let text = place.node.filled_text()?;
    // A type of a thousand brackets is no type, and would be followed to its end each time.
    let kind = if text.len() <= 200 { ValueKind::parse(text) } else { None };
    if kind.is_none() {
        let hint = match text {
            "int" | "long" => Some("write integer".to_owned()),
            "float" | "double" | "decimal" => Some("write number".to_owned()),
            "bool" => Some("write boolean".to_owned()),
            "date" | "datetime" | "uuid" | "email" => Some("write string, and name the format".to_owned()),
            other => found.nearest(other, ValueKind::NAMES),
        };
        place
            .error("INVALID_VALUE", "This is not a parameter type")
            .expected(EXPECTED)
            .received(quoted(text))
            .maybe_hint(hint)
            .add_to(found);
    }
    kind
}

/// Other words for formats that are checked: anyone who writes one expects a check that does not happen.
const FORMATS_ELSEWHERE: &[(&str, &str)] = &[
    ("datetime", "date-time"),
    ("timestamp", "date-time"),
    ("mail", "email"),
    ("url", "uri"),
    ("guid", "uuid"),
];

fn warn_of_format(name: &str, at: &NodeCursor<'_>, found: &mut Findings<'_>) {
    let letters: String = name.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    let elsewhere = FORMATS_ELSEWHERE.iter().find(|(other, _)| *other == letters).map(|(_, format)| *format);
    let hint = match elsewhere {
        Some(format) => Some(format!("did you mean '{format}'?")),
        None => found.misspelt(name, Format::CHECKED_NAMES),
    };
    if hint.is_some() {
        let message = format!("The format '{}' is not checked", shortened(name, 60));
        at.warning("UNKNOWN_FORMAT", message).maybe_hint(hint).add_to(found);
    }
}

fn compile(
    pattern: &str,
    at: &NodeCursor<'_>,
    budget: &FileBudget,
    found: &mut Findings<'_>,
) -> Option<Pattern> {
    let (message, hint) = match budget.compile(pattern) {
        Ok(compiled) => return Some(compiled),
        Err(PatternProblem::TooLarge) => {
            ("This pattern is too large", "make its repetitions smaller".to_owned())
        }
        Err(PatternProblem::TooMany) => (
            "The file has more large or different patterns than are allowed",
            "use the same pattern more often".to_owned(),
        ),
        Err(PatternProblem::Invalid(_))
            if ["(?=", "(?!", "(?<=", "(?<!"].iter().any(|part| pattern.contains(part)) =>
        {
            (
                "Look-around is not supported in patterns",
                "say it in the description, or split it into several constraints".to_owned(),
            )
        }
        Err(PatternProblem::Invalid(reason)) if reason.starts_with("backreferences") => (
            "Back-references are not supported in patterns",
            "patterns match in linear time; write out what may be repeated".to_owned(),
        ),
        Err(PatternProblem::Invalid(reason)) => ("This is not a valid regular expression", reason),
    };
    at.error("INVALID_VALUE", message).hint(hint).add_to(found);
    None
}

/// Each constraint belongs to some types only.
fn check_fit(shape: &Shape, at: &NodeCursor<'_>, found: &mut Findings<'_>) -> bool {
    let mut fits = true;
    for key in PARAM_CONSTRAINTS {
        let Some(place) = at.get(key) else { continue };
        let (fit, wants) = match *key {
            "minimum" | "maximum" => (shape.kind.takes_numbers(), "integer or number"),
            "minLength" | "maxLength" | "pattern" => (shape.kind.takes_text(), "string"),
            "format" => {
                let free = matches!(shape.format, None | Some(Format::Other(_)));
                (free || shape.kind.takes_text(), "string")
            }
            _ => (takes_items(&shape.kind), "array"),
        };
        if !fit {
            fits = false;
            let message = format!("'{key}' does not fit the type '{}'", shape.kind);
            place.error("BAD_CONSTRAINT", message).expected(format!("the type {wants}")).add_to(found);
        }
    }
    if let (ValueKind::Array(Some(element)), Some(items)) = (&shape.kind, &shape.items)
        && **element != items.kind
        && let Some(place) = at.get("items")
    {
        fits = false;
        let message = format!("The type says that elements are {element}, 'items' says {}", items.kind);
        place.error("BAD_CONSTRAINT", message).hint("say it in one place").add_to(found);
    }
    fits
}

fn takes_items(kind: &ValueKind) -> bool {
    match kind {
        ValueKind::Array(_) => true,
        ValueKind::Union(kinds) => kinds.iter().any(takes_items),
        _ => false,
    }
}

fn check_order(shape: &Shape, at: &NodeCursor<'_>, found: &mut Findings<'_>) -> bool {
    let mut ordered = true;
    let bounds = shape.minimum.zip(shape.maximum).is_some_and(|(low, high)| low > high);
    let lengths = shape.min_length.zip(shape.max_length).is_some_and(|(low, high)| low > high);
    for (low, high, reversed) in [("minimum", "maximum", bounds), ("minLength", "maxLength", lengths)] {
        if reversed && let Some(place) = at.get(low) {
            ordered = false;
            place
                .error("BAD_CONSTRAINT", format!("'{low}' is greater than '{high}', so no value fits"))
                .hint("swap or change them")
                .add_to(found);
        }
    }
    ordered
}

fn allowed(shape: &Shape, at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<Vec<Json>> {
    let place = at.get("enum")?;
    if !matches!(place.node.value, NodeValue::List(_)) {
        return None;
    }
    if place.node.elements().is_empty() {
        place
            .error("INVALID_VALUE", "An enum has a value, else nothing could be sent")
            .hint("list the values")
            .add_to(found);
        return None;
    }
    for value in place.elements() {
        report_problems(shape, &value.node.to_json(), &value, "The enum value", found);
    }
    Some(place.node.elements().iter().map(|node| node.to_json()).collect())
}

/// Reports everything that is wrong with a value; true when something is.
pub(in crate::check) fn report_problems(
    shape: &Shape,
    value: &Json,
    at: &NodeCursor<'_>,
    what: &str,
    found: &mut Findings<'_>,
) -> bool {
    let problems = problems(shape, value);
    for problem in &problems {
        let code = if problem.rule == BrokenRule::Type { "WRONG_TYPE" } else { "INVALID_VALUE" };
        let place =
            if problem.place.is_empty() { String::new() } else { format!(" (element {})", problem.place) };
        let hint = (value.is_number() && shape.kind == ValueKind::String)
            .then(|| "put the value in quotes".to_owned());
        at.error(code, format!("{what} does not fit the parameter{place}"))
            .expected(&problem.expected)
            .received(&problem.received)
            .maybe_hint(hint)
            .add_to(found);
    }
    !problems.is_empty()
}
