//! The one table of kinds, and the question which of them something is.
//!
//! A candidate in; the kind that is surest of it, or a sentence that says what is known, out. A new kind is one line here.

use crate::mcp_server::{McpServerKind, ServerConnector, ServersFileKind};
use crate::scan::DirectoryKind;
use aqueduct_adapter_files::AdapterFileKind;
use aqueduct_adapter_files::file_servers::NoServers;
use aqueduct_openapi::OpenApiKind;
use aqueduct_source_kind::kind::{Candidate, ChangeListener, ImportInfo, Recognition, SourceKind};
use std::sync::Arc;

/// The kinds of sources, in the order in which they are asked.
#[derive(Debug, Clone)]
pub struct KindTable {
    known: Vec<Arc<dyn SourceKind>>,
    /// Those that a program added.
    added: Vec<Arc<dyn SourceKind>>,
}

/// The kinds that come with this crate, with the connector to their servers.
fn known(servers: Arc<dyn ServerConnector>) -> Vec<Arc<dyn SourceKind>> {
    let mcp_server = Arc::new(McpServerKind(Arc::clone(&servers)));
    let adapter_file = Arc::new(AdapterFileKind(servers));
    vec![
        Arc::new(OpenApiKind),
        Arc::clone(&mcp_server) as Arc<dyn SourceKind>,
        Arc::new(ServersFileKind(mcp_server)),
        Arc::new(DirectoryKind(Arc::clone(&adapter_file))),
        adapter_file,
    ]
}

/// Kinds that know what something is, and connect to nothing.
impl Default for KindTable {
    fn default() -> KindTable {
        KindTable { known: known(Arc::new(NoServers)), added: Vec::new() }
    }
}

impl KindTable {
    /// Adds a kind. It is asked after those that are there.
    pub fn add(&mut self, kind: Arc<dyn SourceKind>) {
        self.added.push(kind);
    }

    /// The same kinds, connecting to servers.
    #[must_use]
    pub fn connected(self, servers: Arc<dyn ServerConnector>) -> KindTable {
        KindTable { known: known(servers), ..self }
    }

    fn kinds(&self) -> impl DoubleEndedIterator<Item = &Arc<dyn SourceKind>> {
        self.known.iter().chain(&self.added)
    }

    /// The kind that is surest that this is one of its own. Content is looked at when the name says nothing, and by one kind after
    /// the other only until one knows it: it may have many megabytes.
    pub fn recognise(&self, candidate: &Candidate<'_>) -> Option<(Arc<dyn SourceKind>, Recognition)> {
        let by_name = self.surest(&Candidate { content: None, ..*candidate });
        if candidate.content.is_none()
            || by_name.as_ref().is_some_and(|(_, found)| *found >= Recognition::Name)
        {
            return by_name;
        }
        let knows = |kind: &&Arc<dyn SourceKind>| kind.recognise(candidate) >= Some(Recognition::Content);
        match self.kinds().find(knows) {
            Some(kind) => Some((Arc::clone(kind), Recognition::Content)),
            None => self.surest(candidate),
        }
    }

    fn surest(&self, candidate: &Candidate<'_>) -> Option<(Arc<dyn SourceKind>, Recognition)> {
        // Of several that are as sure, `max_by_key` gives the last: the first in the table.
        let recognised = self.kinds().rev().filter_map(|kind| Some((kind, kind.recognise(candidate)?)));
        let best = recognised.max_by_key(|(_, confidence)| *confidence);
        best.map(|(kind, confidence)| (Arc::clone(kind), confidence))
    }

    /// Waits until what was opened has said what it offers, or is known not to.
    pub fn wait_for_connections(&self) {
        self.kinds().for_each(|kind| kind.wait_for_connections());
    }

    /// Calls the listener whenever a connection of any kind offers something else than before.
    pub fn follow_connections(&self, listener: impl Fn() + Clone + Send + 'static) {
        let listener = || -> ChangeListener { Box::new(listener.clone()) };
        self.kinds().for_each(|kind| kind.follow_connections(listener()));
    }

    /// The kind that this word after `aqueduct import` imports.
    pub fn imported_by(&self, command: &str) -> Option<&Arc<dyn SourceKind>> {
        self.kinds().find(|kind| kind.explain().import.is_some_and(|import| import.command == command))
    }

    /// The subcommands of `aqueduct import`.
    pub fn imports(&self) -> Vec<ImportInfo> {
        let mut imports: Vec<ImportInfo> = Vec::new();
        for import in self.kinds().filter_map(|kind| kind.explain().import) {
            if !imports.iter().any(|known| known.command == import.command) {
                imports.push(import);
            }
        }
        imports
    }

    /// How sources are given, for help: the kind that is asked last first, because it is what most is taken for.
    pub fn given_as(&self) -> String {
        self.kinds().rev().map(|kind| kind.explain().given_as).collect::<Vec<_>>().join(", ")
    }

    /// How each kind is recognised, in one sentence.
    pub fn known_forms(&self) -> String {
        let forms: Vec<&str> = self.kinds().filter_map(|kind| kind.explain().recognised_by).collect();
        match forms.as_slice() {
            [] => String::new(),
            [only] => (*only).to_owned(),
            [others @ .., last] => format!("{}, and {last}", others.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests;
