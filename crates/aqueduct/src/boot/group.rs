//! What one given source stands for: itself, or the sources of a list.
//!
//! A given source in, states out. A list may change: what is new in it gets a state, what is gone loses it.

use super::SourceInput;
use super::loading::LoadContext;
use super::origin::{NoContent, OnDisk};
use super::recognise::{RecognisedSource, kind_by_name};
use super::source_set::FileChange;
use super::source_state::{RefreshScope, SourceState};
use super::web_fetch::Notifier;
use crate::build_error::BuildError;
use aqueduct_documents::disk::MAX_DOCUMENT;
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity};
use aqueduct_operations::rate_limits::RateLimits;
use aqueduct_source_kind::connection::{Connection, PreparedConnection};
use aqueduct_source_kind::kind::{ContentLocation, EmptyList, ListedSource, SourceKind};
use aqueduct_source_kind::settings::SourceSettings;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Sources that were given together.
#[derive(Debug)]
pub(super) struct SourceGroup {
    list: Option<SourceList>,
    states: Vec<SourceState>,
}

/// What the sources of a group are found in.
#[derive(Debug)]
struct SourceList {
    kind: Arc<dyn SourceKind>,
    path: PathBuf,
    /// The list itself, where it is a file; a directory is looked at each time.
    file: Option<OnDisk>,
    settings: SourceSettings,
    notifier: Notifier,
    diagnostics: Vec<Diagnostic>,
    /// Why there was nothing in it the last time.
    empty: Option<EmptyList>,
    /// It was read once.
    is_opened: bool,
    /// The only connection that was in it at the start: what is set for the list is meant for that one.
    only_connection: Option<String>,
    /// The names of files that were there and are gone: one that comes back is the same source.
    removed: HashMap<PathBuf, String>,
}

impl SourceGroup {
    /// Reads what was given. What the user named must be there; what was found in a list may be unreadable, and a
    /// connection or a document on the web may take its time.
    pub fn open(
        source: SourceInput,
        context: &LoadContext,
        notifier: &Notifier,
    ) -> Result<SourceGroup, BuildError> {
        let (path, mut settings) = match source {
            SourceInput::Text { file, text, settings } => {
                let kind = kind_by_name(&file, &context.kinds)?;
                return Ok(SourceGroup::one(SourceState::of_text(kind, file, text, settings, context)));
            }
            SourceInput::Ready(mut loaded) => {
                let source = &mut loaded.source;
                let settings = context.by_name.settings_of(&source.name, &SourceSettings::default());
                source.cache = settings.as_ref().and_then(|settings| settings.cache).unwrap_or(source.cache);
                let limits = settings.and_then(|settings| settings.rate_limits);
                source.rate_limits = RateLimits::of(None, limits.as_ref()).map(Arc::new);
                return Ok(SourceGroup::one(SourceState::ready(*loaded)));
            }
            SourceInput::Path(path, settings) => (path, settings),
        };
        let (recognised, read) = RecognisedSource::with_content(&path, &context.kinds)?;
        let (kind, mut location) = match recognised {
            RecognisedSource::List { kind, path } => {
                let mut list = SourceList::new(kind, path, settings, notifier.clone());
                if let Some(file) = &mut list.file {
                    file.take_first(read);
                }
                return SourceGroup::of_list(list, context);
            }
            RecognisedSource::Content { kind, location } => (kind, location),
        };
        let mut warning = None;
        if let ContentLocation::Connection(connection) = &mut location {
            let prepared = prepared(&**connection, &settings, context)
                .map_err(|refused| BuildError::Invalid(vec![refused]))?;
            (*connection, warning) = (prepared.connection, prepared.warning);
            connection.open();
        }
        if let (ContentLocation::Web(_), Some(name)) = (&location, &settings.source_name) {
            settings = context.by_name.settings_of(name, &settings).unwrap_or(settings);
        }
        let mut state = SourceState::new(kind, location, settings, &context.kinds, notifier);
        state.set_setting_warning(warning);
        state.take_first(read);
        state.begin();
        if state.path().is_some() {
            state.poll(RefreshScope::All, context)?;
        }
        Ok(SourceGroup::one(state))
    }

    fn one(state: SourceState) -> SourceGroup {
        SourceGroup { list: None, states: vec![state] }
    }

    fn of_list(mut list: SourceList, context: &LoadContext) -> Result<SourceGroup, BuildError> {
        let mut states = Vec::new();
        list.read(RefreshScope::All, &mut states, context)?;
        match list.empty.take() {
            // What is put into a directory later is served, so one that is empty keeps nothing else from being served.
            Some(EmptyList::Nothing(message)) if list.file.is_none() => {
                let (shown, warning) = (list.path.display().to_string(), DiagnosticSeverity::Warning);
                list.diagnostics.push(Diagnostic::about(shown, warning, "DIRECTORY_EMPTY", message.clone()));
                list.empty = Some(EmptyList::Nothing(message));
            }
            Some(empty) => return Err(BuildError::from(empty)),
            None => {}
        }
        let has_errors = list.diagnostics.iter().any(|each| each.severity == DiagnosticSeverity::Error);
        if states.is_empty() && has_errors {
            return Err(BuildError::Invalid(list.diagnostics));
        }
        for state in states.iter_mut().filter(|state| state.path().is_some()) {
            if let Err(error) = state.poll(RefreshScope::All, context) {
                state.mark_missing(&error);
            }
        }
        Ok(SourceGroup { list: Some(list), states })
    }

    /// Lets a connection that is the only source name itself; those of a list have their keys.
    pub fn let_name_itself(&mut self) {
        if self.list.is_none() {
            self.states.iter_mut().for_each(SourceState::let_name_itself);
        }
    }

    /// Takes what connections have said by now.
    pub fn poll_connections(&mut self, context: &LoadContext) {
        for state in self.states.iter_mut().filter(|state| state.connection().is_some()) {
            // One that has said nothing yet is no error: it is noted on the state.
            if let Err(error) = state.poll(RefreshScope::All, context) {
                state.mark_missing(&error);
            }
        }
    }

    /// Finds what is in the list now; gives those of which nothing is left.
    pub fn list(&mut self, scope: RefreshScope<'_>, context: &LoadContext) -> Vec<FileChange> {
        let removed = match &mut self.list {
            None => Vec::new(),
            Some(_) if matches!(scope, RefreshScope::Connections) => Vec::new(),
            // A list that cannot be read takes nothing out of service.
            Some(list) => list.read(scope, &mut self.states, context).unwrap_or_default(),
        };
        let served = removed.iter().filter_map(SourceState::served);
        served.map(|version| FileChange::Gone { source: version.name().to_owned() }).collect()
    }

    /// True when it may stand for several sources.
    pub fn is_several(&self) -> bool {
        self.list.is_some()
    }

    /// Findings about the list itself.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        self.list.as_ref().map_or(&[], |list| &list.diagnostics)
    }

    /// Why there is nothing in it.
    pub fn why_empty(&self) -> Option<&str> {
        match &self.list.as_ref()?.empty {
            Some(EmptyList::Nothing(message)) => Some(message),
            _ => None,
        }
    }

    /// The directory that it is.
    pub fn directory(&self) -> Option<&Path> {
        self.list.as_ref().filter(|list| list.file.is_none()).map(|list| list.path.as_path())
    }

    /// The path that was given for a list.
    pub fn own_path(&self) -> Option<&Path> {
        self.list.as_ref().map(|list| list.path.as_path())
    }

    pub fn states(&self) -> impl Iterator<Item = &SourceState> {
        self.states.iter()
    }

    pub fn states_mut(&mut self) -> impl Iterator<Item = &mut SourceState> {
        self.states.iter_mut()
    }
}

impl SourceList {
    fn new(
        kind: Arc<dyn SourceKind>,
        path: PathBuf,
        settings: SourceSettings,
        notifier: Notifier,
    ) -> SourceList {
        let file = (!path.is_dir()).then(|| OnDisk::new(path.clone(), MAX_DOCUMENT));
        SourceList {
            kind,
            path,
            file,
            settings,
            notifier,
            diagnostics: Vec::new(),
            empty: None,
            is_opened: false,
            only_connection: None,
            removed: HashMap::new(),
        }
    }

    /// Reads the list where it may have changed: what is new in it gets a state, and connections are opened; what is gone
    /// comes out, and connections are closed.
    fn read(
        &mut self,
        scope: RefreshScope<'_>,
        states: &mut Vec<SourceState>,
        context: &LoadContext,
    ) -> Result<Vec<SourceState>, NoContent> {
        let content = match &mut self.file {
            None => None,
            Some(file) => match file.poll(scope)? {
                Some(bytes) => Some(bytes),
                None => return Ok(Vec::new()),
            },
        };
        let listed = self.kind.list(&self.path, content.as_deref());
        self.diagnostics = listed.diagnostics;
        self.empty = listed.empty;
        if listed.is_unsettled && self.is_opened {
            return Ok(Vec::new());
        }
        if let ([ListedSource { location: ContentLocation::Connection(only), .. }], false) =
            (listed.sources.as_slice(), self.is_opened)
        {
            self.only_connection = Some(only.name().to_owned());
        }
        let mut known = std::mem::take(states);
        for source in listed.sources {
            match self.state_of(source, &mut known, context) {
                Ok(state) => states.push(state),
                Err(refused) => self.diagnostics.push(refused),
            }
        }
        self.is_opened = true;
        known.iter().filter_map(SourceState::connection).for_each(|removed| removed.close());
        let names =
            known.iter().filter_map(|state| Some((state.path()?.to_owned(), state.first_name()?.to_owned())));
        self.removed.extend(names);
        Ok(known)
    }

    /// The state of a source of the list: the one that it has, or a new one.
    fn state_of(
        &mut self,
        source: ListedSource,
        known: &mut Vec<SourceState>,
        context: &LoadContext,
    ) -> Result<SourceState, Diagnostic> {
        let ListedSource { kind, mut location } = source;
        let mut settings = self.settings.clone();
        if let ContentLocation::Connection(connection) = &mut location {
            settings = self.settings_of(connection.name());
            let prepared = prepared(&**connection, &settings, context)?;
            *connection = prepared.connection;
            self.diagnostics.extend(prepared.warning);
        }
        if let Some(index) = known.iter().position(|state| state.is_at(&location)) {
            return Ok(known.swap_remove(index));
        }
        if let ContentLocation::Connection(connection) = &location {
            connection.open();
        }
        let mut state = SourceState::new(Some(kind), location, settings, &context.kinds, &self.notifier);
        state.begin();
        if let Some(path) = state.path() {
            let before = self.removed.get(path).cloned();
            if self.file.is_none() {
                state = state.found_in(&self.path);
            }
            if self.is_opened {
                state = state.added_later(before);
            }
        }
        Ok(state)
    }

    /// What is set for a connection of the list. Credentials and an address that were given for the list as a whole are for
    /// the only one that it had: no other gets that one's token.
    fn settings_of(&self, name: &str) -> SourceSettings {
        if self.only_connection.as_deref() != Some(name) {
            return SourceSettings {
                source_name: None,
                base_url: None,
                auth: None,
                headers: Vec::new(),
                ..self.settings.clone()
            };
        }
        self.settings.clone()
    }
}

/// A connection with what is set for it, and a warning about what has no effect.
fn prepared(
    connection: &dyn Connection,
    settings: &SourceSettings,
    context: &LoadContext,
) -> Result<PreparedConnection, Diagnostic> {
    // Two of one host or program are told apart by the names that they are given.
    let name = settings.source_name.as_deref().unwrap_or(connection.name());
    let by_name = context.by_name.settings_of(name, settings);
    connection.prepare(by_name.as_ref().unwrap_or(settings))
}
