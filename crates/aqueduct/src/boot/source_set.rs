//! All sources, in the order in which they were given, and the registry of those that are good.
//!
//! Given sources in; a registry, diagnostics and what became of each source out. At the start whatever is given by name must
//! be there; later on nothing that goes wrong takes anything out of service (ruling S8), except that a file which is gone
//! from a directory, or a connection from a list, is gone from the registry too.

use super::group::SourceGroup;
use super::loading::LoadContext;
use super::source_state::{RefreshScope, SourceState, SourceVersion};
use super::web_content::LONGEST;
use super::web_fetch::Notifier;
use super::{SourceInput, SourceSection};
use crate::build_error::BuildError;
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity};
use aqueduct_operations::exposure::Exposure;
use aqueduct_operations::gatekeeper::GateDecision;
use aqueduct_operations::operation::{Operation, RegistryEntry};
use aqueduct_operations::registry::{
    LoadedSource, NamingScheme, OwnOperations, Registry, SharedSource, SourceProblem,
};
use aqueduct_operations::source::Source;
use aqueduct_operations::trust::TrustLevel;
use aqueduct_source_kind::connection::Connection;
use aqueduct_source_kind::report::ImportReport;
use aqueduct_sources::kind_table::KindTable;
use aqueduct_sources::overrides::{INVALID_OVERRIDE, SourceNames, excuse_unknown, is_unmade};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Every source that is served, or should be.
#[derive(Debug)]
pub(crate) struct SourceSet {
    groups: Vec<SourceGroup>,
    context: LoadContext,
    names: NamingScheme,
    exposure: Exposure,
    own: OwnOperations,
    problems: Vec<SourceProblem>,
    /// How far each source was trusted last, by its name, also when it is gone for a while.
    trusted: BTreeMap<String, TrustLevel>,
    notifier: Notifier,
}

/// How sources are loaded.
#[derive(Debug)]
pub(crate) struct SourceSetSettings {
    /// What every source is loaded with.
    pub context: LoadContext,
    /// Which tools there are.
    pub exposure: Exposure,
    /// The longest wait for documents on the web while there is something else to serve.
    pub patience: Duration,
    /// What the server offers besides its sources.
    pub own: OwnOperations,
}

/// What looking again gave.
#[derive(Debug)]
pub(crate) struct Refreshed {
    /// What to serve now; nothing when all is as it was.
    pub registry: Option<Registry>,
    /// It offers something else than before.
    pub is_new: bool,
    /// What became of each file that changed.
    pub changes: Vec<FileChange>,
    /// Findings about the files that changed.
    pub diagnostics: Vec<Diagnostic>,
}

/// What of all that is offered is served.
#[derive(Debug, Default)]
struct ServedChoice {
    /// What cannot be served beside the others, by its place among the states, and why.
    refusals: BTreeMap<usize, String>,
    /// The rest together; nothing when nothing new is served.
    registry: Option<Registry>,
}

/// What became of a file that changed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum FileChange {
    /// It is served as it is now.
    Taken {
        /// The source's name.
        source: String,
        /// Its version.
        version: String,
        /// How many operations it has.
        operations: usize,
    },
    /// It is served, and says that it is to be trusted further than before.
    Raised {
        /// The file.
        file: String,
        /// The source's name.
        source: String,
        /// How far it was trusted.
        from: TrustLevel,
        /// How far it is trusted now.
        to: TrustLevel,
        /// Operations that can be called now and could not before, or that no person is asked about any more.
        callable: Vec<String>,
    },
    /// It is gone.
    Gone {
        /// The source's name.
        source: String,
    },
    /// It is no good as it is now.
    Refused {
        /// The file.
        file: String,
        /// Its last good version is served.
        is_served: bool,
    },
}

impl SourceSet {
    /// Loads all sources. One source has bare names; several, or a directory, are namespaced. A file with errors does not
    /// keep others from being served.
    pub fn open(
        given: Vec<SourceInput>,
        settings: SourceSetSettings,
    ) -> Result<(SourceSet, Registry, Vec<Diagnostic>), BuildError> {
        let SourceSetSettings { context, exposure, patience, own } = settings;
        let several = given.len() > 1;
        let notifier = Notifier::default();
        let groups = open_groups(given, &context, &notifier, patience)?;
        let is_namespaced = several || groups.iter().any(SourceGroup::is_several);
        let names = if is_namespaced { NamingScheme::Namespaced } else { NamingScheme::Bare };
        let (problems, trusted) = (Vec::new(), BTreeMap::new());
        let mut sources = SourceSet { groups, context, names, exposure, own, problems, trusted, notifier };
        let diagnostics = sources.check_start()?;
        let offered: Vec<&Arc<SourceVersion>> = sources.states().filter_map(SourceState::offered).collect();
        let registry = sources.build(&offered, &sources.required_at_start())?;
        for state in sources.states_mut() {
            state.accept();
            state.finish_start();
            // Of a connection the diagnostic says it all.
            if !state.is_usable() && state.connection().is_none() {
                tracing::warn!(target: "aqueduct::load", file = state.file(), "is not served");
            }
        }
        sources.problems = sources.find_problems();
        let trusted = sources.states().filter_map(SourceState::served).map(|version| version.trust());
        sources.trusted = trusted.collect();
        let registry = registry.with_problems(sources.problems.clone());
        Ok((sources, registry, diagnostics))
    }

    /// All findings about the sources that were opened; an error when nothing can be served, or a correction cannot be made.
    fn check_start(&self) -> Result<Vec<Diagnostic>, BuildError> {
        let has_sources = self.states().next().is_some();
        if !has_sources && self.own.entries.is_empty() {
            let empty = self.groups.iter().find_map(SourceGroup::why_empty);
            return Err(empty.map_or(BuildError::NoSource, |empty| BuildError::Nothing(empty.to_owned())));
        }
        let lists = self.groups.iter().flat_map(SourceGroup::diagnostics);
        let mut diagnostics: Vec<Diagnostic> =
            lists.chain(self.states().flat_map(SourceState::diagnostics)).cloned().collect();
        diagnostics.extend(self.idle_corrections());
        diagnostics.extend(self.idle_sections());
        if diagnostics.iter().any(is_unmade) {
            return Err(BuildError::Invalid(diagnostics));
        }
        if !has_sources || self.states().any(can_serve) {
            return Ok(diagnostics);
        }
        let not_there: Option<Vec<String>> = self.states().map(SourceState::web_error).collect();
        Err(not_there.map_or(BuildError::Invalid(diagnostics), |all| BuildError::Web(all.join("; "))))
    }

    /// The sources that settings are given for, and that must be there.
    fn required_at_start(&self) -> Vec<&String> {
        // A document that has not come may turn out to have any name.
        if self.states().any(SourceState::is_nameless) {
            return Vec::new();
        }
        let failed: Vec<String> =
            self.states().filter(|state| !state.is_usable()).map(SourceState::name).collect();
        self.context.by_name.required.keys().filter(|name| !failed.contains(name)).collect()
    }

    /// Looks at the files again, and says what to serve from now on.
    pub fn refresh(&mut self, scope: RefreshScope<'_>) -> Refreshed {
        let mut changes: Vec<FileChange> = Vec::new();
        let mut diagnostics = Vec::new();
        for group in &mut self.groups {
            let before = group.diagnostics().to_vec();
            changes.extend(group.list(scope, &self.context));
            // What was told of the list before is not told again.
            diagnostics.extend(group.diagnostics().iter().filter(|each| !before.contains(each)).cloned());
        }
        let mut is_new = !changes.is_empty();
        let mut polled = Vec::new();
        if matches!(scope, RefreshScope::All) {
            // Documents on the web are fetched together.
            self.groups.iter_mut().flat_map(SourceGroup::states_mut).for_each(SourceState::begin);
        }
        for state in self.groups.iter_mut().flat_map(SourceGroup::states_mut) {
            polled.push(state.poll(scope, &self.context).unwrap_or_else(|error| state.mark_missing(&error)));
        }
        let ServedChoice { refusals, registry } = self.choose();
        let mut trusted = std::mem::take(&mut self.trusted);
        for (index, state) in self.states_mut().enumerate() {
            let mut has_changed = polled[index];
            match refusals.get(&index) {
                Some(reason) => has_changed |= state.refuse(reason.clone()),
                None if state.accept() => {
                    is_new = true;
                    if let Some(version) = state.served() {
                        let (name, level) = version.trust();
                        let before = trusted.insert(name, level);
                        changes.push(taken(version));
                        changes.extend(before.and_then(|before| raised(state.file(), version, before)));
                    }
                }
                None => {}
            }
            if has_changed {
                diagnostics.extend(state.diagnostics().cloned());
                let file = state.file().to_owned();
                // Of a connection the diagnostic says it all.
                let problem = state.problem().filter(|_| state.connection().is_none());
                changes.extend(problem.map(|it| FileChange::Refused { file, is_served: it.is_served }));
            }
        }
        self.trusted = trusted;
        let problems = self.find_problems();
        let registry = match registry {
            _ if !is_new && problems == self.problems => None,
            Some(registry) => Some(registry),
            None => self.in_service(),
        };
        let registry = registry.map(|registry| registry.with_problems(problems.clone()));
        self.problems = problems;
        Refreshed { registry, is_new, changes, diagnostics }
    }

    /// Folders in which something can happen to the files.
    pub fn folders(&self) -> BTreeSet<PathBuf> {
        let mut folders = BTreeSet::new();
        for group in &self.groups {
            if let Some(directory) = group.directory() {
                folders.insert(directory.to_owned());
            }
            for path in group.own_path().into_iter().chain(group.states().flat_map(SourceState::paths)) {
                folders.extend(folder_of(path));
                // The file may be a link; what it leads to changes elsewhere.
                folders.extend(path.canonicalize().ok().as_deref().and_then(folder_of));
            }
        }
        folders
    }

    /// True when something may become of the sources while they are served.
    pub fn can_change(&self) -> bool {
        self.groups.iter().any(SourceGroup::is_several) || self.states().any(SourceState::can_change)
    }

    /// Calls this whenever a document on the web has come, or cannot be had.
    pub fn on_documents(&self, tell: impl Fn() + Send + 'static) {
        self.notifier.set_listener(tell);
    }

    /// The kinds of sources.
    pub fn kinds(&self) -> KindTable {
        self.context.kinds.clone()
    }

    /// What the imports did, by source.
    pub fn reports(&self) -> Vec<ImportReport> {
        self.states().filter_map(SourceState::report).cloned().collect()
    }

    /// The sources in service.
    pub fn loaded(&self) -> Vec<LoadedSource> {
        self.states().filter_map(SourceState::served).map(|version| version.shared.to_loaded()).collect()
    }

    /// What the only source behind a connection is reached by.
    pub fn connection(&self) -> Option<Arc<dyn Connection>> {
        self.only_connected()?.connection().cloned()
    }

    /// The discovery bundle of the only source behind a connection.
    pub fn bundle(&self, captured_at: &str) -> Option<Value> {
        let state = self.only_connected()?;
        let version = state.served()?;
        state.connection()?.bundle(&version.shared.to_loaded(), version.report.as_ref()?, captured_at)
    }

    fn only_connected(&self) -> Option<&SourceState> {
        let mut found = self.states().filter(|state| state.connection().is_some());
        let only = found.next()?;
        found.next().is_none().then_some(only)
    }

    /// Corrections that concern none of the sources. One that is not loaded may be the one that is meant.
    fn idle_corrections(&self) -> Vec<Diagnostic> {
        if !self.states().all(SourceState::is_usable) {
            return Vec::new();
        }
        let all: Vec<&SourceNames> = self.states().filter_map(SourceState::uncorrected).collect();
        let mut unknown = self.context.corrections.overrides.unknown(&all);
        if self.states().any(SourceState::withholds) {
            excuse_unknown(&mut unknown);
        }
        unknown
    }

    /// Sections of the configuration that belong to none of the sources. One that is not loaded may be the one that is meant.
    fn idle_sections(&self) -> Vec<Diagnostic> {
        let names: Vec<String> = self.states().map(SourceState::name).collect();
        let is_idle = |section: &&SourceSection| {
            self.states().all(SourceState::is_usable) && !names.contains(&section.name)
        };
        let unknown = |section: &SourceSection| {
            Diagnostic::about(&section.file, DiagnosticSeverity::Error, INVALID_OVERRIDE, section.problem())
        };
        self.context.by_name.sections.iter().filter(is_idle).map(unknown).collect()
    }

    fn states(&self) -> impl Iterator<Item = &SourceState> {
        self.groups.iter().flat_map(SourceGroup::states)
    }

    fn states_mut(&mut self) -> impl Iterator<Item = &mut SourceState> {
        self.groups.iter_mut().flat_map(SourceGroup::states_mut)
    }

    /// Which offers can be served beside the others. They are tried all together, or else one after another, so that one that
    /// clashes does not keep the others back.
    fn choose(&self) -> ServedChoice {
        let mut choice = ServedChoice::default();
        let states: Vec<&SourceState> = self.states().collect();
        let candidates: Vec<usize> = (0..states.len()).filter(|index| states[*index].has_offer()).collect();
        let served: Vec<&str> =
            states.iter().filter_map(|state| state.served()).map(|version| version.name()).collect();
        // Settings for a source that is there must go on to find it, whatever its file calls it now.
        let required: Vec<&String> =
            self.context.by_name.required.keys().filter(|name| served.contains(&name.as_str())).collect();
        let offered: Vec<&Arc<SourceVersion>> = states.iter().filter_map(|state| state.offered()).collect();
        if candidates.is_empty() {
            return choice;
        }
        choice.registry = self.build(&offered, &required).ok();
        if choice.registry.is_some() {
            return choice;
        }
        let mut accepted = BTreeSet::new();
        for candidate in candidates {
            accepted.insert(candidate);
            let version = |(index, state): (usize, &&'_ SourceState)| {
                if accepted.contains(&index) { state.offered().cloned() } else { state.served().cloned() }
            };
            let picked: Vec<Arc<SourceVersion>> = states.iter().enumerate().filter_map(version).collect();
            match self.build(&picked.iter().collect::<Vec<_>>(), &required) {
                Ok(registry) => choice.registry = Some(registry),
                Err(error) => {
                    accepted.remove(&candidate);
                    choice.refusals.insert(candidate, error.to_string());
                }
            }
        }
        choice
    }

    fn build(&self, versions: &[&Arc<SourceVersion>], required: &[&String]) -> Result<Registry, BuildError> {
        let known: Vec<String> = versions.iter().map(|version| version.name().to_owned()).collect();
        if let Some(name) = required.iter().find(|name| !known.contains(name)) {
            return Err(BuildError::UnknownSource { name: (*name).clone(), known });
        }
        tracing::trace!(target: "aqueduct::load", sources = versions.len(), "the registry is built");
        let published = versions.iter().map(|version| version.published(self.names));
        let registry = Registry::of(published, &self.own, self.names)?;
        self.exposure.check(&registry)?;
        Ok(registry)
    }

    /// The registry of what is in service.
    fn in_service(&self) -> Option<Registry> {
        let served: Vec<&Arc<SourceVersion>> = self.states().filter_map(SourceState::served).collect();
        // It was served before.
        let log = |error: &BuildError| tracing::error!(target: "aqueduct::load", %error, "the sources cannot be put together");
        self.build(&served, &[]).inspect_err(log).ok()
    }

    fn find_problems(&self) -> Vec<SourceProblem> {
        self.states().filter_map(SourceState::problem).collect()
    }
}

/// Opens what was given, and waits for what it is behind.
fn open_groups(
    given: Vec<SourceInput>,
    context: &LoadContext,
    notifier: &Notifier,
    patience: Duration,
) -> Result<Vec<SourceGroup>, BuildError> {
    let began = Instant::now();
    let opened = given.into_iter().map(|source| SourceGroup::open(source, context, notifier));
    let mut groups: Vec<SourceGroup> = opened.collect::<Result<_, _>>()?;
    if let [only] = groups.as_mut_slice() {
        only.let_name_itself();
    }
    // Connections start together, so they are waited for together, once all are under way.
    context.kinds.wait_for_connections();
    groups.iter_mut().for_each(|group| group.poll_connections(context));
    // So are documents on the web; when there is nothing else to serve, as long as they take.
    let wait = |groups: &mut Vec<SourceGroup>, until: Instant| {
        groups.iter_mut().flat_map(SourceGroup::states_mut).for_each(|state| state.wait(until, context));
    };
    wait(&mut groups, began + patience);
    if !groups.iter().flat_map(SourceGroup::states).any(can_serve) {
        wait(&mut groups, began + LONGEST);
    }
    Ok(groups)
}

fn can_serve(state: &SourceState) -> bool {
    state.is_usable() || state.connection().is_some()
}

fn taken(version: &SourceVersion) -> FileChange {
    FileChange::Taken {
        source: version.name().to_owned(),
        version: version.shared.source.version.clone(),
        operations: version.shared.operations.len(),
    }
}

/// That a source raises its own trust, with what comes of it.
fn raised(file: &str, version: &SourceVersion, from: TrustLevel) -> Option<FileChange> {
    let SharedSource { source, operations } = &version.shared;
    let to = source.trust;
    if !to.lets_through_more_than(from) {
        return None;
    }
    let before = Arc::new(Source { trust: from, ..Source::clone(source) });
    let decision = |operation: &Arc<Operation>, source: &Arc<Source>| {
        let (public_name, operation) = (operation.name.clone(), Arc::clone(operation));
        GateDecision::of(&RegistryEntry { public_name, operation, source: Arc::clone(source) })
    };
    let is_freed = |operation: &&Arc<Operation>| {
        let (before, now) = (decision(operation, &before), decision(operation, source));
        before.name() != now.name() && !now.is_hidden()
    };
    let callable = operations.iter().filter(is_freed).map(|operation| operation.name.clone()).collect();
    Some(FileChange::Raised { file: file.to_owned(), source: source.name.clone(), from, to, callable })
}

/// The folder that a path is in.
fn folder_of(path: &Path) -> Option<PathBuf> {
    let folder = path.parent()?;
    Some(if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_owned() })
}
