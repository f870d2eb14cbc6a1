//! A directory as a kind of source: each adapter file in it is one, however deep it lies.
//!
//! A directory in; its adapter files, and the operations that its operation files declare, out. A file that cannot be used is
//! skipped with a warning.

use super::{CandidateFiles, DiskFs, Skipped, candidates};
use aqueduct_adapter_files::operation_file::{self, ManifestRead, is_operation_file};
use aqueduct_adapter_files::{AdapterFileKind, location, name_prefix};
use aqueduct_documents::disk::{self, MAX_ADAPTER_FILE};
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity};
use aqueduct_source_kind::kind::{
    Candidate, EmptyList, KindInfo, ListedSource, ListedSources, LocationKind, Recognition, SourceKind,
};
use aqueduct_source_kind::linked_content::hide_linked_content;
use aqueduct_source_kind::operation_manifest::OperationManifest;
use std::path::Path;
use std::sync::Arc;

/// Directories, whose files are of the kind here.
#[derive(Debug, Clone)]
pub struct DirectoryKind(pub Arc<AdapterFileKind>);

impl SourceKind for DirectoryKind {
    fn explain(&self) -> KindInfo {
        KindInfo {
            noun: "a directory",
            given_as: "directories",
            recognised_by: None,
            import: None,
            validate_hint: None,
            needs_consent: false,
        }
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Option<Recognition> {
        (candidate.place == LocationKind::Directory).then_some(Recognition::Name)
    }

    /// The adapter files, and what was passed over. A directory with operation files alone has none.
    fn list(&self, path: &Path, _content: Option<&[u8]>) -> ListedSources {
        let CandidateFiles { files, unreadable, passed_over } = candidates(path, &DiskFs);
        let is_unsettled = !unreadable.is_empty();
        let problems = unreadable.into_iter().flat_map(|each| each.problems);
        if files.is_empty() {
            let mut nothing =
                format!("{} holds no file named *-adapter.md or *.operation.json", path.display());
            if let Some(first) = passed_over.first() {
                let name = first.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                nothing.push_str(&format!("; '{name}' is passed over: it is a pipe, a device, a link that leads nowhere, or too deep"));
            }
            let found: Vec<Diagnostic> = problems.chain(told(passed_over)).collect();
            let (empty, diagnostics) = match is_unsettled {
                true => (EmptyList::Invalid(found), Vec::new()),
                false => (EmptyList::Nothing(nothing), found),
            };
            return ListedSources {
                is_unsettled,
                empty: Some(empty),
                diagnostics,
                ..ListedSources::default()
            };
        }
        let source = |path| ListedSource { kind: Arc::clone(&self.0) as _, location: location(path) };
        let adapters = files.into_iter().filter(|file| name_prefix(&file.to_string_lossy()).is_some());
        ListedSources {
            sources: adapters.map(source).collect(),
            diagnostics: problems.map(as_warning).chain(told(passed_over)).collect(),
            is_unsettled,
            empty: None,
        }
    }
}

/// Operations that are declared in a directory.
#[derive(Debug, Default)]
pub struct DeclaredOperations {
    /// Each operation.
    pub manifests: Vec<OperationManifest>,
    /// Findings about their files; what cannot be used is left out.
    pub diagnostics: Vec<Diagnostic>,
}

/// The operations that the operation files of a directory declare, whose code the program registers. A file that cannot be
/// used is skipped.
pub fn declared_operations(directory: &Path) -> DeclaredOperations {
    let mut declared = DeclaredOperations::default();
    let files = candidates(directory, &DiskFs).files;
    for file in files.into_iter().filter(|file| is_operation_file(&file.to_string_lossy())) {
        let shown = file.display().to_string();
        let bytes = match disk::read(&file, MAX_ADAPTER_FILE) {
            Ok(bytes) => bytes,
            Err(error) => {
                let (severity, code) = (DiagnosticSeverity::Warning, "FILE_UNREADABLE");
                declared.diagnostics.push(Diagnostic::about(shown, severity, code, error.to_string()));
                continue;
            }
        };
        match operation_file::read(&shown, &String::from_utf8_lossy(&bytes)) {
            ManifestRead::Declared(manifest, warnings) => {
                declared.manifests.push(*manifest);
                declared.diagnostics.extend(warnings);
            }
            ManifestRead::Nothing => {}
            ManifestRead::Invalid(problems) => {
                let problems = problems.into_iter().map(as_warning).collect();
                declared.diagnostics.extend(hide_linked_content(directory, &file, problems));
            }
        }
    }
    declared
}

fn told(passed_over: Vec<Skipped>) -> impl Iterator<Item = Diagnostic> {
    passed_over.into_iter().flat_map(|each| each.problems)
}

/// A file that was found, not named, is skipped for its mistakes: they are no errors of the whole.
fn as_warning(problem: Diagnostic) -> Diagnostic {
    Diagnostic { severity: problem.severity.min(DiagnosticSeverity::Warning), ..problem }
}
