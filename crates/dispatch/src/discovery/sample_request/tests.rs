//! Tests of `sample_request`.

use super::plural;

#[test]
fn several_of_a_thing() {
    let things = ["dish", "box", "branch", "address", "category", "day", "issue", "status", "news"];
    assert_eq!(
        things.map(plural),
        ["dishes", "boxes", "branches", "addresses", "categories", "days", "issues", "statuses", "news"]
    );
}
