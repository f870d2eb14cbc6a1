//! What belongs into the package of a crate.

use super::problems_of;

#[test]
fn a_package_has_its_licences_and_no_tests() {
    assert!(problems_of("Cargo.toml\nLICENSE-APACHE\nLICENSE-MIT\nsrc/lib.rs\nsrc/latests.rs").is_empty());
    let found = problems_of("Cargo.toml\nLICENSE-MIT\nsrc/lib.rs\nsrc/query/tests.rs\ntests/outside/main.rs");
    assert_eq!(
        found,
        [
            "LICENSE-APACHE is missing",
            "src/query/tests.rs does not belong there",
            "tests/outside/main.rs does not belong there",
        ]
    );
}
