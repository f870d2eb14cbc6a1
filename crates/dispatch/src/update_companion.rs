//! Which READ shows what an UPDATE writes: the companion of a PUT (ruling W8). Worked out once per catalog.
//!
//! The operations of all sources in; out, for each UPDATE the operation that reads the same resource, and which operations
//! show versions of things that can be changed.

use aqueduct_operations::category::Category;
use aqueduct_operations::operation::{Operation, RegistryEntry};
use aqueduct_operations::params::{Param, ParamLocation};
use aqueduct_operations::target::{HttpTarget, Method, Segment, Target};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// The companions of a catalog, by the positions of its entries.
#[derive(Debug, Default)]
pub struct UpdateCompanions {
    reads: Vec<Option<usize>>,
    versioned: Vec<bool>,
}

impl UpdateCompanions {
    /// Finds them.
    pub fn of(entries: &[Arc<RegistryEntry>]) -> UpdateCompanions {
        let mut by_path: HashMap<(&str, String), usize> = HashMap::new();
        let mut by_name: HashMap<(&str, &str), usize> = HashMap::new();
        for (index, entry) in entries.iter().enumerate() {
            let operation = &entry.operation;
            by_name.insert((&entry.source.name, &operation.name), index);
            if let Some(target) = plain_get(operation) {
                by_path.entry((&entry.source.name, form(target))).or_insert(index);
            }
        }
        let mut found =
            UpdateCompanions { reads: vec![None; entries.len()], versioned: vec![false; entries.len()] };
        for (index, entry) in entries.iter().enumerate() {
            let operation = &entry.operation;
            let Target::Http(target) = &operation.target else { continue };
            if operation.category != Category::Update {
                continue;
            }
            let source = entry.source.name.as_str();
            let read = match &operation.update.read {
                Some(name) => by_name.get(&(source, name.as_str())),
                None => by_path.get(&(source, form(target))),
            };
            let read = read.copied().filter(|read| can_be_read(&entries[*read].operation, operation));
            found.reads[index] = read;
            found.versioned[index] = true;
            if let Some(read) = read {
                found.versioned[read] = true;
            }
        }
        found
    }

    /// The entry that reads what this one writes.
    pub fn read_for(&self, index: usize) -> Option<usize> {
        self.reads.get(index).copied().flatten()
    }

    /// True when the responses of this entry show something that can be changed.
    pub fn is_versioned(&self, index: usize) -> bool {
        self.versioned.get(index).copied().unwrap_or(false)
    }
}

/// The values of a read that come from those of the update: what identifies the resource and nothing else. A field of the
/// body or an option of the write may have the name of a parameter of the read, and mean something else there.
pub fn values_for(read: &Operation, update: &Operation, values: &Map<String, Value>) -> Map<String, Value> {
    let positions = paired(read, update);
    let mut found = Map::new();
    for param in &read.params {
        let sent = source_param(param, update, &positions).and_then(|name| values.get(name));
        let value = sent.or(param.default.as_ref());
        if let Some(value) = value.filter(|value| !value.is_null()) {
            found.insert(param.name.clone(), value.clone());
        }
    }
    found
}

/// The parameter of the update whose value a parameter of the read takes: its place in the path, or an identifier of the
/// same name. What the read cannot do without counts as one.
fn source_param<'u>(
    param: &'u Param,
    update: &Operation,
    positions: &'u [(String, String)],
) -> Option<&'u str> {
    if let Some((_, theirs)) = positions.iter().find(|(mine, _)| *mine == param.name) {
        return Some(theirs);
    }
    let named = update.param(&param.name)?;
    let is_identifier = named.place == ParamLocation::Path || param.required && !named.is_body();
    is_identifier.then_some(&param.name)
}

fn plain_get(operation: &Operation) -> Option<&HttpTarget> {
    match &operation.target {
        Target::Http(target) if operation.category == Category::Read && target.method == Method::Get => {
            let is_set = |param: &Param| param.place != ParamLocation::Path && param.default.is_some();
            // Something that is always requested may be a view: written back, a part would erase the rest.
            let shows_the_whole = target.static_query.is_none() && !operation.params.iter().any(is_set);
            (!operation.answers.collection && shows_the_whole).then_some(target)
        }
        _ => None,
    }
}

/// The path without the names of its placeholders.
fn form(target: &HttpTarget) -> String {
    let piece = |segment: &Segment| match segment {
        Segment::Literal(text) => text.clone(),
        Segment::Placeholder(_) => "{}".to_owned(),
    };
    target.path.iter().map(piece).collect()
}

/// The placeholders of two operations with paths of the same form, in pairs.
fn paired(read: &Operation, update: &Operation) -> Vec<(String, String)> {
    let names = |operation: &Operation| match &operation.target {
        Target::Http(target) => {
            let of = |segment: &Segment| match segment {
                Segment::Placeholder(name) => Some(name.clone()),
                Segment::Literal(_) => None,
            };
            (form(target), target.path.iter().filter_map(of).collect::<Vec<_>>())
        }
        Target::Handler(_) | Target::BuiltIn(_) => (String::new(), Vec::new()),
    };
    let ((mine, my_names), (theirs, their_names)) = (names(read), names(update));
    if mine != theirs {
        return Vec::new();
    }
    my_names.into_iter().zip(their_names).collect()
}

/// True when the update has every parameter that the read requires.
fn can_be_read(read: &Operation, update: &Operation) -> bool {
    let positions = paired(read, update);
    let mut required = read.params.iter().filter(|param| param.required && param.default.is_none());
    required.all(|param| source_param(param, update, &positions).is_some())
}
