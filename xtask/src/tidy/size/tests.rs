//! Tests of `size`.

use super::{check, close_to_limit};
use crate::tidy::tests::{file, places};

#[test]
fn the_limit_itself_passes_and_one_line_more_does_not() {
    let at_limit = [file("a.rs", &"x\n".repeat(600))];
    let over = [file("a.rs", &"x\n".repeat(601)), file("a.md", &"x\n".repeat(900))];
    assert!(check(&at_limit).is_empty());
    assert_eq!(close_to_limit(&at_limit).len(), 1);
    assert_eq!(places(&check(&over)), ["a.rs:601"]);
    assert!(close_to_limit(&over).is_empty());
}
