//! Content to operations, whatever the kind of source: what is set for it, corrected and filtered as the operator says.
//!
//! Content in; a source with its operations, remarks and the report of an import out. An adapter file is first read without
//! any consequence: nothing is started before it is known what it asks for, and whether the operator must allow it.

use super::origin::{ContentOrigin, SourceContent};
use super::references::DocumentReferences;
use super::{Corrections, SettingsByName};
use crate::grants::{self, FileConsent, FileOrigin, FileTrust, GrantList};
use crate::servers::{ConnectedServers, idle_factory, is_same};
use aqueduct_operations::consent::{Consent, ConsentRequest};
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity};
use aqueduct_operations::mcp::{ServerConfig, ServerListing, references};
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::target::{DotSegments, Target};
use aqueduct_sources::report::ImportReport;
use aqueduct_sources::{HandlerFactory, SourceSettings, adapter_file, mcp_server, openapi, overrides};
use secrecy::ExposeSecret;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// How bytes are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SourceFormat {
    /// As an adapter file.
    Adapter,
    /// As an OpenAPI or Swagger document.
    OpenApi,
}

/// What was made of content.
#[derive(Debug, Default)]
pub(super) struct LoadedContent {
    /// The source; nothing when there are errors.
    pub loaded: Option<LoadedSource>,
    /// Every remark.
    pub diagnostics: Vec<Diagnostic>,
    /// What the import did.
    pub report: Option<ImportReport>,
    /// Files that it refers to.
    pub beside: Vec<PathBuf>,
    /// The source as it was before it was corrected, where there is a file of corrections.
    pub uncorrected: Option<LoadedSource>,
    /// What an adapter file asks for and need not wait for.
    pub vouched: BTreeSet<ConsentRequest>,
}

/// What surrounds a source: other settings, other servers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LoadContext<'a> {
    /// What is set by name.
    pub by_name: &'a SettingsByName,
    /// What the operator corrects.
    pub corrections: &'a Corrections,
    /// The servers that are connected to.
    pub servers: &'a Arc<ConnectedServers>,
    /// What the operator allows to files.
    pub grants: &'a Arc<GrantList>,
}

impl LoadContext<'_> {
    fn is_set_for(&self, name: &str) -> bool {
        self.by_name.knows(name) || self.corrections.by_source.contains_key(name)
    }
}

/// Loads content as the source with these settings. `withheld` are operations that it has and does not offer.
pub(super) fn load(
    (file, format, origin): (&str, SourceFormat, &ContentOrigin),
    (content, withheld): (&SourceContent, &[String]),
    (given, standing): (&SourceSettings, FileTrust<'_>),
    around: LoadContext<'_>,
) -> LoadedContent {
    let asked = NamedServers::default();
    let read = |settings: &SourceSettings| match content {
        SourceContent::Bytes(bytes) => of_bytes((file, format, origin), bytes, settings),
        SourceContent::Listing(listing) => of_listing(origin, listing, settings, around),
    };
    let mut settings = SourceSettings { handlers: Some(asked.factory()), ..given.clone() };
    let mut loading = read(&settings);
    // Which settings hold depends on the source's name, which is in the content.
    let name = loading.loaded.as_ref().map(|loaded| loaded.source.name.clone());
    let is_meant = name.as_deref().is_none_or(|name| standing.was_meant_by(name));
    let in_force = name.as_deref().and_then(|name| match is_meant {
        true => around.by_name.settings_of(name, &settings),
        false => around.by_name.settings_of_any(&settings),
    });
    if let Some(named) = in_force {
        asked.forget();
        settings = named;
        loading = read(&settings);
    }
    settings.base_url.iter().for_each(|url| around.servers.vouch_for(url));
    if format == SourceFormat::Adapter && matches!(content, SourceContent::Bytes(_)) {
        loading = under_consent(file, loading, &asked.configs(), (&settings, standing), (around, &read));
    }
    if let Some(loaded) = &mut loading.loaded {
        set_dot_segments(loaded, format, settings.dot_segments);
    }
    let own = name.as_deref().filter(|_| is_meant);
    correct((file, own), &mut loading, around.corrections, withheld);
    if let Some(name) = name.filter(|name| !is_meant && around.is_set_for(name)) {
        loading.diagnostics.push(not_meant(file, &name));
    }
    loading
}

/// That what is set for a name does not hold for a source that took the name.
fn not_meant(file: &str, name: &str) -> Diagnostic {
    let message = format!(
        "This took the name '{name}' while it was served: what you set for '{name}' is for the source that had the name before, \
         and does not hold here"
    );
    let mut remark = Diagnostic::about(file, DiagnosticSeverity::Warning, "NAME_TAKEN_OVER", message);
    remark.hint = Some("if it is meant for this one, restart".to_owned());
    remark
}

/// What becomes of dot segments in paths, as the operator says; else they are refused for an adapter file that nobody has
/// looked at (ruling S6).
fn set_dot_segments(loaded: &mut LoadedSource, format: SourceFormat, said: Option<DotSegments>) {
    let is_doubtful = format == SourceFormat::Adapter && !loaded.source.trust.is_of_the_operator();
    let otherwise = if is_doubtful { DotSegments::Refuse } else { DotSegments::Encode };
    for operation in &mut loaded.operations {
        if let Target::Http(target) = &mut operation.target {
            target.dot_segments = said.unwrap_or(otherwise);
        }
    }
}

/// Lets an adapter file have what it asks for, as far as it may without the operator; the rest is asked for at each call.
fn under_consent(
    file: &str,
    mut loading: LoadedContent,
    servers: &[ServerConfig],
    (settings, standing): (&SourceSettings, FileTrust<'_>),
    (around, read): (LoadContext<'_>, &dyn Fn(&SourceSettings) -> LoadedContent),
) -> LoadedContent {
    let Some(loaded) = &loading.loaded else { return loading };
    // What the operator set is the operator's own word.
    let mut own = settings.auth.as_ref().map(|auth| auth.variables()).unwrap_or_default();
    let headers = settings.headers.iter().map(|(_, value)| value.expose_secret());
    own.extend(headers.flat_map(references).map(|(name, _)| name));
    let is_files = |ask: &ConsentRequest| !matches!(ask, ConsentRequest::Credential { variable, .. } if own.contains(&variable.as_str()));
    let of_requests = grants::asks_of(loaded);
    let of_servers = servers.iter().flat_map(ServerConfig::asks);
    let asks: BTreeSet<ConsentRequest> = of_requests.into_iter().chain(of_servers).filter(is_files).collect();
    let asks: Vec<ConsentRequest> = asks.into_iter().collect();
    // What is said of all, or of a directory, was not said of what appears there later.
    let is_covered = standing.coming != FileOrigin::Later || standing.is_named;
    let name = &loaded.source.name;
    let is_by_name = standing.was_meant_by(name) && around.by_name.names_trust_in(name);
    let is_set = is_by_name || settings.trust.is_some() && is_covered;
    let source = (loaded.source.name.as_str(), loaded.source.trust, is_set);
    let waiting = grants::waiting(&asks, source, standing, around.grants);
    let (name, location) = (loaded.source.name.clone(), standing.file.to_owned());
    let is_free = waiting.is_empty();
    let consent: Arc<dyn Consent> = Arc::new(FileConsent {
        source: name.clone(),
        file: location.clone(),
        waiting: waiting.clone(),
        book: Arc::clone(around.grants),
    });
    if !servers.is_empty() {
        let factory = if is_free {
            around.servers.factory()
        } else {
            around.servers.factory_under(Arc::clone(&consent))
        };
        loading = read(&SourceSettings { handlers: Some(factory), ..settings.clone() });
    }
    if let Some(loaded) = loading.loaded.as_mut().filter(|_| !is_free) {
        grants::guard_requests(loaded, &consent);
        around.grants.record(&name, &location, &waiting);
    }
    let is_open = |ask: &&ConsentRequest| !consent.allows(ask);
    loading.diagnostics.extend(waiting.iter().filter(is_open).map(|ask| grants::remark(file, &name, ask)));
    loading.vouched = asks.into_iter().filter(|ask| !waiting.contains(ask)).collect();
    loading
}

/// The servers that a file names, as it is read without starting any.
#[derive(Debug, Clone, Default)]
struct NamedServers(Arc<Mutex<Vec<ServerConfig>>>);

impl NamedServers {
    fn factory(&self) -> HandlerFactory {
        let (asked, idle) = (self.clone(), idle_factory());
        HandlerFactory::new(move |config, tool| {
            let mut known = asked.0.lock().unwrap_or_else(PoisonError::into_inner);
            if !known.iter().any(|other| is_same(other, config)) {
                known.push(config.clone());
            }
            idle.make(config, tool)
        })
    }

    fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn configs(&self) -> Vec<ServerConfig> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn of_bytes(
    (file, format, origin): (&str, SourceFormat, &ContentOrigin),
    bytes: &[u8],
    settings: &SourceSettings,
) -> LoadedContent {
    match format {
        SourceFormat::Adapter => {
            let outcome = adapter_file::load(file, bytes, settings);
            LoadedContent {
                loaded: outcome.loaded,
                diagnostics: outcome.diagnostics,
                ..LoadedContent::default()
            }
        }
        SourceFormat::OpenApi => {
            let imported = match origin {
                ContentOrigin::Web(on_web) => {
                    let allowed = settings.allow_refs.clone();
                    let reader =
                        DocumentReferences::of_url(on_web.url().clone(), allowed, on_web.known().clone());
                    let reader = reader.with(on_web.given());
                    openapi::load_bytes(on_web.url().as_str(), bytes.to_vec(), settings, Some(&reader))
                }
                _ => {
                    let reader = DocumentReferences::of_file(file, settings.allow_refs.clone());
                    openapi::load_bytes(file, bytes.to_vec(), settings, Some(&reader))
                }
            };
            let beside = imported.places.into_iter().map(PathBuf::from).filter(|path| path.is_file());
            LoadedContent {
                loaded: imported.loaded,
                diagnostics: imported.diagnostics,
                report: Some(imported.report),
                beside: beside.collect(),
                ..LoadedContent::default()
            }
        }
    }
}

fn of_listing(
    origin: &ContentOrigin,
    listing: &ServerListing,
    settings: &SourceSettings,
    around: LoadContext<'_>,
) -> LoadedContent {
    let ContentOrigin::Server(config) = origin else { return LoadedContent::default() };
    let handler = |tool: &str| around.servers.handler(config, tool);
    let imported = mcp_server::load(config, listing, settings, &handler);
    LoadedContent {
        loaded: Some(imported.loaded),
        diagnostics: imported.diagnostics,
        report: Some(imported.report),
        ..LoadedContent::default()
    }
}

/// Applies what the operator corrects, then what is filtered: names in filters are those that are served.
fn correct(
    (file, own_name): (&str, Option<&str>),
    loading: &mut LoadedContent,
    corrections: &Corrections,
    withheld: &[String],
) {
    let LoadedContent { loaded: Some(loaded), report, diagnostics, uncorrected, .. } = loading else {
        return;
    };
    *uncorrected = (!corrections.overrides.is_empty()).then(|| loaded.clone());
    diagnostics.extend(corrections.overrides.apply(loaded, report.as_mut()));
    if let Some(rules) = own_name.and_then(|name| corrections.by_source.get(name)) {
        diagnostics.extend(overrides::apply(rules, loaded, report.as_mut()));
    }
    if !withheld.is_empty() {
        overrides::excuse_unknown(diagnostics);
    }
    if diagnostics.iter().any(overrides::is_unmade) {
        // Whoever corrects something relies on it.
        loading.loaded = None;
        return;
    }
    if let Err(problem) = corrections.filter.apply(loaded, report.as_mut()) {
        diagnostics.push(Diagnostic::about(
            file,
            DiagnosticSeverity::Error,
            "NOTHING_LEFT",
            problem.to_string(),
        ));
        loading.loaded = None;
    }
}
