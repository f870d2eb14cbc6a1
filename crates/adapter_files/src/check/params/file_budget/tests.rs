//! Tests of `file_budget`.

use super::{FileBudget, MOST_PARAMS, MOST_PATTERNS, PatternProblem};
use aqueduct_operations::params::{Param, ValueKind};

#[test]
fn parameters_are_counted() {
    let budget = FileBudget::default();
    let param = Param::new("x", ValueKind::String);
    assert!(budget.take(std::iter::repeat_n(&param, MOST_PARAMS)));
    assert!(!budget.take([&param].into_iter()));
}

#[test]
fn patterns_are_counted_and_shared() {
    let budget = FileBudget::default();
    assert!(budget.compile("^[a-z]{1,40}$").is_ok());
    assert!(budget.compile("^[\\w.-]{1,100}$").is_ok(), "a large but usual one");
    assert_eq!(budget.compile("(").unwrap_err(), PatternProblem::Invalid("unclosed group".into()));
    assert_eq!(budget.compile("(\\w{900}){900}").unwrap_err(), PatternProblem::TooLarge);
    for _ in 0..1_000 {
        assert!(budget.compile("^[\\w.-]{1,100}$").is_ok(), "known ones cost nothing");
    }
    let known = budget.patterns.borrow().len();
    for number in known..MOST_PATTERNS {
        assert!(budget.compile(&format!("^{number}$")).is_ok(), "{number}");
    }
    assert_eq!(budget.compile("^[\\w.-]{1,101}$").unwrap_err(), PatternProblem::TooMany);
}
