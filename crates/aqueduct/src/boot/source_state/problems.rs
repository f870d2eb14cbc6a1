//! What is wrong with a source, for operators and clients.
//!
//! Diagnostics in; all of them for the operator, the first errors in a line each for clients, out.

use super::SourceState;
use aqueduct_documents::disk::ReadError;
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity};
use aqueduct_operations::registry::SourceProblem;

/// The most problems of a source that clients see.
const MAX_PROBLEMS: usize = 5;

/// The code for a connection that has not said what it offers.
pub const CONNECTION_NOT_READY: &str = "SERVER_NOT_READY";

/// The code for a document that cannot be fetched.
pub(super) const DOCUMENT_UNREADABLE: &str = "DOCUMENT_UNREADABLE";

impl SourceState {
    /// Why there is no document on the web.
    pub fn web_error(&self) -> Option<String> {
        let not_there = self.diagnostics.iter().find(|each| each.code == DOCUMENT_UNREADABLE)?;
        Some(format!("{}: {}", self.file, not_there.message))
    }

    /// Everything that was found about the source as it is now.
    pub fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().chain(&self.refusal).chain(&self.setting_warning)
    }

    /// Keeps a warning about a setting that has no effect.
    pub fn set_setting_warning(&mut self, warning: Option<Diagnostic>) {
        self.setting_warning = warning;
    }

    /// What is wrong, when what is served is not what the file says.
    pub fn problem(&self) -> Option<SourceProblem> {
        let is_as_said = self.latest.as_ref().is_some_and(|latest| self.serves(latest));
        if is_as_said && self.withheld.is_empty() {
            return None;
        }
        let errors = self.diagnostics().filter(|each| each.severity == DiagnosticSeverity::Error);
        let name = self.served.as_ref().map(|version| version.name().to_owned());
        Some(SourceProblem {
            name: name.unwrap_or_else(|| self.name()),
            is_served: self.served.is_some(),
            problems: errors.take(MAX_PROBLEMS).map(|each| self.line(each)).collect(),
            withheld: self.withheld.clone(),
        })
    }

    /// A problem in one line, with the file's name alone.
    fn line(&self, problem: &Diagnostic) -> String {
        let Diagnostic { code, path, message, position, .. } = problem;
        let place = if path.is_empty() { String::new() } else { format!("{path}: ") };
        format!("{}:{}:{}: {code} {place}{message}", self.file_name(), position.line, position.column)
    }

    /// An error of the source as a whole.
    pub(super) fn error(&self, code: &'static str, message: String) -> Diagnostic {
        Diagnostic::about(self.file.as_str(), DiagnosticSeverity::Error, code, message)
    }
}

/// Why a file cannot be read, without its folders.
pub(super) fn unreadable(error: &ReadError) -> &'static str {
    match error {
        ReadError::Missing { .. } => "The file does not exist",
        ReadError::Directory { .. } => "It is a directory, not a file",
        ReadError::NotRegular { .. } => "It is a pipe or a device, not a regular file",
        ReadError::TooLarge { .. } => "The file is too large",
        ReadError::Unreadable { .. } => "The file cannot be read",
    }
}
