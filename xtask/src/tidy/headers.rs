//! Every source file says in a few lines what it is for.
//!
//! In: the files under a `src` folder. Out: a violation where the `//!` header is missing, too short or too long.

use super::Violation;
use crate::repo::File;

/// A file shorter than this may have a header of one line, and so may one of tests.
const TINY_FILE_LINES: usize = 40;
const MIN_HEADER_LINES: usize = 2;
const MAX_HEADER_LINES: usize = 8;

/// Checks the header of every Rust file under a `src` folder.
pub(super) fn check(files: &[File]) -> Vec<Violation> {
    files.iter().filter(|file| file.is_rust() && file.path.contains("/src/")).filter_map(check_file).collect()
}

fn check_file(file: &File) -> Option<Violation> {
    let header = file.text.lines().take_while(|line| line.starts_with("//!")).count();
    let lines = file.text.lines().count();
    let least = if lines < TINY_FILE_LINES || file.is_test() { 1 } else { MIN_HEADER_LINES };
    let fix = "start the file with 2 to 8 `//!` lines: what comes in, what goes out, what always holds";
    match header {
        0 => Some(Violation::new(&file.path, 1, "the file has no header", fix)),
        n if n < least => {
            Some(Violation::new(&file.path, 1, format!("a header of {n} line for {lines} lines"), fix))
        }
        n if n > MAX_HEADER_LINES => Some(Violation::new(
            &file.path,
            n,
            format!("a header of {n} lines"),
            "keep to 8, move the rest to the items",
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
