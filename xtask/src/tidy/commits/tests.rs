//! Tests of `commits`.

use super::{LONGEST, check, too_long};
use std::path::Path;

#[test]
fn long_subjects_are_found() {
    let fits = format!("fix(store): {}", "é".repeat(LONGEST - 12));
    let log = format!("abc1234 {fits}\ndef5678 {fits}x\n\n");
    let found = too_long(&log);
    assert_eq!(found.len(), 1);
    assert!(found[0].file.contains("def5678") && found[0].problem.contains("73"), "{}", found[0]);
}

/// Without the history nothing is known of it.
#[test]
fn no_history_is_no_violation() {
    assert_eq!(check(Path::new("/")), []);
}
