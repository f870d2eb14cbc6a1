//! Content to operations, whatever the kind of source: what is set for it, corrected and filtered as the operator says.
//!
//! Content in; a source with its operations, diagnostics and the report of an import out. Content is read once: its kind asks for
//! the settings when it knows the name. Nothing that it names is reached before it is known what it asks for, and whether the
//! operator must allow it.

use super::origin::ContentOrigin;
use super::references::DocumentReferences;
use super::{Corrections, SettingsByName};
use crate::grants::{self, FileConsent, FileOrigin, FileTrust, GrantList, SourceTrust};
use aqueduct_operations::consent::{Consent, ConsentRequest};
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity};
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::target::{DotSegments, Target};
use aqueduct_operations::variable_reference::references;
use aqueduct_source_kind::connection::Connection;
use aqueduct_source_kind::disk_reader::FileCache;
use aqueduct_source_kind::kind::{DocumentReader, LoadServices, LoadedContent, SourceContent, SourceKind};
use aqueduct_source_kind::settings::SourceSettings;
use aqueduct_sources::kind_table::KindTable;
use aqueduct_sources::overrides::{self, SourceNames};
use bytes::Bytes;
use secrecy::ExposeSecret;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What was made of content.
#[derive(Debug, Default)]
pub(super) struct BootOutcome {
    /// What its kind made of it, corrected and filtered.
    pub content: LoadedContent,
    /// The names as they were before the source was corrected, where there is a file of corrections.
    pub uncorrected: Option<SourceNames>,
    /// What the content asks for and need not wait for.
    pub granted: BTreeSet<ConsentRequest>,
}

/// Content that is to be loaded, and what is known of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct LoadRequest<'a> {
    /// The file as the user named it.
    pub file: &'a str,
    /// What it is.
    pub kind: &'a dyn SourceKind,
    /// Where the content came from.
    pub origin: &'a ContentOrigin,
    /// What was read of the files that it refers to.
    pub files: &'a FileCache,
    /// Operations that it has and does not offer.
    pub withheld: &'a [String],
    /// What is set for it.
    pub settings: &'a SourceSettings,
    /// How far its words count.
    pub trust: FileTrust<'a>,
}

impl LoadRequest<'_> {
    /// Lets its kind make operations of the content.
    fn read(&self, content: Bytes, services: &RequestServices<'_>) -> LoadedContent {
        let place = match self.origin {
            ContentOrigin::Web(on_web) => on_web.url().as_str(),
            ContentOrigin::Connection(connection) => connection.name(),
            ContentOrigin::Given | ContentOrigin::Disk(_) => self.file,
        };
        tracing::trace!(target: "aqueduct::load", file = self.file, "content is parsed");
        self.kind.load(SourceContent { place, bytes: content }, services)
    }
}

/// A source whose name is known, and what is set for it.
#[derive(Debug, Clone)]
struct NamedSettings {
    name: String,
    /// What the operator set for the name is meant for this source.
    is_meant: bool,
    settings: SourceSettings,
}

/// What kinds need to load the content of a request.
struct RequestServices<'a> {
    request: &'a LoadRequest<'a>,
    by_name: &'a SettingsByName,
    /// What its kind asked for last.
    named: RefCell<Option<NamedSettings>>,
}

impl RequestServices<'_> {
    fn settings_of(&self, name: String) -> NamedSettings {
        let LoadRequest { settings: given, trust, .. } = *self.request;
        let is_meant = trust.was_named_by(&name);
        let in_force = match is_meant {
            true => self.by_name.settings_of(&name, given),
            // It only has the name of another: what is set for all sources.
            false => self.by_name.layered_on(given, None, None),
        };
        NamedSettings { name, is_meant, settings: in_force.unwrap_or_else(|| given.clone()) }
    }

    /// What is set for the source that was made, also when its kind asked for another name, or for none.
    fn into_named(self, name: &str) -> NamedSettings {
        let known = self.named.take().filter(|named| named.name == name);
        known.unwrap_or_else(|| self.settings_of(name.to_owned()))
    }
}

impl LoadServices for RequestServices<'_> {
    fn settings(&self, declared_name: &str) -> SourceSettings {
        let given = self.request.settings.source_name.as_deref();
        let named = self.settings_of(given.unwrap_or(declared_name).to_owned());
        let settings = named.settings.clone();
        self.named.replace(Some(named));
        settings
    }

    fn references(&self, settings: &SourceSettings) -> Box<dyn DocumentReader + '_> {
        let allowed = settings.allow_refs.clone();
        let LoadRequest { file, origin, files, .. } = *self.request;
        Box::new(match origin {
            ContentOrigin::Web(on_web) => on_web.references(allowed),
            _ => DocumentReferences::of_file(file, allowed, files.clone()),
        })
    }

    fn connection(&self) -> Option<&dyn Connection> {
        match self.request.origin {
            ContentOrigin::Connection(connection) => Some(&**connection),
            _ => None,
        }
    }
}

/// What every source is loaded with.
#[derive(Debug)]
pub(crate) struct LoadContext {
    /// The kinds of sources.
    pub kinds: KindTable,
    /// What is set by name.
    pub by_name: SettingsByName,
    /// What the operator corrects.
    pub corrections: Corrections,
    /// What the operator allows to files.
    pub grants: Arc<GrantList>,
}

impl LoadContext {
    fn is_set_for(&self, name: &str) -> bool {
        self.by_name.knows(name) || self.corrections.by_source.contains_key(name)
    }
}

/// Loads content as the source with these settings.
pub(super) fn load(request: &LoadRequest<'_>, content: Bytes, context: &LoadContext) -> BootOutcome {
    let services = RequestServices { request, by_name: &context.by_name, named: RefCell::new(None) };
    let content = request.read(content, &services);
    let mut outcome = BootOutcome { content, ..BootOutcome::default() };
    let Some(loaded) = &outcome.content.loaded else { return outcome };
    let named = services.into_named(&loaded.source.name);
    if request.kind.explain().needs_consent {
        apply_consent(&mut outcome, request, &named.settings, context);
    }
    if let Some(loaded) = &mut outcome.content.loaded {
        set_dot_segments(loaded, request.kind, named.settings.dot_segments);
    }
    let own = Some(named.name.as_str()).filter(|_| named.is_meant);
    correct(&mut outcome, request, own, &context.corrections);
    if !named.is_meant && context.is_set_for(&named.name) {
        outcome.content.diagnostics.push(not_meant(request.file, &named.name));
    }
    outcome
}

/// That what is set for a name does not hold for a source that took the name.
fn not_meant(file: &str, name: &str) -> Diagnostic {
    let message = format!(
        "This took the name '{name}' while it was served: what you set for '{name}' is for the source that had the name before, \
         and does not hold here"
    );
    let mut warning = Diagnostic::about(file, DiagnosticSeverity::Warning, "NAME_TAKEN_OVER", message);
    warning.hint = Some("if it is meant for this one, restart".to_owned());
    warning
}

/// What becomes of dot segments in paths, as the operator says; else they are refused for a file that no one has looked at
/// (ruling S6).
fn set_dot_segments(loaded: &mut LoadedSource, kind: &dyn SourceKind, declared: Option<DotSegments>) {
    let is_doubtful = kind.explain().needs_consent && !loaded.source.trust.is_of_the_operator();
    let otherwise = if is_doubtful { DotSegments::Refuse } else { DotSegments::Encode };
    for operation in &mut loaded.operations {
        if let Target::Http(target) = &mut operation.target {
            target.dot_segments = declared.unwrap_or(otherwise);
        }
    }
}

/// Lets a file have what it asks for, as far as it may without the operator; the rest is asked for at each call.
fn apply_consent(
    outcome: &mut BootOutcome,
    request: &LoadRequest<'_>,
    settings: &SourceSettings,
    context: &LoadContext,
) {
    let LoadRequest { file, trust, .. } = *request;
    let LoadedContent { loaded: Some(loaded), connections, .. } = &outcome.content else { return };
    // What the operator set is the operator's own word.
    let mut own = settings.auth.as_ref().map(|auth| auth.variables()).unwrap_or_default();
    let headers = settings.headers.iter().map(|header| header.value.expose_secret());
    own.extend(headers.flat_map(references).map(|(name, _)| name));
    let is_files = |each: &ConsentRequest| !matches!(each, ConsentRequest::Credential { variable, .. } if own.contains(&variable.as_str()));
    let of_requests = grants::requests_of(loaded);
    let of_connections = connections.iter().flat_map(|connection| connection.consent_requests());
    let wanted: BTreeSet<ConsentRequest> =
        of_requests.into_iter().chain(of_connections).filter(is_files).collect();
    let wanted: Vec<ConsentRequest> = wanted.into_iter().collect();
    // What is said of all, or of a directory, was not said of what appears there later.
    let is_covered = trust.file_origin != FileOrigin::Later || trust.is_named;
    let name = &loaded.source.name;
    let is_by_name = trust.was_named_by(name) && context.by_name.names_trust_in(name);
    let is_set = is_by_name || settings.trust.is_some() && is_covered;
    let source = SourceTrust { name: &loaded.source.name, level: loaded.source.trust, is_set };
    let waiting = grants::waiting(&wanted, source, trust, &context.grants);
    let (name, location) = (loaded.source.name.clone(), trust.file.to_owned());
    let is_free = waiting.is_empty();
    let consent: Arc<dyn Consent> = Arc::new(FileConsent {
        source: name.clone(),
        file: location.clone(),
        waiting: waiting.clone(),
        grants: Arc::clone(&context.grants),
    });
    for connection in connections {
        connection.allow(Arc::clone(&consent));
        if is_free {
            connection.open();
        }
    }
    if let Some(loaded) = outcome.content.loaded.as_mut().filter(|_| !is_free) {
        grants::guard_requests(loaded, &consent);
        context.grants.record(&name, &location, &waiting);
    }
    let is_open = |each: &&ConsentRequest| !consent.allows(each);
    let open = waiting.iter().filter(is_open).map(|each| grants::not_granted(file, &name, each));
    outcome.content.diagnostics.extend(open);
    outcome.granted = wanted.into_iter().filter(|each| !waiting.contains(each)).collect();
}

/// Applies what the operator corrects, then what is filtered: names in filters are those that are served.
fn correct(
    outcome: &mut BootOutcome,
    request: &LoadRequest<'_>,
    own_name: Option<&str>,
    corrections: &Corrections,
) {
    let LoadedContent { loaded: Some(loaded), report, diagnostics, .. } = &mut outcome.content else {
        return;
    };
    outcome.uncorrected = (!corrections.overrides.is_empty()).then(|| SourceNames::of(loaded));
    diagnostics.extend(corrections.overrides.apply(loaded, report.as_mut()));
    if let Some(rules) = own_name.and_then(|name| corrections.by_source.get(name)) {
        diagnostics.extend(overrides::apply(rules, loaded, report.as_mut()));
    }
    if !request.withheld.is_empty() {
        overrides::excuse_unknown(diagnostics);
    }
    if diagnostics.iter().any(overrides::is_unmade) {
        // An operator who corrects something relies on it.
        outcome.content.loaded = None;
        return;
    }
    if let Err(problem) = corrections.filter.apply(loaded, report.as_mut()) {
        diagnostics.push(Diagnostic::about(
            request.file,
            DiagnosticSeverity::Error,
            "NOTHING_LEFT",
            problem.to_string(),
        ));
        outcome.content.loaded = None;
    }
}
