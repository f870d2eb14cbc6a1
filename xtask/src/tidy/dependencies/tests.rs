//! A dependency that is named somewhere in its crate is used; any other is not.

use super::check;
use crate::tidy::tests::{file, places};

#[test]
fn a_dependency_that_no_file_names_is_told() {
    let manifest =
        "[dependencies]\nserde_json = \"1\"\nbase-x = \"1\"\n\n[dev-dependencies]\ninsta = \"1\"\n";
    let files = |code: &str| {
        vec![
            file("crates/a/Cargo.toml", manifest),
            file("crates/a/src/lib.rs", code),
            file("crates/b/src/lib.rs", "use base_x::y;"),
        ]
    };
    let used = check(&files("use base_x::y; use serde_json::json; insta::assert_snapshot!(1);")).unwrap();
    assert_eq!(places(&used), Vec::<String>::new());
    let unused = check(&files("use serde_json_more::x;")).unwrap();
    assert_eq!(places(&unused), ["crates/a/Cargo.toml:3", "crates/a/Cargo.toml:2", "crates/a/Cargo.toml:6"]);
}

#[test]
fn dependencies_of_one_platform_count_too() {
    let manifest = "[target.'cfg(unix)'.dependencies]\nrustix = \"1\"\n";
    let files = [file("crates/a/Cargo.toml", manifest), file("crates/a/src/lib.rs", "")];
    assert_eq!(places(&check(&files).unwrap()), ["crates/a/Cargo.toml:2"]);
}
