//! Small documents of every version, whole and broken, as a user would give them.
//!
//! The tests stand in files by subject; here is what they share: a reader with documents in memory, and ways to
//! open a text and look at its parts.

use super::{DocumentSet, OpenError, OpenedDocument, PartLocation, ResolvedReference, SpecVersion};
use aqueduct_source_kind::allow_refs::AllowRefs;
use aqueduct_source_kind::kind::DocumentReader;
use serde_json::Value;
use std::collections::HashMap;

mod bad_input;
mod discriminators;
mod documents;
mod references;
mod schemas;
mod swagger2;
mod yaml;

/// A reader with documents in memory.
struct DocumentsInMemory(HashMap<String, String>);

impl DocumentsInMemory {
    fn of(documents: &[(&str, &str)]) -> DocumentsInMemory {
        DocumentsInMemory(
            documents.iter().map(|(place, text)| ((*place).to_owned(), (*text).to_owned())).collect(),
        )
    }
}

impl DocumentReader for DocumentsInMemory {
    fn read(&self, place: &str) -> Result<String, String> {
        self.0.get(place).cloned().ok_or_else(|| "there is no such document".to_owned())
    }
}

fn open(text: &str) -> OpenedDocument {
    DocumentSet::open("api.json", text.to_owned(), Some(&DocumentsInMemory::of(&[])), &AllowRefs::default())
        .unwrap()
}

fn open_value(document: &Value) -> OpenedDocument {
    open(&document.to_string())
}

fn refused(text: &str) -> OpenError {
    DocumentSet::open("api.json", text.to_owned(), None, &AllowRefs::default()).unwrap_err()
}

fn open_with(place: &str, documents: &[(&str, &str)], allow: &[&str]) -> OpenedDocument {
    let known = DocumentsInMemory::of(documents);
    let allow = AllowRefs::new(allow.iter().map(ToString::to_string));
    DocumentSet::open(place, known.0[place].clone(), Some(&known), &allow).unwrap()
}

fn path(library: &DocumentSet, template: &str) -> PartLocation {
    library.paths().find(|(path, _)| *path == template).unwrap().1
}

/// The schema of a component, complete in itself.
fn schema_of(library: &DocumentSet, name: &str) -> Value {
    let node = library.component("schemas", name).unwrap();
    library.schema(&library.value(&node), &node)
}

/// What stands below a path item, token by token, references followed on the way.
fn find(library: &DocumentSet, template: &str, tokens: &[&str]) -> Option<ResolvedReference<'static>> {
    let mut here = library.path_item(&path(library, template)).ok()?;
    for token in tokens {
        let next = match &*here.value {
            Value::Array(elements) => elements.get(token.parse::<usize>().ok()?)?,
            value => value.get(token)?,
        };
        let found = library.resolve(next, &here.location).ok()?;
        let value = std::borrow::Cow::Owned(found.value.into_owned());
        here = ResolvedReference { value, location: found.location, name: found.name };
    }
    Some(here)
}
