//! Which schemas stand under `schemas`, so that a large one is written once and not with everything that uses it.
//!
//! The documents of all parameters and answers in; the shared definitions, and each document without them, out. A
//! definition is shared when its name means the same in every document, and so do all names that it leads to.

use crate::adapter_file::schema_references::{
    PREFIX, each_reference, pointer_name, rest_of_pointer, rewrite,
};
use aqueduct_operations::registry::Loaded;
use aqueduct_schema::LazySchema;
use serde_json::{Map, Value as Json};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

const DEFS: &str = "$defs";
const LOCAL: &str = "#/$defs/";
/// Deeper values than this are not read back.
const DEEPEST: usize = 34;

/// The shared definitions of a file.
#[derive(Debug, Default)]
pub(super) struct Shared {
    definitions: BTreeMap<String, Json>,
    /// The documents of schemas without their definitions, with the names of these. To put one together takes long: each
    /// holds all that it leads to.
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

impl Shared {
    /// Gathers the definitions that mean the same everywhere.
    pub(super) fn of(loaded: &Loaded) -> Shared {
        let mut found: BTreeMap<String, Option<Json>> = BTreeMap::new();
        let mut seen = HashMap::new();
        let mut whole = HashSet::new();
        for operation in &loaded.operations {
            let of_params = operation.params.iter().filter_map(|param| param.schema.as_deref());
            for schema in of_params.chain(operation.output.as_deref()) {
                if has_anchors(&schema.document()) {
                    whole.insert(std::ptr::from_ref(schema));
                    continue;
                }
                seen.insert(std::ptr::from_ref(schema), gather(schema, &mut found));
            }
        }
        let mut definitions: BTreeMap<String, Json> =
            found.into_iter().filter_map(|(name, json)| Some((name, json?))).collect();
        loop {
            let broken: Vec<String> = definitions
                .iter()
                .filter(|(_, json)| !leads_only_to(json, &definitions))
                .map(|(name, _)| name.clone())
                .collect();
            if broken.is_empty() {
                break;
            }
            for name in broken {
                definitions.remove(&name);
            }
        }
        Shared { definitions, seen, whole, ..Shared::default() }
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
        let is_shared = |names: &Vec<String>| names.iter().all(|name| self.definitions.contains_key(name));
        let seen = self.seen.get(&std::ptr::from_ref(schema)).filter(|(_, names)| is_shared(names));
        let mut document = seen.map_or_else(|| schema.document(), |(document, _)| document.clone());
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

    /// The block `schemas`.
    pub(super) fn block(&mut self) -> Map<String, Json> {
        let mut block = Map::new();
        for (name, json) in &self.definitions {
            let mut json = json.clone();
            self.point(&mut json);
            block.insert(name.clone(), json);
        }
        for json in block.values_mut() {
            self.was_cut |= cut(json, DEEPEST);
        }
        block
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
    for (name, json) in own.into_iter().filter(|(name, json)| is_plain(name) && is_schema(json)) {
        match found.get_mut(&name) {
            None => {
                found.insert(name, Some(json));
            }
            Some(known) if known.as_ref() != Some(&json) => *known = None,
            Some(_) => {}
        }
    }
    (document, names)
}

fn is_schema(json: &Json) -> bool {
    matches!(json, Json::Object(_) | Json::Bool(_))
}

/// Names that need no escapes in a reference.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b))
}

fn leads_only_to(json: &Json, definitions: &BTreeMap<String, Json>) -> bool {
    let mut leads: BTreeSet<Option<String>> = BTreeSet::new();
    each_reference(json, &mut |reference| {
        leads.insert(pointer_name(reference, LOCAL));
    });
    leads.iter().all(|name| name.as_ref().is_some_and(|name| definitions.contains_key(name)))
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
