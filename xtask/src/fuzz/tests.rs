//! The targets are what the manifest names, and each has something to begin with.

use super::{SEEDS, last_after, targets};
use crate::repo;

#[test]
fn every_target_is_built_and_has_a_seed() {
    let root = repo::root().unwrap();
    let manifest = repo::read(&root.join("fuzz/Cargo.toml")).unwrap();
    for target in targets(root, None).unwrap() {
        assert!(manifest.contains(&format!("name = \"{target}\"")), "{target} is not in fuzz/Cargo.toml");
        let is_seeded =
            root.join("fuzz/seeds").join(&target).is_dir() || SEEDS.iter().any(|(of, ..)| *of == target);
        assert!(is_seeded, "{target} has no seed");
    }
}

#[test]
fn a_target_that_does_not_exist_is_refused() {
    assert!(targets(repo::root().unwrap(), Some("nothing")).is_err());
}

#[test]
fn the_last_figure_counts() {
    assert_eq!(last_after("#2 cov: 10 ft: 3\n#8 cov: 12 ft: 4", "cov: "), "12");
    assert_eq!(last_after("", "cov: "), "-");
}
