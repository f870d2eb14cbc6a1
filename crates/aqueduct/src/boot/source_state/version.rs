//! One good version of a source.
//!
//! A loaded source in; the source as registries share it out. A version never changes.

use aqueduct_operations::registry::{LoadedSource, NamingScheme, PublishedSource, SharedSource};
use aqueduct_operations::trust::TrustLevel;
use aqueduct_source_kind::report::ImportReport;
use aqueduct_sources::overrides::SourceNames;
use std::sync::OnceLock;

/// A good version of a source.
#[derive(Debug)]
pub(in crate::boot) struct SourceVersion {
    /// Tells versions apart.
    pub(super) digest: [u8; 32],
    /// The source and its operations.
    pub shared: SharedSource,
    /// What the import did, when it is one.
    pub report: Option<ImportReport>,
    /// The names before the source was corrected, where there is a file of corrections.
    pub(super) uncorrected: Option<SourceNames>,
    /// As registries have it, made when it is first put into one.
    published: OnceLock<PublishedSource>,
}

impl SourceVersion {
    /// A version that is in no registry yet.
    pub(super) fn new(
        digest: [u8; 32],
        loaded: LoadedSource,
        report: Option<ImportReport>,
        uncorrected: Option<SourceNames>,
    ) -> SourceVersion {
        SourceVersion { digest, shared: loaded.into(), report, uncorrected, published: OnceLock::new() }
    }

    /// The source as registries share it. All of them give public names in the same way.
    pub fn published(&self, names: NamingScheme) -> &PublishedSource {
        self.published.get_or_init(|| PublishedSource::new(self.shared.clone(), names))
    }

    /// The source's name.
    pub fn name(&self) -> &str {
        &self.shared.source.name
    }

    /// The source's name, and how far it is trusted.
    pub fn trust(&self) -> (String, TrustLevel) {
        (self.shared.source.name.clone(), self.shared.source.trust)
    }
}
