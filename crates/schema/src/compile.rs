//! A rewritten schema to a validator that checks values.
//!
//! A place of a document in, a validator out, or nothing when every value fits. Patterns run in linear time; only when
//! one needs looking around or back, an engine that backtracks, up to a limit, takes the patterns of that schema.

use crate::clean::{Clean, Leniency, clean};
use crate::places::Places;
use jsonschema::{PatternOptions, ValidationError, ValidationOptions, Validator};
use serde_json::{Value, json};

/// Steps back that one match may take.
const BACKTRACK_LIMIT: usize = 100_000;
/// References that are followed to see that a schema says nothing.
const HOPS: usize = 16;

/// Whether `oneOf` refuses values that fit several branches.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OneOf {
    Strict,
    Lenient,
}

/// A schema to check values with.
#[derive(Default)]
pub(crate) struct Compiled {
    /// Nothing when every value fits.
    pub(crate) validator: Option<Validator>,
    /// Whether it would differ if `oneOf` were read otherwise.
    pub(crate) has_one_of: bool,
}

/// Compiles the schema in `start`, a place in the document.
pub(crate) fn compile(document: &Value, start: &Value, one_of: OneOf) -> Compiled {
    // What was cleaned compiles; if ever it did not, accepting everything is what an unknown schema does.
    attempt(document, start, one_of).unwrap_or_default()
}

fn attempt(
    document: &Value,
    start: &Value,
    one_of: OneOf,
) -> Result<Compiled, Box<ValidationError<'static>>> {
    let places = Places::of(document);
    let mut leniency = Leniency { one_of_is_any_of: one_of == OneOf::Lenient, ..Leniency::default() };
    let mut first = clean(&places, document, start, &leniency);
    if first.lost_reference {
        leniency.ignores_unevaluated = true;
        first = clean(&places, document, start, &leniency);
    }
    let has_one_of = first.has_one_of;
    if says_nothing(&first) {
        return Ok(Compiled { validator: None, has_one_of });
    }
    if let Ok(validator) = linear().build(&first.schema) {
        return Ok(Compiled { validator: Some(validator), has_one_of });
    }
    leniency.broken_patterns = first.patterns.into_iter().filter(|pattern| !compiles(pattern)).collect();
    let second = clean(&places, document, start, &leniency);
    let validator = backtracking().build(&second.schema)?;
    Ok(Compiled { validator: Some(validator), has_one_of })
}

/// Formats are for information, as the standard has it: an API that says `uri` or `date-time` often takes more than that.
fn options() -> ValidationOptions<'static> {
    jsonschema::options().offline().should_validate_formats(false).should_ignore_unknown_formats(true)
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
