//! What is wrong with a value, in words that say what to send instead.
//!
//! Errors of the validator in, problems out, outermost first. No word of the validator's own texts is passed on, and
//! no wording here could be taken for a place in a program.

mod alternatives;
mod words;

use crate::format::Format;
use crate::place;
use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value;
use words::{a_type, kind_of, list, shown};

/// One thing that is wrong with a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// The place inside the value, such as `items[2].name`; empty for the value itself.
    pub place: String,
    /// The keyword that is not satisfied, such as `required`, `type`, `enum`.
    pub keyword: String,
    /// What was expected, in words.
    pub expected: String,
    /// The JSON type, or the value, that was found.
    pub received: String,
}

/// The problem of a value that nests deeper than is looked into.
pub(crate) fn too_deep(levels: usize) -> Problem {
    Problem {
        place: String::new(),
        keyword: "depth".to_owned(),
        expected: format!("no more than {levels} levels"),
        received: "more levels".to_owned(),
    }
}

/// All problems, those of outer places first.
pub(crate) fn problems<'a>(errors: impl Iterator<Item = ValidationError<'a>>) -> Vec<Problem> {
    let mut found: Vec<(usize, Problem)> = Vec::new();
    for error in errors {
        for (depth, problem) in of(&error) {
            if !found.iter().any(|(_, known)| *known == problem) {
                found.push((depth, problem));
            }
        }
    }
    found.sort_by_key(|(depth, _)| *depth);
    found.into_iter().map(|(_, problem)| problem).collect()
}

/// The problems of one error, each with the depth of its place.
fn of(error: &ValidationError<'_>) -> Vec<(usize, Problem)> {
    let depth = error.instance_path().segments().count();
    let here = place::of(error.instance_path());
    let keyword = error.kind().keyword();
    let one = |place: String, expected: String, received: String| Problem {
        place,
        keyword: keyword.to_owned(),
        expected,
        received,
    };
    match error.kind() {
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            alternatives::problems(here, depth, keyword, error.instance(), context)
        }
        Kind::Required { property } => {
            let place = place::property(&here, property.as_str().unwrap_or_default());
            vec![(depth, one(place, "a value (it is required)".to_owned(), "nothing".to_owned()))]
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            let each = unexpected.iter().map(|name| {
                let found = error.instance().get(name).map_or_else(|| "a value".to_owned(), shown);
                (depth, one(place::property(&here, name), "no property of this name".to_owned(), found))
            });
            each.collect()
        }
        Kind::PropertyNames { error: inner } => {
            let expected = format!("property names, each {}", expected(inner));
            vec![(depth, one(here, expected, shown(inner.instance())))]
        }
        _ => vec![(depth, one(here, expected(error), received(error)))],
    }
}

fn expected(error: &ValidationError<'_>) -> String {
    match error.kind() {
        Kind::Type { kind } => a_type(kind),
        Kind::Enum { options } => match &**options {
            Value::Array(options) => format!("one of {}", list(options)),
            other => shown(other),
        },
        Kind::Constant { expected_value } => shown(expected_value),
        Kind::Minimum { limit } => format!("{limit} or more"),
        Kind::Maximum { limit } => format!("{limit} or less"),
        Kind::ExclusiveMinimum { limit } => format!("more than {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("less than {limit}"),
        Kind::MultipleOf { multiple_of } => format!("a multiple of {multiple_of}"),
        Kind::MinLength { limit } => format!("{} or more", counted(*limit, "character")),
        Kind::MaxLength { limit } => format!("{} or fewer", counted(*limit, "character")),
        Kind::MinItems { limit } => format!("{} or more", counted(*limit, "item")),
        Kind::MaxItems { limit } => format!("{} or fewer", counted(*limit, "item")),
        Kind::AdditionalItems { limit } => format!("{} or fewer", counted(*limit as u64, "item")),
        Kind::MinProperties { limit } => format!("{} or more", properties(*limit)),
        Kind::MaxProperties { limit } => format!("{} or fewer", properties(*limit)),
        Kind::Pattern { pattern } => format!("text matching the pattern {pattern}"),
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            "text for which its pattern can be decided".to_owned()
        }
        Kind::Format { format } => Format::parse(format).expectation().to_owned(),
        Kind::UniqueItems => "items without repetition".to_owned(),
        Kind::Contains => "the required number of items of one kind (see 'contains')".to_owned(),
        Kind::UnevaluatedItems { .. } => "no further items".to_owned(),
        Kind::OneOfMultipleValid { .. } => {
            "a value fitting exactly one of the alternatives (this fits several)".to_owned()
        }
        Kind::Not { .. } => "a value other than those ruled out by 'not'".to_owned(),
        Kind::FalseSchema => "nothing here".to_owned(),
        _ => "a value fitting the schema".to_owned(),
    }
}

fn received(error: &ValidationError<'_>) -> String {
    let value = error.instance();
    match (error.kind(), &**value) {
        (Kind::Type { .. } | Kind::FalseSchema | Kind::Not { .. }, value) => kind_of(value).to_owned(),
        (Kind::MinLength { .. } | Kind::MaxLength { .. }, Value::String(text)) => {
            counted(text.chars().count() as u64, "character")
        }
        (_, Value::Array(items)) => counted(items.len() as u64, "item"),
        (Kind::MinProperties { .. } | Kind::MaxProperties { .. }, Value::Object(map)) => {
            properties(map.len() as u64)
        }
        (_, value) => shown(value),
    }
}

fn counted(number: u64, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

fn properties(number: u64) -> String {
    if number == 1 { "1 property".to_owned() } else { format!("{number} properties") }
}

#[cfg(test)]
mod tests;
