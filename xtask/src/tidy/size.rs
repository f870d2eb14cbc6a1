//! No source file grows past the limit, and those that come near it are named early.
//!
//! In: all files. Out: violations over the limit, warnings close to it.

use super::Violation;
use crate::repo::File;

const LIMIT: usize = 600;
const CLOSE: usize = 500;

/// Rust files over the limit.
pub(super) fn check(files: &[File]) -> Vec<Violation> {
    rust_files_longer_than(LIMIT, files)
        .map(|(file, lines)| {
            let problem = format!("{lines} lines, the limit is {LIMIT}");
            Violation::new(
                &file.path,
                LIMIT + 1,
                problem,
                "split it by purpose: `foo.rs` and files in `foo/`",
            )
        })
        .collect()
}

/// Rust files that are still allowed but close to the limit.
pub(super) fn close_to_limit(files: &[File]) -> Vec<String> {
    rust_files_longer_than(CLOSE, files)
        .filter(|(_, lines)| *lines <= LIMIT)
        .map(|(file, lines)| format!("{}: {lines} lines, the limit is {LIMIT}", file.path))
        .collect()
}

fn rust_files_longer_than(limit: usize, files: &[File]) -> impl Iterator<Item = (&File, usize)> {
    files
        .iter()
        .filter(|file| file.is_rust())
        .map(|file| (file, file.text.lines().count()))
        .filter(move |(_, lines)| *lines > limit)
}

#[cfg(test)]
mod tests;
