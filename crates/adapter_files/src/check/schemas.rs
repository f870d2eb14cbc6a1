//! JSON Schemas in a file: those of `schemas`, which others refer to by name, and those of parameters and answers.
//!
//! A tree in; a schema that is put together when a call needs it out. Each reference to `#/schemas/NAME` brings that
//! schema along, so that the document is complete.

mod dangling_references;
mod patterns;
mod schema_sizes;

use aqueduct_documents::DocumentNode;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, shortened};
use aqueduct_schema::definitions::{self, DEFS, DefinitionLimits, LOCAL};
use aqueduct_schema::references::{self, pointer_name};
use aqueduct_schema::{Definitions, LazySchema, first_mistake};
use aqueduct_source_kind::unusable_patterns::{PatternChecker, is_any_in};
use schema_sizes::SchemaSizes;
use serde_json::Value as Json;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Where named schemas are in a file, as a reference says it.
pub(crate) const PREFIX: &str = "#/schemas/";
/// Values of schemas that are held against the standard. An imported file has thousands, made by a program.
const MOST_CHECKED: usize = 50_000;

/// The named schemas of a file, which refer to each other as definitions of one document do.
#[derive(Debug)]
struct NamedSchemas(BTreeMap<String, Json>);

impl NamedSchemas {
    fn of(mut named: BTreeMap<String, Json>) -> NamedSchemas {
        for (name, json) in &mut named {
            let root = format!("#/{DEFS}/{}", references::escaped(name));
            references::rewrite(json, &|reference| moved(reference, &root, &str::to_owned));
        }
        NamedSchemas(named)
    }
}

impl Definitions for NamedSchemas {
    fn reachable(&self, names: BTreeSet<String>) -> BTreeMap<String, Json> {
        definitions::reach(names, DefinitionLimits::ALL, &mut |name| self.0.get(name).cloned()).definitions
    }
}

/// The schemas of a file.
#[derive(Debug)]
pub(super) struct FileSchemas {
    library: Arc<NamedSchemas>,
    /// The schemas of parameters and answers by their text: what is the same is kept once.
    made: RefCell<HashMap<Arc<str>, Arc<LazySchema>>>,
    left: Cell<usize>,
    patterns: RefCell<PatternChecker>,
    sizes: RefCell<SchemaSizes>,
}

impl FileSchemas {
    /// Reads the block `schemas`.
    pub(super) fn read(root: &NodeCursor<'_>, found: &mut Findings<'_>) -> FileSchemas {
        let block = root.get("schemas");
        let entries = || block.iter().flat_map(NodeCursor::entries);
        let named = entries().map(|(entry, at)| (entry.key.clone(), at.node.to_json())).collect();
        let library = Arc::new(NamedSchemas::of(named));
        let sizes = RefCell::new(SchemaSizes::of(&library.0));
        let schemas = FileSchemas {
            library,
            made: RefCell::default(),
            left: Cell::new(MOST_CHECKED),
            patterns: RefCell::default(),
            sizes,
        };
        for (_, at) in entries() {
            let json = at.node.to_json();
            if is_schema(&json) {
                schemas.check_schema(&at, &json, found);
            }
        }
        schemas
    }

    /// The schema under a key of this block.
    pub(super) fn of(
        &self,
        owner: &NodeCursor<'_>,
        key: &str,
        found: &mut Findings<'_>,
    ) -> Option<Arc<LazySchema>> {
        let at = owner.get(key)?;
        let json = at.node.to_json();
        if !is_schema(&json) {
            return None;
        }
        self.check_schema(&at, &json, found);
        let text: Arc<str> = json.to_string().into();
        if let Some(known) = self.made.borrow().get(&text) {
            return Some(Arc::clone(known));
        }
        self.sizes.borrow_mut().look(&at, &json, found);
        let made = Arc::new(lazy(&json, &text, &self.library));
        self.made.borrow_mut().insert(text, Arc::clone(&made));
        Some(made)
    }

    /// Says what is wrong with a schema. A wrong keyword is not checked; the rest of the schema is.
    fn check_schema(&self, at: &NodeCursor<'_>, json: &Json, found: &mut Findings<'_>) {
        dangling_references::report(at, json, &self.library.0, found);
        let mut check_schema = self.patterns.borrow_mut();
        if is_any_in(json, &mut check_schema) {
            patterns::report(at, &mut check_schema, found);
        }
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
            at.warning("BAD_SCHEMA", message).hint(shortened(&mistake.problem, 200)).add_to(found);
        }
    }
}

/// The schema, kept as text until it is needed.
fn lazy(json: &Json, text: &Arc<str>, library: &Arc<NamedSchemas>) -> LazySchema {
    let parsed = |text: &Arc<str>| {
        let text = Arc::clone(text);
        // It is text that was made of a value.
        move || serde_json::from_str(&text).unwrap_or(Json::Bool(true))
    };
    let (own, around) = (parsed(text), Arc::clone(library));
    let made = LazySchema::new(move || complete(own(), &around));
    // Definitions of its own may have the names of others.
    if json.get(DEFS).is_some() {
        return made;
    }
    let own = parsed(text);
    let own = move || {
        let mut own = own();
        references::rewrite(&mut own, &|reference| moved(reference, "#", &str::to_owned));
        own
    };
    made.sharing(own, Arc::clone(library) as Arc<dyn Definitions>)
}

/// Whether it has the form of a schema at all; where a file has something else, `keys` has reported it.
pub(crate) fn is_schema(json: &Json) -> bool {
    matches!(json, Json::Object(_) | Json::Bool(_))
}

fn weight(node: &DocumentNode) -> usize {
    let elements: usize = node.elements().iter().map(weight).sum();
    1 + elements + node.entries().iter().map(|entry| weight(&entry.node)).sum::<usize>()
}

/// The document of a schema with every named schema that it leads to.
fn complete(mut own: Json, library: &NamedSchemas) -> Json {
    let own_names = own.get(DEFS).and_then(Json::as_object).into_iter().flatten();
    let taken: BTreeSet<String> = own_names.map(|(name, _)| name.clone()).collect();
    let rename = |name: &str| free_name(name, &taken);
    references::rewrite(&mut own, &|reference| moved(reference, "#", &rename));
    definitions::complete(&mut own, DefinitionLimits::OF_ONE, &mut |name| {
        let mut found = library.0.get(original_name(name, &taken))?.clone();
        if !taken.is_empty() {
            references::rewrite(&mut found, &|reference| renamed(reference, &rename));
        }
        Some(found)
    });
    own
}

/// A name that the schema's own definitions do not have.
fn free_name(name: &str, taken: &BTreeSet<String>) -> String {
    let mut free = name.to_owned();
    while taken.contains(&free) {
        free.push('_');
    }
    free
}

/// The name that `free_name` was given.
fn original_name<'n>(name: &'n str, taken: &BTreeSet<String>) -> &'n str {
    let mut original = name;
    while let Some(shorter) = original.strip_suffix('_').filter(|shorter| taken.contains(*shorter)) {
        original = shorter;
    }
    original
}

/// Where a reference leads once its schema stands under `root` of another document, beside the named ones.
fn moved(reference: &str, root: &str, rename: &dyn Fn(&str) -> String) -> Option<String> {
    if let Some(name) = pointer_name(reference, PREFIX) {
        let rest = references::rest_of_pointer(reference, PREFIX);
        return Some(format!("{LOCAL}{}{rest}", references::escaped(&rename(&name))));
    }
    let inner = reference.strip_prefix('#').filter(|inner| inner.is_empty() || inner.starts_with('/'))?;
    (root != "#").then(|| format!("{root}{inner}"))
}

/// The same reference to a definition that has another name now.
fn renamed(reference: &str, rename: &dyn Fn(&str) -> String) -> Option<String> {
    let name = pointer_name(reference, LOCAL)?;
    let rest = references::rest_of_pointer(reference, LOCAL);
    Some(format!("{LOCAL}{}{rest}", references::escaped(&rename(&name))))
}

#[cfg(test)]
mod tests;
