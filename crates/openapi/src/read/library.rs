//! The root document and the documents it refers to, as text with an index; parts are parsed when they are asked for.
//!
//! A `PartLocation` says where a part stands; it is small and can be kept. Parts of Swagger 2.0 documents come out in the words
//! of OpenAPI 3.

use super::anchors::Anchors;
use super::discriminator::Discriminators;
use super::outline::{JsonOutline, Span};
use super::schema::DefinitionNames;
use super::{strip, swagger2};
use aqueduct_source_kind::document_location::DocumentLocation;
use aqueduct_source_kind::unusable_patterns::{PatternChecker, UnusablePattern, in_text};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

/// The version of the standard that a document follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpecVersion {
    /// Swagger 2.0.
    Swagger2,
    /// OpenAPI 3.0.
    V3_0,
    /// OpenAPI 3.1.
    V3_1,
    /// OpenAPI 3.2.
    V3_2,
}

/// Where a part of a document stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PartLocation {
    pub(super) document: u32,
    pub(super) span: Span,
    pub(super) role: PartRole,
}

impl PartLocation {
    /// The number of the document in which it stands: references in it are relative to that.
    pub(crate) fn document_number(&self) -> u32 {
        self.document
    }
}

/// Which words a part has to be translated from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum PartRole {
    Plain,
    SwaggerPath,
    SwaggerScheme,
}

/// A document with its references, ready to be asked.
#[derive(Debug)]
pub struct DocumentSet {
    pub(super) documents: Vec<LoadedDocument>,
    pub(super) by_place: HashMap<String, u32>,
    /// Documents that are referred to but were not read, and why.
    pub(super) unread: HashMap<String, String>,
    pub(super) root: Map<String, Value>,
    /// Made when first asked for.
    pub(super) discriminators: OnceLock<Discriminators>,
    /// Given when first asked for.
    pub(super) names: Mutex<DefinitionNames>,
}

#[derive(Debug)]
pub(super) struct LoadedDocument {
    pub(super) place: DocumentLocation,
    pub(super) text: String,
    pub(super) outline: JsonOutline,
    pub(super) anchors: Anchors,
    pub(super) version: SpecVersion,
}

impl DocumentSet {
    /// The version of the root document.
    pub fn version(&self) -> SpecVersion {
        self.documents.first().map_or(SpecVersion::V3_0, |root| root.version)
    }

    /// The bytes of the root document.
    pub(crate) fn text_length(&self) -> usize {
        self.documents.first().map_or(0, |root| root.text.len())
    }

    /// The root without its large sections (paths, components, webhooks), in the words of OpenAPI 3.
    pub fn root(&self) -> &Map<String, Value> {
        &self.root
    }

    /// The path templates and their path items, in the order of the document. Read one with `path_item`.
    pub fn paths(&self) -> impl Iterator<Item = (&str, PartLocation)> {
        let role =
            if self.version() == SpecVersion::Swagger2 { PartRole::SwaggerPath } else { PartRole::Plain };
        self.section("paths")
            .filter(|(path, _)| !path.starts_with("x-"))
            .map(move |(path, span)| (path, PartLocation { document: 0, span, role }))
    }

    /// The webhooks by name, under either of their keys.
    pub fn webhooks(&self) -> impl Iterator<Item = (&str, PartLocation)> {
        let both = self.section("webhooks").chain(self.section("x-webhooks"));
        both.map(|(name, span)| (name, PartLocation { document: 0, span, role: PartRole::Plain }))
    }

    /// A component of the root document by the name of its kind in OpenAPI 3, such as `schemas` or `securitySchemes`.
    pub fn component(&self, kind: &str, name: &str) -> Option<PartLocation> {
        let (section, role) = self.component_section(kind);
        let span = self.documents.first()?.outline.section(&section)?.get(name)?;
        Some(PartLocation { document: 0, span, role })
    }

    /// The names of the components of one kind, in the order of the document.
    pub fn component_names<'l>(&'l self, kind: &str) -> impl Iterator<Item = &'l str> + use<'l> {
        let (section, _) = self.component_section(kind);
        self.section(&section).map(|(name, _)| name)
    }

    fn component_section(&self, kind: &str) -> (String, PartRole) {
        match (self.version(), kind) {
            (SpecVersion::Swagger2, "schemas") => ("definitions".to_owned(), PartRole::Plain),
            (SpecVersion::Swagger2, "securitySchemes") => {
                ("securityDefinitions".to_owned(), PartRole::SwaggerScheme)
            }
            _ => (format!("components/{kind}"), PartRole::Plain),
        }
    }

    fn section<'l>(&'l self, name: &str) -> impl Iterator<Item = (&'l str, Span)> + use<'l> {
        let section = self.documents.first().and_then(|root| root.outline.section(name));
        section.into_iter().flat_map(|section| section.iter())
    }

    /// A part, parsed. References in it are not followed.
    pub fn value(&self, node: &PartLocation) -> Value {
        match node.role {
            PartRole::Plain => serde_json::from_str(self.text(node)).unwrap_or_default(),
            PartRole::SwaggerPath => swagger2::path_item(self, node),
            PartRole::SwaggerScheme => swagger2::security_scheme(&self.plain(node)),
        }
    }

    /// A part, parsed without its examples: for everything that only needs to be called.
    pub fn lean(&self, node: &PartLocation) -> Value {
        match node.role {
            PartRole::Plain => strip::parse(self.text(node)),
            PartRole::SwaggerPath | PartRole::SwaggerScheme => self.value(node),
        }
    }

    /// The places of all documents, the root first.
    pub fn places(&self) -> impl Iterator<Item = String> {
        self.documents.iter().map(|document| document.place.key())
    }

    /// Patterns in all documents that no value can be held against.
    pub(crate) fn unusable_patterns(&self) -> Vec<UnusablePattern> {
        let mut checker = PatternChecker::default();
        let documents = self.documents.iter().enumerate();
        let found = documents.flat_map(|(number, document)| {
            let mut found = in_text(&document.text, &mut checker);
            // Places of other documents are told with the document.
            let other = (number > 0).then(|| document.place.key());
            for each in &mut found {
                each.place =
                    other.iter().fold(std::mem::take(&mut each.place), |at, key| format!("{key}#{at}"));
            }
            found
        });
        found.collect()
    }

    /// A part as the document has it.
    pub(super) fn plain(&self, node: &PartLocation) -> Value {
        strip::parse(self.text(node))
    }

    pub(super) fn document(&self, index: u32) -> Option<&LoadedDocument> {
        self.documents.get(index as usize)
    }

    fn text(&self, node: &PartLocation) -> &str {
        self.document(node.document).map_or("null", |document| node.span.of(&document.text))
    }
}
