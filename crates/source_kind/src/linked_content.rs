//! Files that a directory only links to: what they hold is shown to no one.
//!
//! Findings about a file of a directory in; the same, without its text where a link leads out of the directory, out.

use aqueduct_documents::disk;
use aqueduct_operations::diagnostic::Diagnostic;
use std::path::Path;

/// The findings about a file of a directory. Of one that a link leads to elsewhere no content is shown: it may be anything.
pub fn hide_linked_content(
    directory: &Path,
    file: &Path,
    mut diagnostics: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let is_within = match (disk::real_path(directory), disk::real_path(file)) {
        (Ok(directory), Ok(file)) => file.starts_with(directory),
        _ => false,
    };
    if !is_within {
        for each in &mut diagnostics {
            each.position.source_line.clear();
            each.received = None;
        }
    }
    diagnostics
}
