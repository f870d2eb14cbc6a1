//! Answers fitted to what their operation declares: what is not declared is left out, defaults are filled in, and that
//! is told. Nothing is invented: what does not fit stays as it is, with a warning (operation sources, decision 24).
//!
//! An answer that fits already goes through as the text it came as.

use aqueduct_operations::operation::Entry;
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::reply::{Severity, Warning};
use serde_json::Value;

/// Places that a warning names; the number of all of them is told too.
const NAMED: usize = 10;

/// An answer as the operation declares it, and what was changed in it.
pub fn fitted(entry: &Entry, data: RawJson) -> (RawJson, Vec<Warning>) {
    let Entry { operation, source, .. } = entry;
    let Some(schema) = operation.output.as_deref().filter(|_| source.fits_answers) else {
        return (data, Vec::new());
    };
    let schema = schema.get();
    if schema.accepts_anything() {
        return (data, Vec::new());
    }
    // An answer is JSON already; one that is not parsed here is too deep for us, and passes as it is.
    let Ok(value) = serde_json::from_str::<Value>(data.as_str()) else { return (data, Vec::new()) };
    let fitted = schema.normalise(&value);
    let mut warnings = Vec::new();
    if !fitted.dropped.is_empty() {
        warnings.push(left_out(&named(&fitted.dropped), fitted.dropped.len()));
    }
    if !fitted.mismatches.is_empty() {
        let places: Vec<String> = fitted.mismatches.iter().map(|each| each.place.clone()).collect();
        warnings.push(unfit(&named(&places), places.len()));
    }
    if fitted.value == value { (data, warnings) } else { (RawJson::of(&fitted.value), warnings) }
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
