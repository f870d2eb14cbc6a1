//! JSON Schemas in a file: those of `schemas`, which others refer to by name, and those of parameters and answers.
//!
//! A tree in; a schema that is put together when a call needs it out. Each reference to `#/schemas/NAME` brings that
//! schema along, so that the document is complete.

mod lost;
mod references;

pub(crate) use lost::without_lost_references;
pub(crate) use references::{each_reference, pointer_name, rest_of_pointer, rewrite};

use crate::document::Node;
use crate::document::cursor::{Cursor, shortened};
use crate::document::findings::Findings;
use aqueduct_schema::{LazySchema, first_mistake};
use serde_json::{Map, Value as Json};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Where named schemas are in a file, as a reference says it.
pub(crate) const PREFIX: &str = "#/schemas/";
/// Where they are in the document of one schema.
const DEFS: &str = "$defs";
/// Values of schemas that are held against the standard. An imported file has thousands, made by a program.
const MOST_CHECKED: usize = 50_000;

type Library = BTreeMap<String, Json>;

/// The named schemas of a file.
#[derive(Debug)]
pub(super) struct Schemas {
    library: Arc<Library>,
    left: Cell<usize>,
}

impl Schemas {
    /// Reads the block `schemas`.
    pub(super) fn read(root: &Cursor<'_>, found: &mut Findings<'_>) -> Schemas {
        let block = root.get("schemas");
        let entries = || block.iter().flat_map(Cursor::entries);
        let library = entries().map(|(entry, at)| (entry.key.clone(), at.node.to_json())).collect();
        let schemas = Schemas { library: Arc::new(library), left: Cell::new(MOST_CHECKED) };
        for (entry, at) in entries() {
            if let Some(json) = schemas.library.get(&entry.key).filter(|json| is_schema(json)) {
                schemas.judge(&at, json, found);
            }
        }
        schemas
    }

    /// The schema under a key of this block.
    pub(super) fn of(
        &self,
        owner: &Cursor<'_>,
        key: &str,
        found: &mut Findings<'_>,
    ) -> Option<Arc<LazySchema>> {
        let at = owner.get(key)?;
        let json = at.node.to_json();
        if !is_schema(&json) {
            return None;
        }
        self.judge(&at, &json, found);
        let library = Arc::clone(&self.library);
        Some(Arc::new(LazySchema::new(move || complete(&json, &library))))
    }

    /// Says what is wrong with a schema. A wrong keyword is not checked; the rest of the schema is.
    fn judge(&self, at: &Cursor<'_>, json: &Json, found: &mut Findings<'_>) {
        lost::report(at, json, &self.library, found);
        let weight = weight(at.node);
        if weight > self.left.get() {
            return;
        }
        self.left.set(self.left.get() - weight);
        if let Some(mistake) = first_mistake(json) {
            let place =
                if mistake.place.is_empty() { String::new() } else { format!(" ({})", mistake.place) };
            let message =
                format!("This is not valid JSON Schema{place}: a keyword that is wrong is not checked");
            found.add(at.warning("BAD_SCHEMA", message).hint(shortened(&mistake.problem, 200)));
        }
    }
}

/// Whether it has the form of a schema at all, which `keys` has reported.
fn is_schema(json: &Json) -> bool {
    matches!(json, Json::Object(_) | Json::Bool(_))
}

fn weight(node: &Node) -> usize {
    let elements: usize = node.elements().iter().map(weight).sum();
    1 + elements + node.entries().iter().map(|entry| weight(&entry.node)).sum::<usize>()
}

/// The document of a schema with every named schema that it leads to.
fn complete(own: &Json, library: &Library) -> Json {
    let mut wanted: Vec<String> = Vec::new();
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mut want = |json: &Json, wanted: &mut Vec<String>| {
        each_reference(json, &mut |reference| {
            if let Some(name) = pointer_name(reference, PREFIX)
                && library.contains_key(&name)
                && names.insert(name.clone())
            {
                wanted.push(name);
            }
        });
    };
    want(own, &mut wanted);
    let mut next = 0;
    while let Some(name) = wanted.get(next).cloned() {
        if let Some(json) = library.get(&name) {
            want(json, &mut wanted);
        }
        next += 1;
    }
    if wanted.is_empty() {
        return own.clone();
    }
    wanted.sort_unstable();
    let taken: BTreeSet<&str> = own
        .get(DEFS)
        .and_then(Json::as_object)
        .into_iter()
        .flatten()
        .map(|(name, _)| name.as_str())
        .collect();
    let inside: BTreeMap<&str, String> =
        wanted.iter().map(|name| (name.as_str(), free_name(name, &taken))).collect();
    let mut document = own.clone();
    references::rewrite(&mut document, &|reference| moved(reference, &inside, "#"));
    let mut definitions = Map::new();
    for name in &wanted {
        let (Some(json), Some(new)) = (library.get(name), inside.get(name.as_str())) else { continue };
        let mut json = json.clone();
        let root = format!("#/{DEFS}/{}", references::escaped(new));
        references::rewrite(&mut json, &|reference| moved(reference, &inside, &root));
        definitions.insert(new.clone(), json);
    }
    if let Json::Object(object) = &mut document {
        match object.get_mut(DEFS).and_then(Json::as_object_mut) {
            Some(own) => own.extend(definitions),
            None => {
                object.insert(DEFS.to_owned(), Json::Object(definitions));
            }
        }
    }
    document
}

/// A name that the schema's own definitions do not have.
fn free_name(name: &str, taken: &BTreeSet<&str>) -> String {
    let mut free = name.to_owned();
    while taken.contains(free.as_str()) {
        free.push('_');
    }
    free
}

/// Where a reference leads once its schema stands under `root` of another document.
fn moved(reference: &str, inside: &BTreeMap<&str, String>, root: &str) -> Option<String> {
    if let Some(name) = pointer_name(reference, PREFIX) {
        let new = inside.get(name.as_str())?;
        let rest = references::rest_of_pointer(reference, PREFIX);
        return Some(format!("#/{DEFS}/{}{rest}", references::escaped(new)));
    }
    let inner = reference.strip_prefix('#').filter(|inner| inner.is_empty() || inner.starts_with('/'))?;
    (root != "#").then(|| format!("{root}{inner}"))
}

#[cfg(test)]
mod tests;
