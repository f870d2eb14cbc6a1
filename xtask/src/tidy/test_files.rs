//! Tests have their own files.
//!
//! In: the Rust files under a `src` folder. Out: a violation for every test that is not in a `tests.rs` or under a `tests`
//! folder, so that a file's length is the length of what it does.

use super::Violation;
use crate::repo::File;

/// Checks every Rust file under a `src` folder.
pub(super) fn check(files: &[File]) -> Vec<Violation> {
    let of_product = |file: &&File| file.is_rust() && file.path.contains("/src/") && !file.is_test();
    files.iter().filter(of_product).filter_map(check_file).collect()
}

fn check_file(file: &File) -> Option<Violation> {
    let is_test = |line: &str| {
        let line = line.trim_start();
        line.starts_with("#[test]") || line.starts_with("#[tokio::test") || line.starts_with("proptest! {")
    };
    let line = file.text.lines().position(is_test)?;
    let fix = "move the tests to 'tests.rs' in the folder of this module";
    Some(Violation::new(&file.path, line + 1, "a test stands beside the code", fix))
}

#[cfg(test)]
mod tests;
