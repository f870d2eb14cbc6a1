//! A rewritten schema to a validator that checks values.
//!
//! A place of a document in, a validator out, or nothing when every value fits. Patterns run in linear time; only when
//! one needs looking around or back, an engine that backtracks, up to a limit, takes the patterns of that schema.

use crate::clean::{Clean, Leniency, clean};
use crate::format::Format;
use crate::places::Places;
use jsonschema::{PatternOptions, ValidationError, ValidationOptions, Validator};
use serde_json::{Value, json};

/// Steps back that one match may take.
const BACKTRACK_LIMIT: usize = 100_000;
/// References that are followed to see that a schema says nothing.
const HOPS: usize = 16;

/// How closely values are held against a schema.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// What is sent: `oneOf` refuses values that fit several branches, and formats are checked.
    Strict,
    /// What came: `oneOf` is `anyOf`, and formats are for information.
    Lenient,
}

/// A schema to check values with.
#[derive(Default)]
pub(crate) struct Compiled {
    /// Nothing when every value fits.
    pub(crate) validator: Option<Validator>,
    /// Whether it would differ in the other reading.
    pub(crate) depends_on_reading: bool,
}

/// Compiles the schema in `start`, a place in the document.
pub(crate) fn compile(document: &Value, start: &Value, reading: Reading) -> Compiled {
    // What was cleaned compiles; if ever it did not, accepting everything is what an unknown schema does.
    attempt(document, start, reading).unwrap_or_default()
}

fn attempt(
    document: &Value,
    start: &Value,
    reading: Reading,
) -> Result<Compiled, Box<ValidationError<'static>>> {
    let places = Places::of(document);
    let is_lenient = reading == Reading::Lenient;
    let mut leniency =
        Leniency { one_of_is_any_of: is_lenient, ignores_formats: is_lenient, ..Leniency::default() };
    let mut first = clean(&places, document, start, &leniency);
    if first.lost_reference {
        leniency.ignores_unevaluated = true;
        first = clean(&places, document, start, &leniency);
    }
    let depends_on_reading = first.has_one_of || first.has_format;
    if says_nothing(&first) {
        return Ok(Compiled { validator: None, depends_on_reading });
    }
    if let Ok(validator) = linear().build(&first.schema) {
        return Ok(Compiled { validator: Some(validator), depends_on_reading });
    }
    leniency.broken_patterns = first.patterns.into_iter().filter(|pattern| !compiles(pattern)).collect();
    let second = clean(&places, document, start, &leniency);
    let validator = backtracking().build(&second.schema)?;
    Ok(Compiled { validator: Some(validator), depends_on_reading })
}

/// The formats are ours, so that a schema checks exactly what a parameter with the same format does.
fn options() -> ValidationOptions<'static> {
    let options =
        jsonschema::options().offline().should_validate_formats(true).should_ignore_unknown_formats(true);
    Format::CHECKED_NAMES.into_iter().fold(options, |options, name| {
        let format = Format::parse(name);
        options.with_format(name, move |text: &str| format.accepts(text))
    })
}

fn linear() -> ValidationOptions<'static> {
    options().with_pattern_options(PatternOptions::regex())
}

fn backtracking() -> ValidationOptions<'static> {
    options().with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(BACKTRACK_LIMIT))
}

fn compiles(pattern: &str) -> bool {
    let alone = json!({ "pattern": pattern, "patternProperties": { pattern: true } });
    backtracking().build(&alone).is_ok()
}

fn says_nothing(clean: &Clean) -> bool {
    let mut schema = &clean.schema;
    for _ in 0..HOPS {
        let Value::Object(keywords) = schema else { return *schema == Value::Bool(true) };
        let said = keywords.keys().filter(|keyword| *keyword != "$defs").count();
        match (said, keywords.get("$ref").and_then(Value::as_str)) {
            (0, _) => return true,
            (1, Some(reference)) => match clean.schema.pointer(reference.trim_start_matches('#')) {
                Some(target) => schema = target,
                None => return false,
            },
            _ => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests;
