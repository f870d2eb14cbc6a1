//! Why nothing can be served: what is wrong with the sources, or with what was set for them.
//!
//! Errors of loading in; one sentence for the caller out, with the first few diagnostics in it.

use aqueduct_documents::disk::ReadError;
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity};
use aqueduct_operations::exposure::ContestedOperation;
use aqueduct_operations::registry::SourceClash;
use aqueduct_source_kind::kind::EmptyList;

/// Why there is nothing to serve.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// Files with errors in them.
    #[error("there are errors in the sources: {}", first_of(.0))]
    Invalid(Vec<Diagnostic>),
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// No source at all.
    #[error(
        "no source was given; name an adapter file, a directory of them, an OpenAPI document or its URL, or an MCP server"
    )]
    NoSource,
    /// No adapter in a directory.
    #[error("{0}")]
    Nothing(String),
    /// Something that is no source we know.
    #[error("{0}")]
    NotASource(String),
    /// A setting for a source that is not there.
    #[error("there is no source named '{name}'; the sources are: {}", known.join(", "))]
    UnknownSource {
        /// The name in the setting.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// Two sources that cannot be told apart.
    #[error(transparent)]
    Clash(#[from] SourceClash),
    /// Two families that name the same operation.
    #[error(transparent)]
    Contested(#[from] ContestedOperation),
    /// How agents are watched is set so that it cannot be.
    #[error("{0}")]
    Safety(String),
    /// A document cannot be fetched.
    #[error("{0}")]
    Web(String),
}

impl From<EmptyList> for BuildError {
    fn from(empty: EmptyList) -> BuildError {
        match empty {
            EmptyList::Invalid(diagnostics) => BuildError::Invalid(diagnostics),
            EmptyList::Nothing(message) => BuildError::Nothing(message),
        }
    }
}

/// So many errors are in the text; all of them are in the list.
const SHOWN_ERRORS: usize = 3;

/// The first errors, each with its place and in one line.
fn first_of(diagnostics: &[Diagnostic]) -> String {
    let errors: Vec<&Diagnostic> =
        diagnostics.iter().filter(|each| each.severity == DiagnosticSeverity::Error).collect();
    let shown = errors.iter().take(SHOWN_ERRORS).map(|error| {
        let text = error.to_string();
        text.lines().next().unwrap_or_default().to_owned()
    });
    let mut text = shown.collect::<Vec<_>>().join("; ");
    if errors.len() > SHOWN_ERRORS {
        text.push_str(&format!("; and {} more", errors.len() - SHOWN_ERRORS));
    }
    text
}
