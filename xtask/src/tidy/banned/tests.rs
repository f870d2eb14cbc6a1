//! Tests of `banned`.

use super::{check, rules};
use crate::tidy::tests::{file, places};

#[test]
fn every_rule_finds_its_examples_and_passes_the_others() {
    for (rule, pattern) in rules().unwrap() {
        assert!(!rule.finds.is_empty(), "{} has no example", rule.problem);
        for line in &rule.finds {
            assert!(pattern.is_match(line), "{}: {line}", rule.problem);
        }
        for line in &rule.passes {
            assert!(!pattern.is_match(line), "{}: {line}", rule.problem);
        }
    }
}

#[test]
fn every_match_is_reported_with_its_line() {
    let source = "fn a() {\n    unreachable!()\n}\n".replace("unreachable", concat!("to", "do"));
    assert_eq!(places(&check(&[file("crates/x/src/a.rs", &source)]).unwrap()), ["crates/x/src/a.rs:2"]);
    assert!(check(&[file("crates/x/notes.tsv", &source)]).unwrap().is_empty());
}

#[test]
fn a_module_lies_beside_its_folder() {
    assert_eq!(places(&check(&[file("crates/x/src/a/mod.rs", "")]).unwrap()), ["crates/x/src/a/mod.rs:1"]);
}
