//! Answers fitted to what their operation declares: what is not declared is left out, defaults are filled in, and that
//! is told. Nothing is invented: what does not fit stays as it is, with a warning (operation sources, decision 24).
//!
//! An answer that fits already goes through as the text it came as.

use crate::heavy::{AT_ONCE, LARGE};
use aqueduct_operations::operation::Entry;
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::reply::{Severity, Warning};
use aqueduct_schema::LazySchema;
use aqueduct_schema::work::{Meter, Stop};
use serde_json::Value;
use std::sync::Arc;

/// Places that a warning names; the number of all of them is told too.
const NAMED: usize = 10;

/// The schema that answers are fitted to, if they are.
pub fn schema_of(entry: &Entry) -> Option<&Arc<LazySchema>> {
    let Entry { operation, source, .. } = entry;
    operation.output.as_ref().filter(|_| source.fits_answers)
}

/// An answer as its schema has it, and what was changed in it; why not, when that takes too much work.
pub type Fitted = Result<(RawJson, Vec<Warning>), Stop>;

/// The answer fitted where it came up, when it is small and that takes few steps; nothing else.
pub fn at_once(schema: &LazySchema, data: &RawJson, meter: &Meter) -> Option<Fitted> {
    if data.as_str().len() > LARGE {
        return None;
    }
    let part = meter.part(AT_ONCE);
    let fitted = fitted(schema, data, &part).ok()?;
    Some(meter.spend(part.spent()).map(|()| fitted))
}

/// The answer fitted, within the steps of a meter.
pub fn fitted(schema: &LazySchema, data: &RawJson, meter: &Meter) -> Fitted {
    let schema = schema.get();
    if schema.accepts_anything() {
        return Ok((data.clone(), Vec::new()));
    }
    // An answer is JSON already; one that is not parsed here is too deep for us, and passes as it is.
    let Ok(value) = serde_json::from_str::<Value>(data.as_str()) else {
        return Ok((data.clone(), Vec::new()));
    };
    let fitted = schema.normalise_within(&value, meter)?;
    let mut warnings = Vec::new();
    if !fitted.dropped.is_empty() {
        warnings.push(left_out(&named(&fitted.dropped), fitted.dropped.len()));
    }
    if !fitted.mismatches.is_empty() {
        let places: Vec<String> = fitted.mismatches.iter().map(|each| each.place.clone()).collect();
        warnings.push(unfit(&named(&places), places.len()));
    }
    let data = if fitted.value == value { data.clone() } else { RawJson::of(&fitted.value) };
    Ok((data, warnings))
}

/// The remark that an answer was not held against its schema.
pub fn unchecked(stop: Stop) -> Warning {
    let message = format!(
        "The answer was not checked and is given as it came: holding it against what the API declares failed, because {stop}. The \
         operator can raise 'max_work_steps' in [limits]."
    );
    Warning::new("RESPONSE_NOT_CHECKED", message).rated(Severity::Medium)
}

fn left_out(places: &[String], count: usize) -> Warning {
    let message = format!("Fields not declared by the API were left out: {}", places.join(", "));
    Warning::new("UNDECLARED_FIELDS_OMITTED", message)
        .with("fields", places.to_vec())
        .with("count", count)
        .rated(Severity::Low)
}

fn unfit(places: &[String], count: usize) -> Warning {
    let shown: Vec<&str> =
        places.iter().map(|place| if place.is_empty() { "the whole" } else { place }).collect();
    let message =
        format!("The answer is not as the API declares it, and is given as it came: {}", shown.join(", "));
    Warning::new("RESPONSE_SCHEMA_MISMATCH", message)
        .with("fields", shown)
        .with("count", count)
        .rated(Severity::Low)
}

/// The first of some places, without the indexes of lists, each once.
fn named(places: &[String]) -> Vec<String> {
    let mut named: Vec<String> = Vec::new();
    for place in places {
        let shown: String = without_indexes(place);
        if !named.contains(&shown) && named.len() < NAMED {
            named.push(shown);
        }
    }
    named
}

fn without_indexes(place: &str) -> String {
    let mut shown = String::with_capacity(place.len());
    let mut inside = false;
    for c in place.chars() {
        match c {
            '[' => inside = true,
            ']' => {
                inside = false;
                shown.push_str("[]");
            }
            _ if inside => {}
            c => shown.push(c),
        }
    }
    shown
}
