//! From given sources to loaded ones, at the start and again whenever a file changes.
//!
//! `recognise` asks the kinds what a given source is, `group` what it stands for, `state` is one source with the version of
//! it that is in service, `origin` is where its content comes from, `loading` makes operations of it, and `sources` holds
//! all of them and puts a registry together. Here is what is set for sources.

mod group;
mod loading;
mod origin;
mod recognise;
mod references;
mod source_set;
mod source_state;
mod stamp;
mod web_content;
mod web_fetch;

pub(crate) use loading::LoadContext;
pub use recognise::{RecognisedSource, SourceForm, is_elsewhere, is_web_document};
pub(crate) use references::{DocumentReferences, KnownDocuments};
pub(crate) use source_set::{FileChange, Refreshed, SourceSet, SourceSetSettings};
pub use source_state::CONNECTION_NOT_READY;
pub(crate) use source_state::RefreshScope;
pub(crate) use web_fetch::{WebError, fetch};

use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::trust::TrustLevel;
use aqueduct_source_kind::settings::SourceSettings;
use aqueduct_sources::filter::OperationFilter;
use aqueduct_sources::overrides::{Override, OverridesFile};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A source as it was given.
#[derive(Debug, Clone)]
pub(crate) enum SourceInput {
    /// A file or a directory.
    Path(PathBuf, SourceSettings),
    /// A text that stays as it is.
    Text {
        /// The name to show for it, by which its kind is known.
        file: String,
        /// What is in it.
        text: String,
        /// What is set for it.
        settings: SourceSettings,
    },
    /// A source that the program made itself.
    Ready(Box<LoadedSource>),
}

/// What is set for sources by their names, wherever they come from.
#[derive(Debug, Default)]
pub(crate) struct SettingsByName {
    /// Wins over what was given with the source, which must exist.
    pub required: BTreeMap<String, SourceSettings>,
    /// Holds where nothing else says so.
    pub defaults: BTreeMap<String, SourceSettings>,
    /// The trust in every source that is not required to have another.
    pub trust_in_all: Option<TrustLevel>,
    /// Sections of a configuration file that do not say where their source is: one of the others must have that name.
    pub sections: Vec<SourceSection>,
}

/// A section `[sources.NAME]` without `from`.
#[derive(Debug)]
pub struct SourceSection {
    /// The configuration file.
    pub file: String,
    /// The name in it.
    pub name: String,
}

impl SourceSection {
    /// What is wrong with it when no source has its name.
    pub fn problem(&self) -> String {
        let name = &self.name;
        format!(
            "[sources.{name}] has no 'from', and no other source is called '{name}'; say where it is: from = \"FILE or URL\""
        )
    }
}

/// What the operator corrects in every source: which operations there are, and what is wrong about them.
#[derive(Debug, Default)]
pub(crate) struct Corrections {
    /// Which operations are kept.
    pub filter: OperationFilter,
    /// What a file of corrections says.
    pub overrides: OverridesFile,
    /// What the configuration corrects, by source.
    pub by_source: BTreeMap<String, Vec<Override>>,
}

impl SettingsByName {
    /// The settings of a source in full, when something is set for its name.
    fn settings_of(&self, name: &str, given: &SourceSettings) -> Option<SourceSettings> {
        self.layered_on(given, self.required.get(name), self.defaults.get(name))
    }

    /// True when something is set for a name.
    fn knows(&self, name: &str) -> bool {
        self.required.contains_key(name) || self.defaults.contains_key(name)
    }

    fn layered_on(
        &self,
        given: &SourceSettings,
        required: Option<&SourceSettings>,
        defaults: Option<&SourceSettings>,
    ) -> Option<SourceSettings> {
        if required.is_none() && defaults.is_none() && self.trust_in_all.is_none() {
            return None;
        }
        let mut below = defaults.map_or_else(|| given.clone(), |defaults| layered(given, defaults));
        below.trust = self.trust_in_all.or(below.trust);
        Some(required.map_or_else(|| below.clone(), |required| layered(required, &below)))
    }
}

impl SettingsByName {
    /// True when the trust in a source is set by its name.
    fn names_trust_in(&self, name: &str) -> bool {
        let both = [self.required.get(name), self.defaults.get(name)];
        both.into_iter().flatten().any(|settings| settings.trust.is_some())
    }
}

/// Settings over others: what the upper ones leave open, the lower ones decide, header by header.
pub fn layered(upper: &SourceSettings, lower: &SourceSettings) -> SourceSettings {
    let upper = upper.clone();
    let lower = lower.clone();
    let is_open = |name: &str| !upper.headers.iter().any(|other| other.name.eq_ignore_ascii_case(name));
    let left: Vec<_> = lower.headers.into_iter().filter(|header| is_open(&header.name)).collect();
    SourceSettings {
        source_name: upper.source_name.or(lower.source_name),
        base_url: upper.base_url.or(lower.base_url),
        trust: upper.trust.or(lower.trust),
        default_trust: upper.default_trust.or(lower.default_trust),
        auth: upper.auth.or(lower.auth),
        headers: upper.headers.into_iter().chain(left).collect(),
        concurrency: upper.concurrency.or(lower.concurrency),
        cache: upper.cache.or(lower.cache),
        timeout: upper.timeout.or(lower.timeout),
        credential_origins: upper.credential_origins.into_iter().chain(lower.credential_origins).collect(),
        allow_refs: upper.allow_refs.into_iter().chain(lower.allow_refs).collect(),
        fit_answers: upper.fit_answers.or(lower.fit_answers),
        dot_segments: upper.dot_segments.or(lower.dot_segments),
        merge: upper.merge.or(lower.merge),
        validation: upper.validation.or(lower.validation),
        rate_limits: upper.rate_limits.or(lower.rate_limits),
    }
}

#[cfg(test)]
mod tests;
