//! What is taken out of responses before they go on: what their schema refuses, and where the operator wants responses fitted,
//! everything that is not declared, with defaults filled in (ruling W19). What is taken out becomes a warning.
//!
//! Everything else passes on as the text it came as. Filter, sort and the like see a response as it came, before this.

use crate::worker_pool::{AT_ONCE, LARGE};
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::reply::{Warning, WarningSeverity};
use aqueduct_schema::LazySchema;
use aqueduct_schema::work::{Meter, WorkStop};
use serde_json::Value;

/// Places that a warning names; the warning has the number of all of them too.
const NAMED: usize = 10;

/// What is changed in a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputFit {
    /// What is not declared goes, defaults are filled in.
    ToDeclared,
    /// What the schema refuses goes.
    WithoutRefused,
}

/// A response as it goes on, nothing when it goes on as it came, and the warnings about it; why not, when that takes too
/// much work.
pub type FittedOutput = Result<(Option<RawJson>, Vec<Warning>), WorkStop>;

/// The response fitted where it came up, when it is small and that takes few steps; nothing else.
pub fn at_once(schema: &LazySchema, fit: OutputFit, data: &RawJson, meter: &Meter) -> Option<FittedOutput> {
    if data.as_str().len() > LARGE {
        return None;
    }
    let part = meter.part(AT_ONCE);
    let fitted = fitted(schema, fit, data, &part).ok()?;
    Some(meter.spend(part.spent()).map(|()| fitted))
}

/// The response fitted, within the steps of a meter.
pub fn fitted(schema: &LazySchema, fit: OutputFit, data: &RawJson, meter: &Meter) -> FittedOutput {
    let schema = schema.get();
    if schema.accepts_anything() {
        return Ok((None, Vec::new()));
    }
    // One that is not parsed here is too deep for us, or has numbers beyond all range, and passes as it is.
    let Ok(value) = serde_json::from_str::<Value>(data.as_str()) else { return Ok((None, Vec::new())) };
    let mut warnings = Vec::new();
    let (made, dropped) = match fit {
        OutputFit::ToDeclared => {
            let fitted = schema.normalise_within(&value, meter)?;
            if !fitted.mismatches.is_empty() {
                let places: Vec<String> = fitted.mismatches.iter().map(|each| each.place.clone()).collect();
                warnings.push(unfit(&named(&places), places.len()));
            }
            (fitted.value, fitted.dropped)
        }
        OutputFit::WithoutRefused => schema.without_refused(&value, meter)?,
    };
    if !dropped.is_empty() {
        warnings.insert(0, left_out(&named(&dropped), dropped.len()));
    }
    Ok(((made != value).then(|| RawJson::of(&made)), warnings))
}

/// The warning that a response was not held against its schema.
pub fn unchecked(stop: WorkStop) -> Warning {
    let message = format!(
        "The answer was not checked and is given as it came: holding it against what the API declares failed, because {stop}. The \
         operator can raise 'max_work_steps' in [limits]."
    );
    Warning::new("RESPONSE_NOT_CHECKED", message).rated(WarningSeverity::Medium)
}

fn left_out(places: &[String], count: usize) -> Warning {
    let message = format!("Fields not declared by the API were left out: {}", places.join(", "));
    Warning::new("UNDECLARED_FIELDS_OMITTED", message)
        .with("fields", places.to_vec())
        .with("count", count)
        .rated(WarningSeverity::Low)
}

fn unfit(places: &[String], count: usize) -> Warning {
    let shown: Vec<&str> =
        places.iter().map(|place| if place.is_empty() { "the whole" } else { place }).collect();
    let message =
        format!("The answer is not as the API declares it, and is given as it came: {}", shown.join(", "));
    Warning::new("RESPONSE_SCHEMA_MISMATCH", message)
        .with("fields", shown)
        .with("count", count)
        .rated(WarningSeverity::Low)
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
