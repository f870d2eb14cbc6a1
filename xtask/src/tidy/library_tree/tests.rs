//! Tests of `library_tree`.

use super::{Bound, outside_crates, too_many};

const TREE: &str = "aqueduct v0.1.0 (/x/crates/aqueduct)\naqueduct-query v0.1.0 (/x/crates/query)\nserde v1.0.1\n\
                    serde_derive v1.0.1 (proc-macro)\nserde v1.0.1 (*)\n\nserde v2.0.0\n";

/// Each version counts once, and ours do not.
#[test]
fn crates_from_outside() {
    assert_eq!(outside_crates(TREE), 3);
}

#[test]
fn more_than_the_bound_is_a_violation() {
    assert_eq!(too_many(&Bound { features: "", most: 3 }, TREE), None);
    let found = too_many(&Bound { features: "serve", most: 2 }, TREE).unwrap();
    assert!(found.problem.contains("'serve' needs 3 crates, 2"), "{found}");
}
