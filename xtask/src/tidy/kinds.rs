//! The loader and imports sources knows no kind of source by its name.
//!
//! In: the Rust files that load, import, and hold what all kinds share. Out: a violation for every word in their code that is of
//! one kind. Such code belongs behind `SourceKind` or `Connection`, so that a new kind is a folder and a line.

use super::Violation;
use crate::repo::File;

/// Files and folders that know no kind, by the beginning of their path.
const WITHOUT_KINDS: &[&str] =
    &["crates/aqueduct/src/boot", "crates/cli/src/commands/import", "crates/source_kind/src/"];

/// What only one kind has, in lower case. The writer of adapter files is not among them: it is what `import` writes with.
const WORDS_OF_KINDS: &[&str] =
    &["mcp", "openapi", "swagger", "adapterfilekind", "crate::servers", "aqueduct_sources::scan"];

/// Checks the code of every such file; tests and comments may name kinds.
pub(super) fn check(files: &[File]) -> Vec<Violation> {
    let is_checked = |file: &&File| {
        file.is_rust() && !file.is_test() && WITHOUT_KINDS.iter().any(|start| file.path.starts_with(start))
    };
    files.iter().filter(is_checked).flat_map(check_file).collect()
}

fn check_file(file: &File) -> impl Iterator<Item = Violation> {
    let code = file.text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
    code.filter_map(|(index, line)| {
        let line = line.to_lowercase();
        let word = WORDS_OF_KINDS.iter().find(|word| line.contains(**word))?;
        let problem = format!("'{word}' is of one kind of source");
        Some(Violation::new(&file.path, index + 1, problem, "put it behind 'SourceKind' or 'Connection'"))
    })
}

#[cfg(test)]
mod tests;
