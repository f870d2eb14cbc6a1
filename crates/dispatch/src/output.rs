//! What is taken out of answers before they go on: what their schema refuses, and where the operator wants answers fitted,
//! everything that is not declared, with defaults filled in (ruling W19). What is taken out is told.
//!
//! Everything else passes on as the text it came as. Questions about an answer are asked of it as it came, before this.

use aqueduct_operations::operation::Entry;
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::reply::{Severity, Warning};
use serde_json::Value;

/// Places that a warning names; the number of all of them is told too.
const NAMED: usize = 10;

/// An answer as it goes on, and what was changed in it; nothing when it goes on as it came.
pub fn fitted(entry: &Entry, data: &RawJson) -> Option<(RawJson, Vec<Warning>)> {
    let Entry { operation, source, .. } = entry;
    let schema = operation.output.as_deref()?;
    if !source.fits_answers && !schema.closes_objects() {
        return None;
    }
    let schema = schema.get();
    if schema.accepts_anything() {
        return None;
    }
    // One that is not parsed here is too deep for us, or has numbers beyond all range, and passes as it is.
    let value = serde_json::from_str::<Value>(data.as_str()).ok()?;
    let mut warnings = Vec::new();
    let (made, dropped) = if source.fits_answers {
        let fitted = schema.normalise(&value);
        if !fitted.mismatches.is_empty() {
            let places: Vec<String> = fitted.mismatches.iter().map(|each| each.place.clone()).collect();
            warnings.push(unfit(&named(&places), places.len()));
        }
        (fitted.value, fitted.dropped)
    } else {
        schema.without_refused(&value)
    };
    if !dropped.is_empty() {
        warnings.insert(0, left_out(&named(&dropped), dropped.len()));
    }
    let data = if made == value { data.clone() } else { RawJson::of(&made) };
    Some((data, warnings))
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
