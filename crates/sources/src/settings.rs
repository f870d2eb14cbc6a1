//! What an operator sets for one source, and what loading it gives back.
//!
//! Settings hold no secret but the headers, whose type keeps them out of every print.

use crate::handler_factory::HandlerFactory;
use aqueduct_operations::answers::CacheRule;
use aqueduct_operations::auth::Auth;
use aqueduct_operations::concurrency::Concurrency;
use aqueduct_operations::diagnostic::{Diagnostic, Severity};
use aqueduct_operations::registry::Loaded;
use aqueduct_operations::trust::TrustLevel;
use secrecy::SecretString;
use std::time::Duration;
use url::Url;

/// What the command line or the configuration says about a source; it replaces what the file says.
#[derive(Debug, Clone, Default)]
pub struct SourceSettings {
    /// The source's name instead of the adapter's.
    pub source_name: Option<String>,
    /// Where the API is, as `adapter_file::base_url::parse` reads it.
    pub base_url: Option<Url>,
    /// The trust level instead of the author's claim.
    pub trust: Option<TrustLevel>,
    /// The trust level of a file without a trust block; `validated` when not set.
    pub default_trust: Option<TrustLevel>,
    /// How calls authenticate, instead of the file's `auth`.
    pub auth: Option<Auth>,
    /// Headers sent with every call.
    pub headers: Vec<(String, SecretString)>,
    /// Which calls may overlap, instead of the file's `concurrency`.
    pub concurrency: Option<Concurrency>,
    /// Whether answers are kept, instead of the file's `cache`.
    pub cache: Option<CacheRule>,
    /// What calls the tools of other MCP servers; none in a build without MCP.
    pub handlers: Option<HandlerFactory>,
    /// Longest wait for one attempt, of an imported source.
    pub timeout: Option<Duration>,
    /// Other places that an imported document may refer to, as globs.
    pub allow_refs: Vec<String>,
    /// Whether answers are fitted to what is declared of them.
    pub fit_answers: Option<bool>,
}

/// The result of loading one file.
#[derive(Debug)]
pub struct Outcome {
    /// The source and its operations; absent if and only if there is an error among the diagnostics.
    pub loaded: Option<Loaded>,
    /// Every finding, in the order of the file.
    pub diagnostics: Vec<Diagnostic>,
}

impl Outcome {
    /// The findings that keep the file from loading.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|each| each.severity == Severity::Error)
    }
}
