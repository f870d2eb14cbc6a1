//! A schema document to rules that check values.
//!
//! Places of a document in, a program and the numbers of its rules out. Patterns are compiled when a value first meets them.

use crate::check::{CheckProgram, RuleId, build};
use crate::clean::{CleanSchema, SchemaLeniency, clean};
use crate::places::SchemaLocations;
use serde_json::Value;

/// References that are followed to see that a schema says nothing.
const HOPS: usize = 16;

/// How closely values are held against a schema.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CheckLevel {
    /// What is sent: `oneOf` refuses values that fit several branches, and formats are checked.
    Strict,
    /// What came: `oneOf` is `anyOf`, and formats are for information.
    Lenient,
}

/// Schemas to check values with.
pub(crate) struct CompiledSchemas {
    pub(crate) program: CheckProgram,
    /// The rule of each place; nothing where every value fits.
    pub(crate) starts: Vec<Option<RuleId>>,
    /// Whether it would differ in the other reading.
    pub(crate) depends_on_reading: bool,
}

/// Compiles the schemas in `starts`, places in the document, together.
pub(crate) fn compile(document: &Value, starts: &[&Value], reading: CheckLevel) -> CompiledSchemas {
    let places = SchemaLocations::of(document);
    let is_lenient = reading == CheckLevel::Lenient;
    let mut leniency = SchemaLeniency {
        one_of_is_any_of: is_lenient,
        ignores_formats: is_lenient,
        ..SchemaLeniency::default()
    };
    let mut cleaned = clean(&places, document, starts, &leniency);
    if cleaned.lost_reference {
        leniency.ignores_unevaluated = true;
        cleaned = clean(&places, document, starts, &leniency);
    }
    let schemas: Vec<&Value> = cleaned.schemas.iter().collect();
    let (program, ids) = build(&cleaned.definitions, &schemas);
    let numbered = ids.into_iter().zip(&schemas);
    let starts = numbered.map(|(id, schema)| (!accepts_all(&cleaned, schema)).then_some(id)).collect();
    CompiledSchemas { program, starts, depends_on_reading: cleaned.has_one_of || cleaned.has_format }
}

fn accepts_all(clean: &CleanSchema, schema: &Value) -> bool {
    let mut schema = schema;
    for _ in 0..HOPS {
        let Value::Object(keywords) = schema else { return *schema == Value::Bool(true) };
        match (keywords.len(), keywords.get("$ref").and_then(Value::as_str)) {
            (0, _) => return true,
            (1, Some(reference)) => {
                let number = reference.rsplit('/').next().and_then(|number| number.parse::<usize>().ok());
                match number.and_then(|number| clean.definitions.get(number)) {
                    Some(target) => schema = target,
                    None => return false,
                }
            }
            _ => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests;
