//! The targets are what the manifest names, and each has several inputs to begin with.

use super::{SEEDS, last_after, targets};
use crate::repo;
use std::path::Path;

#[test]
fn every_target_is_built_and_has_seeds() {
    let root = repo::root().unwrap();
    let manifest = repo::read(&root.join("fuzz/Cargo.toml")).unwrap();
    let files = |folder: &Path, end: &str| {
        let entries = std::fs::read_dir(folder).into_iter().flatten();
        entries.filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().ends_with(end)).count()
    };
    for target in targets(root, None).unwrap() {
        assert!(manifest.contains(&format!("name = \"{target}\"")), "{target} is not in fuzz/Cargo.toml");
        let shared = SEEDS.iter().filter(|(of, ..)| *of == target);
        let seeds = files(&root.join("fuzz/seeds").join(&target), "")
            + shared.map(|(_, folder, end)| files(&root.join(folder), end)).sum::<usize>();
        assert!(seeds >= 3, "{target} has {seeds} seeds");
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
