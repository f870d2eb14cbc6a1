//! The types that a source declares: which there are, under which name, and who needs them.
//!
//! Schemas of objects in, names out, each free; definitions are added later. A named schema is one type wherever it is
//! used. How many there are is bounded, and so is how deep types without names stand in each other.

use crate::public_names::pascal;
use aqueduct_operations::protocol_types::protocol_types;
use aqueduct_operations::types::TypeDef;
use aqueduct_schema::{ObjectSchema, SchemaResolver};
use std::collections::{HashMap, HashSet};

/// More types than this are not declared: for requests, and for answers.
const MOST_TYPES: [usize; 2] = [4_000, 2_000];
/// Types without names of their own are described so deep in each other: a circle of them has no end.
const DEPTH: usize = 4;
/// Types have names of at most so many characters.
const LONGEST_NAME: usize = 100;

/// Who needs a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeUse {
    /// Somebody who makes a request.
    Request,
    /// Somebody who reads an answer.
    Answer,
}

/// The types of a source.
#[derive(Debug)]
pub(super) struct TypeTable<R: SchemaResolver> {
    taken: HashSet<String>,
    /// How often a name was wanted.
    wanted: HashMap<String, usize>,
    by_reference: HashMap<(u32, String), usize>,
    pub entries: Vec<TypeEntry<R::Location>>,
    counts: [usize; 2],
}

/// One type.
#[derive(Debug)]
pub(super) struct TypeEntry<L> {
    pub name: String,
    pub object: ObjectSchema<L>,
    pub need: TypeUse,
    /// How many types without a name of their own it stands in.
    pub depth: usize,
    pub definition: Option<TypeDef>,
}

impl<R: SchemaResolver> Default for TypeTable<R> {
    fn default() -> TypeTable<R> {
        TypeTable {
            taken: protocol_types().into_iter().map(|each| each.name).collect(),
            wanted: HashMap::new(),
            by_reference: HashMap::new(),
            entries: Vec::new(),
            counts: [0; 2],
        }
    }
}

impl<R: SchemaResolver> TypeTable<R> {
    /// The name of the type that an object has, which is declared if there is room. `depth` is how many types without a
    /// name it stands in.
    pub(super) fn name_of(
        &mut self,
        resolver: &R,
        object: &ObjectSchema<R::Location>,
        called: &str,
        need: TypeUse,
        depth: usize,
    ) -> Option<String> {
        let key = key_of(resolver, object);
        if let Some(&index) = key.as_ref().and_then(|key| self.by_reference.get(key)) {
            let entry = &mut self.entries[index];
            if need == TypeUse::Request {
                entry.need = TypeUse::Request;
            }
            return Some(entry.name.clone());
        }
        let depth = if key.is_some() { 0 } else { depth };
        let count = &mut self.counts[need as usize];
        if *count >= MOST_TYPES[need as usize] || depth > DEPTH {
            return None;
        }
        *count += 1;
        let name = self.free_name(object.name.as_deref().unwrap_or(called));
        if let Some(key) = key {
            self.by_reference.insert(key, self.entries.len());
        }
        let entry = TypeEntry { name: name.clone(), object: object.clone(), need, depth, definition: None };
        self.entries.push(entry);
        Some(name)
    }

    /// The name of the type that an object has, if it is declared already.
    pub(super) fn known_name(&self, resolver: &R, object: &ObjectSchema<R::Location>) -> Option<String> {
        let index = *self.by_reference.get(&key_of(resolver, object)?)?;
        Some(self.entries[index].name.clone())
    }

    fn free_name(&mut self, wanted: &str) -> String {
        let mut base = pascal(wanted);
        base.truncate(LONGEST_NAME);
        if base.is_empty() {
            base = "Type".to_owned();
        }
        let number = self.wanted.entry(base.clone()).or_insert(0);
        loop {
            *number += 1;
            let name = if *number == 1 { base.clone() } else { format!("{base}{number}") };
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// The document and the reference of a schema with a name of its own.
fn key_of<R: SchemaResolver>(resolver: &R, object: &ObjectSchema<R::Location>) -> Option<(u32, String)> {
    object.name.as_ref()?;
    let reference = object.schema.get("$ref")?.as_str()?;
    Some((resolver.document(&object.location), reference.to_owned()))
}
