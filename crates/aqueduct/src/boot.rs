//! From given sources to loaded ones: reads files, scans directories, loads adapters, gathers every diagnostic.
//!
//! Sources as they were given in; loaded sources, how they are named and all diagnostics out. One error in one file, and
//! nothing is served.

use crate::demo;
use crate::front_door::{BuildError, Given};
use aqueduct_operations::diagnostic::{Diagnostic, Severity};
use aqueduct_operations::registry::{Loaded, Names};
use aqueduct_sources::disk::{self, MAX_ADAPTER_FILE};
use aqueduct_sources::{SourceSettings, adapter_file};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What is set for sources by their names, wherever they come from.
#[derive(Debug, Default)]
pub(crate) struct ByName {
    /// Wins over what was given with the source, which must exist.
    pub required: BTreeMap<String, SourceSettings>,
    /// Holds where nothing else says so.
    pub defaults: BTreeMap<String, SourceSettings>,
}

impl ByName {
    /// The settings of a source in full, when something is set for its name.
    fn settings_of(&self, name: &str, given: &SourceSettings) -> Option<SourceSettings> {
        let (required, defaults) = (self.required.get(name), self.defaults.get(name));
        if required.is_none() && defaults.is_none() {
            return None;
        }
        let below = defaults.map_or_else(|| given.clone(), |defaults| layered(given, defaults));
        Some(required.map_or_else(|| below.clone(), |required| layered(required, &below)))
    }
}

/// Settings over others: what the upper ones leave open, the lower ones decide, header by header.
pub(crate) fn layered(upper: &SourceSettings, lower: &SourceSettings) -> SourceSettings {
    let upper = upper.clone();
    let lower = lower.clone();
    let is_open = |name: &str| !upper.headers.iter().any(|(other, _)| other.eq_ignore_ascii_case(name));
    let left: Vec<_> = lower.headers.into_iter().filter(|(name, _)| is_open(name)).collect();
    SourceSettings {
        source_name: upper.source_name.or(lower.source_name),
        base_url: upper.base_url.or(lower.base_url),
        trust: upper.trust.or(lower.trust),
        default_trust: upper.default_trust.or(lower.default_trust),
        auth: upper.auth.or(lower.auth),
        headers: upper.headers.into_iter().chain(left).collect(),
        concurrency: upper.concurrency.or(lower.concurrency),
    }
}

/// Loads all sources. One source has bare names; several, or a directory, are namespaced.
pub(crate) fn load(
    given: &[Given],
    by_name: &ByName,
) -> Result<(Vec<Loaded>, Names, Vec<Diagnostic>), BuildError> {
    let mut files = Vec::new();
    let mut names = if given.len() > 1 { Names::Namespaced } else { Names::Bare };
    for source in given {
        match source {
            Given::Text(file, text, settings) => {
                files.push((file.clone(), text.clone().into_bytes(), settings))
            }
            Given::Path(path, settings) if path.is_dir() => {
                names = Names::Namespaced;
                for file in adapters_in(path)? {
                    files.push(read(&file, settings)?);
                }
            }
            Given::Path(path, settings) => {
                refuse_other_kinds(path)?;
                files.push(read(path, settings)?);
            }
        }
    }
    if files.is_empty() {
        return Err(BuildError::Nothing("no source was given; name an adapter file".to_owned()));
    }
    let mut loaded = Vec::new();
    let mut diagnostics = Vec::new();
    for (file, bytes, settings) in files {
        let mut outcome = adapter_file::load(&file, &bytes, settings);
        let name = outcome.loaded.as_ref().map(|loaded| loaded.source.name.as_str());
        if let Some(settings) = name.and_then(|name| by_name.settings_of(name, settings)) {
            outcome = adapter_file::load(&file, &bytes, &settings);
        }
        tracing::debug!(target: "aqueduct::load", file, loaded = outcome.loaded.is_some(), "adapter file");
        loaded.extend(outcome.loaded);
        diagnostics.extend(outcome.diagnostics);
    }
    if diagnostics.iter().any(|each| each.severity == Severity::Error) {
        return Err(BuildError::Invalid(diagnostics));
    }
    let known: Vec<String> = loaded.iter().map(|each| each.source.name.clone()).collect();
    if let Some(name) = by_name.required.keys().find(|name| !known.contains(name)) {
        return Err(BuildError::UnknownSource { name: name.clone(), known });
    }
    Ok((loaded, names, diagnostics))
}

fn read<'a>(
    path: &Path,
    settings: &'a SourceSettings,
) -> Result<(String, Vec<u8>, &'a SourceSettings), BuildError> {
    let bytes = disk::read(path, MAX_ADAPTER_FILE)?;
    Ok((path.display().to_string(), bytes, settings))
}

/// The sources with the sample opened, which stays open as long as the process: loading again must not open another.
pub(crate) fn opened(given: Vec<Given>) -> Result<Vec<Given>, BuildError> {
    let open = |source| match source {
        Given::Path(path, mut settings) if demo::is_meant(&path) => {
            if settings.base_url.is_none() {
                settings.base_url = Some(demo::open()?);
            }
            Ok(Given::Text(demo::FILE.to_owned(), demo::TEXT.to_owned(), settings))
        }
        other => Ok(other),
    };
    given.into_iter().map(open).collect()
}

pub(crate) fn adapters_in(directory: &Path) -> Result<Vec<PathBuf>, BuildError> {
    let found = disk::adapter_files(directory)?;
    if found.is_empty() {
        let message = format!("{} holds no file named *-adapter.md", directory.display());
        return Err(BuildError::Nothing(message));
    }
    Ok(found)
}

/// Says so when a source is of a kind that this version does not serve, instead of reporting its every line.
fn refuse_other_kinds(path: &Path) -> Result<(), BuildError> {
    let text = path.to_string_lossy();
    if adapter_file::name_prefix(&text).is_some() {
        return Ok(());
    }
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    let elsewhere = ["http://", "https://", "mcp:", "mcp+http"].iter().any(|start| text.starts_with(start));
    if elsewhere || ["json", "yaml", "yml"].contains(&extension.as_str()) {
        return Err(BuildError::NotASource(format!(
            "'{text}' is not an adapter file. This version serves files named *-adapter.md and directories of them."
        )));
    }
    Ok(())
}
