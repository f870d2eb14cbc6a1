//! References of a schema that lead nowhere: such a schema would accept anything in their place, without a word.
//!
//! A schema and the named ones in; each lost reference out, where it stands. Nothing outside of the file is read, so
//! a reference to another document is lost too.

use super::PREFIX;
use aqueduct_documents::NodeValue;
use aqueduct_documents::findings::{Finding, Findings};
use aqueduct_documents::node_cursor::{NodeCursor, shortened};
use aqueduct_schema::references::{each_reference, pointer_name, rest_of_pointer};
use aqueduct_schema::{Keyword, SchemaLocations};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

/// Reports every reference of a schema that leads nowhere.
pub(super) fn report(
    at: &NodeCursor<'_>,
    json: &Json,
    library: &BTreeMap<String, Json>,
    found: &mut Findings<'_>,
) {
    let places = SchemaLocations::of(json);
    let mut lost: BTreeSet<String> = BTreeSet::new();
    each_reference(json, &mut |reference| {
        if !leads_somewhere(reference, &places, library) {
            lost.insert(reference.to_owned());
        }
    });
    if !lost.is_empty() {
        report_in(at, &lost, library, found);
    }
}

fn leads_somewhere(reference: &str, places: &SchemaLocations<'_>, library: &BTreeMap<String, Json>) -> bool {
    let Some(name) = pointer_name(reference, PREFIX) else { return places.resolve(reference).is_some() };
    let rest = rest_of_pointer(reference, PREFIX);
    library.get(&name).is_some_and(|schema| {
        rest.is_empty() || SchemaLocations::of(schema).resolve(&format!("#{rest}")).is_some()
    })
}

/// Goes through the tree as `each_reference` goes through the value, with the places.
fn report_in(
    at: &NodeCursor<'_>,
    lost: &BTreeSet<String>,
    library: &BTreeMap<String, Json>,
    found: &mut Findings<'_>,
) {
    at.elements().for_each(|element| report_in(&element, lost, library, found));
    for (entry, value) in at.entries() {
        match (entry.key.as_str(), &value.node.value) {
            ("$ref", NodeValue::String(reference)) if lost.contains(reference) => {
                let finding = finding(&value, reference, library, found);
                finding.add_to(found);
            }
            (key, _) if Keyword::is_data(key) => {}
            (key, NodeValue::Map(_)) if Keyword::is_schema_map(key) => {
                value.entries().for_each(|(_, schema)| report_in(&schema, lost, library, found));
            }
            _ => report_in(&value, lost, library, found),
        }
    }
}

fn finding(
    at: &NodeCursor<'_>,
    reference: &str,
    library: &BTreeMap<String, Json>,
    found: &Findings<'_>,
) -> Finding {
    let expected = format!("'{PREFIX}NAME' with a name of 'schemas', or a place in the same schema");
    let unknown = pointer_name(reference, PREFIX).filter(|name| !library.contains_key(name));
    let (message, hint) = match unknown {
        Some(name) => {
            let hint = found.nearest(&name, library.keys().map(String::as_str));
            (format!("There is no schema '{}'", shortened(&name, 60)), hint)
        }
        None if reference.starts_with('#') => {
            (format!("The reference '{}' leads nowhere", shortened(reference, 100)), None)
        }
        None => {
            let message = format!("The reference '{}' leads out of the file", shortened(reference, 100));
            (message, Some(format!("put the schema under 'schemas', and write $ref: '{PREFIX}NAME'")))
        }
    };
    at.error("UNKNOWN_REFERENCE", message).expected(expected).maybe_hint(hint)
}
