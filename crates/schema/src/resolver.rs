//! How the reader of schemas finds what a reference means, whatever the schemas are kept in.
//!
//! A schema and where it stands in; the schema that its references lead to, and where that one stands, out. A set of
//! OpenAPI documents, the schemas of an adapter file and those of tools each implement it.

use crate::places::SchemaLocations;
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

/// Follows references between schemas.
pub trait SchemaResolver {
    /// Where a schema stands. References in it are relative to this.
    type Location: Copy + Eq + Hash + fmt::Debug;

    /// The schema after its references were followed; nothing when they lead nowhere.
    fn resolve<'s>(
        &'s self,
        schema: &'s Value,
        from: &Self::Location,
    ) -> Option<LocatedSchema<'s, Self::Location>>;

    /// The number of the document of a location: the same reference means the same everywhere in one document.
    fn document(&self, location: &Self::Location) -> u32;

    /// The types that a property of the named schema at this location chooses between.
    fn discriminator(&self, _location: &Self::Location) -> Option<SchemaDiscriminator<'_, Self::Location>> {
        None
    }
}

/// A schema without a reference, and where it stands.
#[derive(Debug, Clone)]
pub struct LocatedSchema<'s, L> {
    /// The schema.
    pub value: Cow<'s, Value>,
    /// Where it stands.
    pub location: L,
    /// The name of the definition that was referred to last.
    pub name: Option<String>,
}

/// A property whose value chooses a type.
pub struct SchemaDiscriminator<'s, L> {
    /// Its name.
    pub property: &'s str,
    /// The values that choose one.
    pub values: Vec<Box<str>>,
    /// The types whose fields go with some of the values; none when the schema lists them as its alternatives.
    pub subtypes: Vec<SchemaSubtype<'s, L>>,
}

/// A type that a discriminator chooses.
pub struct SchemaSubtype<'s, L> {
    /// The location of its schema.
    pub location: L,
    /// The values that choose it.
    pub values: &'s [Box<str>],
    /// Gives its schema.
    pub schema: Box<dyn Fn() -> Value + 's>,
}

/// Schemas that are documents of their own, such as those of tools.
#[derive(Debug, Default)]
pub struct SchemaDocuments {
    documents: Vec<Arc<Value>>,
}

/// Where a schema stands among documents: in the whole one, or in the part that a reference led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DocumentPart {
    document: u32,
    /// The address of the part, which stays where it is as long as the document is there.
    address: Option<usize>,
}

impl SchemaDocuments {
    /// Adds a document; its root stands at the location.
    pub fn add(&mut self, document: Arc<Value>) -> DocumentPart {
        self.documents.push(document);
        DocumentPart { document: self.documents.len() as u32 - 1, address: None }
    }
}

impl SchemaResolver for SchemaDocuments {
    type Location = DocumentPart;

    fn resolve<'s>(
        &'s self,
        schema: &'s Value,
        from: &DocumentPart,
    ) -> Option<LocatedSchema<'s, DocumentPart>> {
        let document = self.documents.get(from.document as usize)?;
        let value = SchemaLocations::of(document).follow(schema)?;
        let was_followed = schema.get("$ref").is_some();
        let address = was_followed.then(|| std::ptr::from_ref(value).addr()).or(from.address);
        let location = DocumentPart { address, ..*from };
        Some(LocatedSchema { value: Cow::Borrowed(value), location, name: None })
    }

    fn document(&self, location: &DocumentPart) -> u32 {
        location.document
    }
}

#[cfg(test)]
mod tests;
