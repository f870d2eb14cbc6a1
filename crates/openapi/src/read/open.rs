//! Opening a document: its version, the documents it refers to (under the allow rule), and what leads nowhere.
//!
//! Text in; a library and warnings out, or the one reason why this is no OpenAPI document. What other documents cost is
//! bounded.

use super::anchors::{TextReference, TextReferences};
use super::error::OpenError;
use super::library::{DocumentSet, LoadedDocument, SpecVersion};
use super::outline::JsonOutline;
use super::{swagger2, text};
use aqueduct_documents::disk::MAX_DOCUMENT;
use aqueduct_source_kind::allow_refs::AllowRefs;
use aqueduct_source_kind::disk_reader::DiskReader;
use aqueduct_source_kind::document_location::DocumentLocation;
use aqueduct_source_kind::kind::DocumentReader;
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap};

/// More documents than this are not read.
const MAX_DOCUMENTS: usize = 1_000;
/// Members of the root that are larger than this and of no use to us are not parsed.
const MAX_EXTENSION: usize = 64 * 1024;
/// More warnings of one kind than this are only counted.
const MAX_REMARKS: usize = 100;

/// A document that could be opened.
#[derive(Debug)]
pub struct OpenedDocument {
    /// The document and those it refers to.
    pub library: DocumentSet,
    /// What could not be read, resolved or taken as it was.
    pub warnings: Vec<String>,
}

/// A document that was read, without those that it refers to: what it calls itself decides which of them may be read.
#[derive(Debug)]
pub struct RootDocument {
    library: DocumentSet,
    warnings: Vec<String>,
    mentions: TextReferences,
}

impl DocumentSet {
    /// Opens a document that stands in this place, a path or a URL. Other documents are read with the reader; without
    /// one, those of a file are read from the disk.
    pub fn open(
        place: &str,
        text: String,
        reader: Option<&dyn DocumentReader>,
        allow: &AllowRefs,
    ) -> Result<OpenedDocument, OpenError> {
        Ok(RootDocument::read(place, &text)?.open(reader, allow))
    }
}

impl RootDocument {
    /// Reads a document that stands in this place, and no other.
    pub fn read(place: &str, text: &str) -> Result<RootDocument, OpenError> {
        let prepared = text::prepare(place, text)?;
        let outline = prepared.outline;
        if let Some(found) = outline.not_an_object {
            return Err(OpenError::NotAnObject { found });
        }
        let version = stated_version(&prepared.text, &outline)?.ok_or_else(|| not_openapi(&outline))?;
        let mut warnings = prepared.warnings;
        for (section, found) in &outline.odd {
            match (section.as_str(), *found) {
                ("paths", found) if found != "null" => {
                    return Err(OpenError::Section { section: section.clone(), found });
                }
                _ => warnings
                    .push(format!("'{section}' is {found} instead of an object: it is taken as empty")),
            }
        }
        let root = root(&prepared.text, &outline);
        let place = DocumentLocation::parse(place);
        let mut mentions = TextReferences::of(&prepared.text, &place);
        let anchors = std::mem::take(&mut mentions.anchors);
        let document = LoadedDocument { place, text: prepared.text, outline, anchors, version };
        let library = DocumentSet {
            by_place: HashMap::from([(document.place.key(), 0)]),
            documents: vec![document],
            unread: HashMap::new(),
            root,
            discriminators: std::sync::OnceLock::new(),
            names: std::sync::Mutex::default(),
        };
        Ok(RootDocument { library, warnings, mentions })
    }

    /// The members of the document but its large sections.
    pub fn members(&self) -> &Map<String, Value> {
        &self.library.root
    }

    /// Reads what it refers to.
    pub fn open(self, reader: Option<&dyn DocumentReader>, allow: &AllowRefs) -> OpenedDocument {
        let RootDocument { mut library, warnings, mentions } = self;
        let root = &library.documents[0];
        let mut opening = DocumentOpener {
            allow,
            root: root.place.clone(),
            total: root.text.len(),
            warnings,
            references: vec![mentions.references],
        };
        opening.read_others(&mut library, mentions.outside, reader);
        opening.name_what_leads_nowhere(&library);
        if library.version() == SpecVersion::Swagger2 {
            swagger2::root(&mut library);
        }
        OpenedDocument { library, warnings: opening.warnings }
    }
}

struct DocumentOpener<'a> {
    allow: &'a AllowRefs,
    root: DocumentLocation,
    total: usize,
    warnings: Vec<String>,
    /// The references of each document.
    references: Vec<BTreeSet<TextReference>>,
}

impl DocumentOpener<'_> {
    fn read_others(
        &mut self,
        library: &mut DocumentSet,
        wanted: BTreeSet<String>,
        reader: Option<&dyn DocumentReader>,
    ) {
        let on_disk = DiskReader::beside(&self.root.key(), self.allow);
        let reader = match (reader, &self.root) {
            (Some(reader), _) => Some(reader),
            (None, DocumentLocation::File(_)) => Some(&on_disk as &dyn DocumentReader),
            (None, _) => None,
        };
        let mut waiting: Vec<String> = wanted.into_iter().rev().collect();
        while let Some(key) = waiting.pop() {
            if library.by_place.contains_key(&key)
                || library.unread.contains_key(&key)
                || library.documents.iter().any(|document| document.anchors.ids.contains_key(&key))
            {
                continue;
            }
            match self.read(&key, library, reader) {
                Ok((document, mentions)) => {
                    library.by_place.insert(key, library.documents.len() as u32);
                    library.documents.push(document);
                    waiting.extend(mentions.outside.into_iter().rev());
                    self.references.push(mentions.references);
                }
                Err(reason) => {
                    self.warnings.push(format!("the document '{key}' is referred to but {reason}"));
                    library.unread.insert(key, reason);
                }
            }
        }
    }

    fn read(
        &mut self,
        key: &str,
        library: &DocumentSet,
        reader: Option<&dyn DocumentReader>,
    ) -> Result<(LoadedDocument, TextReferences), String> {
        let place = DocumentLocation::parse(key);
        if !self.allow.allows(&self.root, &place) {
            return Err("is outside of what the document may refer to (see allow_refs)".to_owned());
        }
        let reader = reader.ok_or("there is no way to read it here")?;
        if library.documents.len() >= MAX_DOCUMENTS {
            return Err(format!("was not read: {MAX_DOCUMENTS} documents are the most"));
        }
        let text = reader.read(key).map_err(|reason| format!("could not be read: {reason}"))?;
        let prepared = text::prepare(key, &text).map_err(|error| format!("could not be read: {error}"))?;
        self.total += prepared.text.len();
        if self.total as u64 > 2 * MAX_DOCUMENT {
            return Err("was not read: together the documents are too large".to_owned());
        }
        self.warnings.extend(prepared.warnings.into_iter().map(|warning| format!("in '{key}': {warning}")));
        let mut mentions = TextReferences::of(&prepared.text, &place);
        let stated = stated_version(&prepared.text, &prepared.outline).ok().flatten();
        let version = stated.unwrap_or_else(|| library.version());
        let (outline, anchors) = (prepared.outline, std::mem::take(&mut mentions.anchors));
        Ok((LoadedDocument { place, text: prepared.text, outline, anchors, version }, mentions))
    }

    fn name_what_leads_nowhere(&mut self, library: &DocumentSet) {
        let mut more = 0;
        for (number, references) in self.references.iter().enumerate() {
            for mention in references {
                let Err(problem) = library.mentioned(mention, number as u32) else { continue };
                // Why a document could not be read was said once already.
                if library.unread.values().any(|reason| *reason == problem.reason) {
                    continue;
                }
                if self.warnings.len() >= MAX_REMARKS {
                    more += 1;
                    continue;
                }
                self.warnings.push(format!("{problem}; any value is accepted in its place"));
            }
        }
        if more > 0 {
            self.warnings.push(format!("{more} more references lead nowhere"));
        }
    }
}

/// The version that a document says it has, if it says one.
fn stated_version(text: &str, outline: &JsonOutline) -> Result<Option<SpecVersion>, OpenError> {
    let member = |name: &str| {
        let span = outline.members.get(name)?;
        let value: Value = serde_json::from_str(span.of(text)).unwrap_or_default();
        Some(value.as_str().map_or_else(|| value.to_string(), |text| text.trim().to_owned()))
    };
    let (key, stated) = match (member("openapi"), member("swagger")) {
        (Some(stated), _) => ("openapi", stated),
        (None, Some(stated)) => ("swagger", stated),
        (None, None) => return Ok(None),
    };
    let mut numbers = stated.split(['.', '-', '+']);
    match (numbers.next(), numbers.next()) {
        (Some("3"), Some("0") | None) => Ok(Some(SpecVersion::V3_0)),
        (Some("3"), Some("1")) => Ok(Some(SpecVersion::V3_1)),
        (Some("3"), Some("2")) => Ok(Some(SpecVersion::V3_2)),
        (Some("2"), Some("0") | None) => Ok(Some(SpecVersion::Swagger2)),
        _ => Err(OpenError::Version { found: format!("'{key}: {stated}'") }),
    }
}

fn not_openapi(outline: &JsonOutline) -> OpenError {
    let sections = outline.sections.keys().map(String::as_str);
    let mut names: Vec<&str> = outline.members.iter().map(|(name, _)| name).chain(sections).collect();
    let more = names.len().saturating_sub(8);
    names.truncate(8);
    let mut found = names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ");
    if names.is_empty() {
        found = "no keys".to_owned();
    } else if more > 0 {
        found = format!("{found} and {more} more");
    }
    OpenError::NotOpenApi { found }
}

fn root(text: &str, outline: &JsonOutline) -> Map<String, Value> {
    let wanted = |name: &str, length: usize| !name.starts_with("x-") || length <= MAX_EXTENSION;
    outline
        .members
        .iter()
        .map(|(name, span)| (name, span.of(text)))
        .filter(|(name, written)| wanted(name, written.len()))
        .map(|(name, written)| (name.to_owned(), serde_json::from_str(written).unwrap_or_default()))
        .collect()
}
