//! Tests of `paths`.

use super::check;
use crate::tidy::tests::{file, places};

fn violations(path: &str, text: &str) -> Vec<String> {
    places(&check(&[file(path, text)], |path| ["crates/x/src/a.rs", "crates/x", "docs/b.md"].contains(&path)))
}

#[test]
fn quoted_paths_are_read_from_the_root() {
    assert!(violations("docs/b.md", "see `crates/x/src/a.rs` and `crates/x/src/a.rs:12`").is_empty());
    assert_eq!(violations("docs/b.md", "one\nsee `crates/x/src/gone.rs`"), ["docs/b.md:2"]);
    assert_eq!(violations("README.md", "`docs/gone.md` and `examples/gone`").len(), 2);
}

#[test]
fn links_are_read_from_their_own_file() {
    assert!(
        violations("docs/b.md", "[a](../crates/x/src/a.rs) [b](b.md#top) [c](https://e.org/x) [d](#x)")
            .is_empty()
    );
    assert_eq!(violations("docs/b.md", "[a](crates/x/src/a.rs)"), ["docs/b.md:1"]);
    assert!(violations("README.md", "[a](docs/b.md)").is_empty());
}

#[test]
fn of_a_pattern_only_the_fixed_part_is_checked() {
    assert!(violations("README.md", "`crates/x/*.rs` `crates/x/{a,b}.rs`").is_empty());
    assert_eq!(violations("README.md", "`crates/gone/*.rs`").len(), 1);
}

#[test]
fn adapter_files_are_data() {
    assert!(violations("examples/shop-adapter.md", "`docs/gone.md`").is_empty());
}
