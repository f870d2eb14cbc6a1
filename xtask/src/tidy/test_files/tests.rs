//! Where tests may stand.

use super::check;
use crate::tidy::tests::{file, places};

#[test]
fn tests_have_their_own_files() {
    let test = "fn f() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn g() {}\n}\n";
    let tokio = "#[tokio::test(flavor = \"current_thread\")]\nasync fn g() {}\n";
    assert_eq!(places(&check(&[file("crates/a/src/b.rs", test)])), ["crates/a/src/b.rs:5"]);
    assert_eq!(places(&check(&[file("crates/a/src/b/calls.rs", tokio)])), ["crates/a/src/b/calls.rs:1"]);
    for path in ["crates/a/src/b/tests.rs", "crates/a/src/b/tests/c.rs", "crates/a/tests/outside.rs"] {
        assert!(check(&[file(path, test)]).is_empty(), "{path}");
    }
}
