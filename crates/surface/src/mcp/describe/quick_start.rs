//! The examples that a tool's description shows: harmless, common, and short.
//!
//! The operations of a tool in; one request out. Nothing that removes, resets, moves money or deals with
//! credentials is shown; a tool that has nothing else shows a preview, which runs nothing.

use aqueduct_operations::category::Category;
use aqueduct_operations::controls::Control;
use aqueduct_operations::example::minimal_params;
use aqueduct_operations::harmless::{is_delicate, is_harmless};
use aqueduct_operations::naming::words;
use aqueduct_operations::operation::RegistryEntry;
use serde_json::{Map, Value};
use std::cmp::Reverse;

/// An author's example that is longer costs more than it shows.
const LONGEST_EXAMPLE: usize = 100;

/// An example that does as little harm as the family allows: of a READ, if it has one; only a preview where all else is lost.
pub(super) fn of_family(members: &[&RegistryEntry]) -> Option<String> {
    use Category::{Create, Delete, Execute, Read, Update};
    let of_category = |category: Category| {
        members.iter().copied().filter(move |entry| entry.operation.category == category)
    };
    let harmless = [Read, Create, Update, Execute].into_iter().find_map(|category| {
        let harmless: Vec<&RegistryEntry> =
            of_category(category).filter(|entry| is_harmless(&entry.operation)).collect();
        example(&harmless)
    });
    harmless.or_else(|| {
        let least = [Read, Create, Update, Execute, Delete].into_iter().find_map(|category| {
            of_category(category).min_by_key(|entry| {
                (is_delicate(&entry.operation.name), entry.operation.danger.level, simplicity(entry))
            })
        })?;
        let mut params = minimal_params(&least.operation);
        if Control::DryRun.is_offered_on(&least.operation) {
            params.insert(Control::DryRun.name_on(&least.operation), Value::Bool(true));
        }
        Some(request(least, &params))
    })
}

/// The first short example that an author wrote, else the request with the fewest parameters and the shortest name.
fn example(members: &[&RegistryEntry]) -> Option<String> {
    members.iter().find_map(|entry| authored(entry)).or_else(|| {
        let simplest = members.iter().min_by_key(|entry| simplicity(entry))?;
        Some(request(simplest, &minimal_params(&simplest.operation)))
    })
}

fn simplicity(entry: &RegistryEntry) -> (usize, usize, Reverse<bool>) {
    let operation = &entry.operation;
    let is_list = operation.is_list();
    (minimal_params(operation).len(), words(&operation.name).len(), Reverse(is_list))
}

/// The author's first example, unless it is long or the one that we would make ourselves.
fn authored(entry: &RegistryEntry) -> Option<String> {
    let params = &entry.operation.examples.first()?.params;
    if *params == minimal_params(&entry.operation) {
        return None;
    }
    Some(request(entry, params)).filter(|text| text.chars().count() <= LONGEST_EXAMPLE)
}

/// A request as the templates write it, but without the spaces: they are a fifth of its tokens.
fn request(entry: &RegistryEntry, params: &Map<String, Value>) -> String {
    if params.is_empty() {
        return format!("{{operation:\"{}\"}}", entry.public_name);
    }
    format!("{{operation:\"{}\",params:{}}}", entry.public_name, loose_object(params))
}

/// An object with bare keys, which costs a model less and reads as well. A text that only repeats its key says nothing
/// and is left out: `{owner,repo,page:2}`.
fn loose_object(object: &Map<String, Value>) -> String {
    let pairs: Vec<String> = object
        .iter()
        .map(|(key, value)| match value {
            Value::Object(inner) => format!("{key}:{}", loose_object(inner)),
            Value::String(text) if text == key => key.clone(),
            other => format!("{key}:{}", brief(other)),
        })
        .collect();
    format!("{{{}}}", pairs.join(","))
}

fn brief(value: &Value) -> String {
    match value {
        Value::String(text) if text.chars().count() > 40 => {
            Value::from(text.chars().take(37).chain("...".chars()).collect::<String>()).to_string()
        }
        other => other.to_string(),
    }
}
