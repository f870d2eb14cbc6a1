//! Content to operations, whatever the kind of source: what is set for it, corrected and filtered as the operator says.
//!
//! Content in; a source with its operations, remarks and the report of an import out.

use super::origin::{Content, Origin};
use super::references::References;
use super::{ByName, Corrections};
use crate::servers::Servers;
use aqueduct_operations::diagnostic::{Diagnostic, Severity};
use aqueduct_operations::mcp::Listing;
use aqueduct_operations::registry::Loaded;
use aqueduct_sources::report::Report;
use aqueduct_sources::{SourceSettings, adapter_file, mcp_server, openapi, overrides};
use std::path::PathBuf;
use std::sync::Arc;

/// How bytes are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// As an adapter file.
    Adapter,
    /// As an OpenAPI or Swagger document.
    OpenApi,
}

/// What was made of content.
#[derive(Debug, Default)]
pub(super) struct Loading {
    /// The source; nothing when there are errors.
    pub loaded: Option<Loaded>,
    /// Every remark.
    pub diagnostics: Vec<Diagnostic>,
    /// What the import did.
    pub report: Option<Report>,
    /// Files that it refers to.
    pub beside: Vec<PathBuf>,
    /// The source as it was before it was corrected, where there is a file of corrections.
    pub uncorrected: Option<Loaded>,
}

/// What surrounds a source: other settings, other servers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    /// What is set by name.
    pub by_name: &'a ByName,
    /// What the operator corrects.
    pub corrections: &'a Corrections,
    /// The servers that are connected to.
    pub servers: &'a Arc<Servers>,
}

/// Loads content as the source with these settings. `withheld` are operations that it has and does not offer.
pub(super) fn load(
    (file, format, origin): (&str, Format, &Origin),
    (content, withheld): (&Content, &[String]),
    given: &SourceSettings,
    around: Surroundings<'_>,
) -> Loading {
    let read = |settings: &SourceSettings| match content {
        Content::Bytes(bytes) => of_bytes((file, format, origin), bytes, settings),
        Content::Listing(listing) => of_listing(origin, listing, settings, around),
    };
    let given = SourceSettings { handlers: Some(around.servers.factory()), ..given.clone() };
    let mut loading = read(&given);
    // Which settings hold depends on the source's name, which is in the content.
    let name = loading.loaded.as_ref().map(|loaded| loaded.source.name.clone());
    if let Some(settings) = name.and_then(|name| around.by_name.settings_of(&name, &given)) {
        loading = read(&settings);
    }
    correct(file, &mut loading, around.corrections, withheld);
    loading
}

fn of_bytes(
    (file, format, origin): (&str, Format, &Origin),
    bytes: &[u8],
    settings: &SourceSettings,
) -> Loading {
    match format {
        Format::Adapter => {
            let outcome = adapter_file::load(file, bytes, settings);
            Loading { loaded: outcome.loaded, diagnostics: outcome.diagnostics, ..Loading::default() }
        }
        Format::OpenApi => {
            let imported = match origin {
                Origin::Web(on_web) => {
                    let allowed = settings.allow_refs.clone();
                    let reader = References::of_url(on_web.url().clone(), allowed, on_web.known().clone());
                    openapi::load_bytes(on_web.url().as_str(), bytes.to_vec(), settings, Some(&reader))
                }
                _ => {
                    let reader = References::of_file(file, settings.allow_refs.clone());
                    openapi::load_bytes(file, bytes.to_vec(), settings, Some(&reader))
                }
            };
            let beside = imported.places.into_iter().map(PathBuf::from).filter(|path| path.is_file());
            Loading {
                loaded: imported.loaded,
                diagnostics: imported.diagnostics,
                report: Some(imported.report),
                beside: beside.collect(),
                ..Loading::default()
            }
        }
    }
}

fn of_listing(
    origin: &Origin,
    listing: &Listing,
    settings: &SourceSettings,
    around: Surroundings<'_>,
) -> Loading {
    let Origin::Server(config) = origin else { return Loading::default() };
    let handler = |tool: &str| around.servers.handler(config, tool);
    let imported = mcp_server::load(config, listing, settings, &handler);
    Loading { loaded: Some(imported.loaded), report: Some(imported.report), ..Loading::default() }
}

/// Applies what the operator corrects, then what is filtered: names in filters are those that are served.
fn correct(file: &str, loading: &mut Loading, corrections: &Corrections, withheld: &[String]) {
    let Loading { loaded: Some(loaded), report, diagnostics, uncorrected, .. } = loading else { return };
    *uncorrected = (!corrections.overrides.is_empty()).then(|| loaded.clone());
    diagnostics.extend(corrections.overrides.apply(loaded, report.as_mut()));
    if let Some(rules) = corrections.by_source.get(&loaded.source.name) {
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
        diagnostics.push(Diagnostic::about(file, Severity::Error, "NOTHING_LEFT", problem.to_string()));
        loading.loaded = None;
    }
}
