//! What an operator sets for one source, and what loading it gives back.
//!
//! Settings hold no secret but the headers, whose type keeps them out of every print.

use aqueduct_operations::auth::Auth;
use aqueduct_operations::concurrency::Concurrency;
use aqueduct_operations::credential_scope::is_in_scope;
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity};
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_operations::operation::ValidationMode;
use aqueduct_operations::rate_limits::{DeclaredLimits, RateLimits};
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::response::CacheRule;
use aqueduct_operations::source::Source;
use aqueduct_operations::target::DotSegments;
use aqueduct_operations::trust::TrustLevel;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// What the command line or the configuration says about a source; it replaces what the file says.
#[derive(Debug, Clone, Default)]
pub struct SourceSettings {
    /// The source's name instead of the adapter's.
    pub source_name: Option<String>,
    /// Where the API is, as `base_url::parse` reads it.
    pub base_url: Option<Url>,
    /// The trust level instead of the author's claim.
    pub trust: Option<TrustLevel>,
    /// The trust level of a file without a trust block; `validated` when not set.
    pub default_trust: Option<TrustLevel>,
    /// How calls authenticate, instead of the file's `auth`.
    pub auth: Option<Auth>,
    /// Other origins than that of the base URL that the operator's `auth` and `headers` may go to.
    pub credential_origins: Vec<Url>,
    /// Headers sent with every call.
    pub headers: Vec<NamedSecret>,
    /// Which calls may overlap, instead of the file's `concurrency`.
    pub concurrency: Option<Concurrency>,
    /// Whether answers are kept, instead of the file's `cache`.
    pub cache: Option<CacheRule>,
    /// Longest wait for one attempt, of an imported source.
    pub timeout: Option<Duration>,
    /// Other places that an imported document may refer to, as globs.
    pub allow_refs: Vec<String>,
    /// Whether answers are fitted to what is declared of them.
    pub fit_answers: Option<bool>,
    /// What becomes of values in a path that hold dot segments.
    pub dot_segments: Option<DotSegments>,
    /// Whether an UPDATE by PUT is merged into what is stored, instead of what the source says of it.
    pub merge: Option<bool>,
    /// What happens to requests that are declared otherwise.
    pub validation: Option<ValidationMode>,
    /// What it may be asked for in what time, block by block instead of what the source says.
    pub rate_limits: Option<DeclaredLimits>,
}

/// What is sent along to one address of a source.
#[derive(Debug)]
pub struct SiteCredentials {
    /// Headers that the operator gave.
    pub operator_headers: Vec<NamedSecret>,
    /// How calls authenticate there.
    pub auth: Auth,
}

impl SourceSettings {
    /// True when the operator's own credentials may go to `url`, of a source whose base URL is `base`.
    pub fn may_go_to(&self, url: &Url, base: &Url) -> bool {
        is_in_scope(base, &self.credential_origins, url)
    }

    /// What goes along to `url`, of a source whose base URL is `base`: the operator's headers, and this way to authenticate
    /// unless the operator gave that too. What a document declares itself is for wherever it sends calls.
    pub fn credentials_at(&self, url: &Url, base: &Url, auth: &Auth) -> SiteCredentials {
        let goes_along = self.may_go_to(url, base);
        let keeps_auth = goes_along || self.auth.is_none();
        SiteCredentials {
            operator_headers: if goes_along { self.headers.clone() } else { Vec::new() },
            auth: if keeps_auth { auth.clone() } else { Auth::None },
        }
    }

    /// A source of which nothing is known but its name, trusted so far unless the operator says otherwise.
    pub fn new_source(&self, name: String, trust: TrustLevel) -> Source {
        self.applied_to(Source::new(name, trust))
    }

    /// The source with what the operator sets in place of its own.
    pub fn applied_to(&self, source: Source) -> Source {
        Source {
            trust: self.trust.unwrap_or(source.trust),
            concurrency: self.concurrency.unwrap_or(source.concurrency),
            cache: self.cache.unwrap_or(source.cache),
            fits_answers: self.fit_answers.unwrap_or(source.fits_answers),
            rate_limits: RateLimits::of(None, self.rate_limits.as_ref()).map(Arc::new),
            ..source
        }
    }

    /// True when there is something that must not go to every origin that a source names.
    pub fn has_credentials(&self) -> bool {
        self.auth.as_ref().is_some_and(|auth| *auth != Auth::None) || !self.headers.is_empty()
    }
}

/// The warning when a source names origins that the operator's credentials do not go to; nothing when there are none.
pub fn withheld(origins: &BTreeSet<String>) -> Option<String> {
    const SHOWN: usize = 5;
    let mut shown = origins.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    if origins.len() > SHOWN {
        shown.push_str(&format!(" and {} more", origins.len() - SHOWN));
    }
    (!origins.is_empty()).then(|| {
        format!("Some operations are called on {shown}, without your credentials and headers, which are for the base URL")
    })
}

/// How the operator lets credentials go to more origins.
pub const ALLOW_ORIGINS: &str = "allow it with credential_origins in [sources.NAME] of aqueduct.toml";

/// The result of loading one file.
#[derive(Debug)]
pub struct LoadOutcome {
    /// The source and its operations; absent if and only if there is an error among the diagnostics.
    pub loaded: Option<LoadedSource>,
    /// Every finding, in the order of the file.
    pub diagnostics: Vec<Diagnostic>,
}

impl LoadOutcome {
    /// The findings that keep the file from loading.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|each| each.severity == DiagnosticSeverity::Error)
    }
}
