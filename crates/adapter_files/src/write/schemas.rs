//! Which schemas stand under `schemas`, so that a large one is written once and not with everything that uses it.
//!
//! The schemas of all parameters and answers in; the shared definitions, and each schema without them, out. A definition is
//! shared when its name means the same in every schema, and so do all names that it leads to. Schemas of one source that
//! share their definitions already are never put together.

use super::yaml;
use crate::check::schemas::{PREFIX, is_schema};
use aqueduct_operations::registry::LoadedSource;
use aqueduct_schema::definitions::{self, DEFS, LOCAL};
use aqueduct_schema::references::{each_reference, pointer_name, rest_of_pointer, rewrite};
use aqueduct_schema::{Definitions, LazySchema};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// Deeper values than this are not read back.
const DEEPEST: usize = 34;

/// The shared definitions of a file.
#[derive(Debug, Default)]
pub(super) struct SharedSchemas {
    definitions: BTreeMap<String, Json>,
    /// The documents of schemas that share nothing, without their definitions, with the names of these. To put one together
    /// takes long: each holds all that it leads to.
    seen: HashMap<*const LazySchema, (Json, Vec<String>)>,
    /// Schemas that stay in one piece: they refer to their parts by other names than those of definitions.
    whole: HashSet<*const LazySchema>,
    /// A schema was cut, because files are not nested deeper.
    pub was_cut: bool,
    /// The operation that is being written.
    pub operation: String,
    /// What is left out of operations, and why.
    pub notes: Vec<(String, String)>,
}

/// All schemas of parameters and answers, each once.
pub(super) fn schemas_of(loaded: &LoadedSource) -> impl Iterator<Item = &Arc<LazySchema>> {
    let mut seen = HashSet::new();
    let all = loaded.operations.iter().flat_map(|operation| {
        let of_params = operation.params.iter().filter_map(|param| param.schema.as_ref());
        of_params.chain(operation.output.as_ref())
    });
    all.filter(move |schema| seen.insert(Arc::as_ptr(schema)))
}

/// The definitions that the schemas of a source share, by whose they are. A source has one such set, or none.
pub(super) fn shared_by(loaded: &LoadedSource) -> Vec<(&Arc<dyn Definitions>, BTreeSet<String>)> {
    let mut found: Vec<(&Arc<dyn Definitions>, BTreeSet<String>)> = Vec::new();
    for (own, of) in schemas_of(loaded).filter_map(|schema| schema.own()) {
        match found.iter_mut().find(|(known, _)| Arc::ptr_eq(known, of)) {
            Some((_, names)) => names.extend(definitions::names(&own)),
            None => found.push((of, definitions::names(&own))),
        }
    }
    found
}

impl SharedSchemas {
    /// Gathers the definitions that mean the same everywhere.
    pub(super) fn of(loaded: &LoadedSource) -> SharedSchemas {
        let mut found: BTreeMap<String, Option<Json>> = BTreeMap::new();
        for (of, names) in shared_by(loaded) {
            of.reachable(names).into_iter().for_each(|(name, json)| add(name, json, &mut found));
        }
        let mut seen = HashMap::new();
        let mut whole = HashSet::new();
        for schema in schemas_of(loaded) {
            let own = schema.own().map(|(own, _)| own);
            let is_alone = own.is_none();
            if has_anchors(&own.unwrap_or_else(|| schema.document())) {
                whole.insert(Arc::as_ptr(schema));
            } else if is_alone {
                seen.insert(Arc::as_ptr(schema), gather(schema, &mut found));
            }
        }
        let mut definitions: BTreeMap<String, Json> =
            found.into_iter().filter_map(|(name, json)| Some((name, json?))).collect();
        for name in broken(&definitions) {
            definitions.remove(&name);
        }
        SharedSchemas { definitions, seen, whole, ..SharedSchemas::default() }
    }

    /// Remembers what the operation has and the file has not.
    pub(super) fn leave_out(&mut self, what: String) {
        self.notes.push((self.operation.clone(), what));
    }

    /// The document of a schema as it is written in its place.
    pub(super) fn in_place(&mut self, schema: &LazySchema) -> Option<Json> {
        if self.whole.contains(&std::ptr::from_ref(schema)) {
            let mut document = schema.document();
            self.was_cut |= cut(&mut document, DEEPEST);
            return Some(document);
        }
        let mut document = self.without_shared(schema);
        if let Json::Object(object) = &mut document
            && let Some(Json::Object(own)) = object.get_mut(DEFS)
        {
            own.retain(|name, _| !self.definitions.contains_key(name));
            if own.is_empty() {
                object.shift_remove(DEFS);
            }
        }
        self.point(&mut document);
        self.was_cut |= cut(&mut document, DEEPEST);
        matches!(document, Json::Object(_) | Json::Bool(_)).then_some(document)
    }

    /// The document without definitions if all of them are shared, else whole.
    fn without_shared(&self, schema: &LazySchema) -> Json {
        let is_shared = |name: &String| self.definitions.contains_key(name);
        if let Some((own, _)) = schema.own().filter(|(own, _)| definitions::names(own).iter().all(is_shared))
        {
            return own;
        }
        let seen = self.seen.get(&std::ptr::from_ref(schema));
        let seen = seen.filter(|(_, names)| names.iter().all(is_shared));
        seen.map_or_else(|| schema.document(), |(document, _)| document.clone())
    }

    /// Writes the block `schemas`, if there is anything in it. Nothing can be asked for afterwards.
    pub(super) fn put_block(&mut self, out: &mut String) {
        if self.definitions.is_empty() {
            return;
        }
        yaml::open("schemas", 0, out);
        for name in self.definitions.keys().cloned().collect::<Vec<_>>() {
            let Some(mut json) = self.definitions.get_mut(&name).map(std::mem::take) else { continue };
            self.point(&mut json);
            self.was_cut |= cut(&mut json, DEEPEST);
            yaml::json_entry(&name, &json, 2, out);
        }
    }

    /// Lets references lead to the block.
    fn point(&self, document: &mut Json) {
        rewrite(document, &|reference| {
            let name = pointer_name(reference, LOCAL).filter(|name| self.definitions.contains_key(name))?;
            Some(format!("{PREFIX}{name}{}", rest_of_pointer(reference, LOCAL)))
        });
    }
}

/// True when a part is referred to by its anchor or identifier, which it has only where it stands.
fn has_anchors(document: &Json) -> bool {
    let mut found = false;
    each_reference(document, &mut |reference| found |= reference != "#" && !reference.starts_with("#/"));
    found
}

/// Takes the definitions of a schema; gives the document without them, and their names.
fn gather(schema: &LazySchema, found: &mut BTreeMap<String, Option<Json>>) -> (Json, Vec<String>) {
    let mut document = schema.document();
    let own = document.as_object_mut().and_then(|document| document.shift_remove(DEFS));
    let Some(Json::Object(own)) = own else {
        // What is no object of definitions stays what it is.
        document.as_object_mut().into_iter().zip(own).for_each(|(document, own)| {
            document.insert(DEFS.to_owned(), own);
        });
        return (document, Vec::new());
    };
    let names = own.keys().cloned().collect();
    own.into_iter().for_each(|(name, json)| add(name, json, found));
    (document, names)
}

/// Adds a definition, unless its name means something else already.
fn add(name: String, json: Json, found: &mut BTreeMap<String, Option<Json>>) {
    if !is_plain(&name) || !is_schema(&json) {
        return;
    }
    match found.get_mut(&name) {
        None => {
            found.insert(name, Some(json));
        }
        Some(known) if known.as_ref() != Some(&json) => *known = None,
        Some(_) => {}
    }
}

/// Names that need no escapes in a reference.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b))
}

/// The definitions that lead to something that is no definition, over as many others as there are between.
fn broken(definitions: &BTreeMap<String, Json>) -> HashSet<String> {
    let (mut users, mut broken): (HashMap<String, Vec<&String>>, Vec<&String>) = Default::default();
    for (name, json) in definitions {
        each_reference(json, &mut |reference| match pointer_name(reference, LOCAL)
            .filter(|to| definitions.contains_key(to))
        {
            Some(to) => users.entry(to).or_default().push(name),
            None => broken.push(name),
        });
    }
    all_users(broken, &users)
}

/// These, and everything that uses one of them, directly or not.
pub(super) fn all_users<'n>(
    mut these: Vec<&'n String>,
    users: &HashMap<String, Vec<&'n String>>,
) -> HashSet<String> {
    let mut all = HashSet::new();
    while let Some(name) = these.pop() {
        if all.insert(name.clone()) {
            these.extend(users.get(name).into_iter().flatten());
        }
    }
    all
}

/// Replaces what is nested deeper; true when something was.
fn cut(json: &mut Json, left: usize) -> bool {
    let is_nested = matches!(json, Json::Array(_) | Json::Object(_));
    if is_nested && left == 0 {
        *json = Json::Bool(true);
        return true;
    }
    match json {
        Json::Array(elements) => elements.iter_mut().fold(false, |is, each| cut(each, left - 1) | is),
        Json::Object(object) => object.values_mut().fold(false, |is, each| cut(each, left - 1) | is),
        _ => false,
    }
}
