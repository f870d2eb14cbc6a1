//! Tests of `repo`.

use super::{files, root};

#[test]
fn the_checkout_is_listed_without_build_output() {
    let all = files(root().unwrap()).unwrap();
    assert!(all.iter().any(|file| file.path == "xtask/src/repo.rs"));
    assert!(all.iter().any(|file| file.path == ".ci/run"));
    assert!(all.iter().all(|file| !file.path.starts_with("target/") && !file.path.contains(".git/")));
}
