//! Tests of `allowance`.

use super::{Allowance, MOST_PARAMS, MOST_PATTERNS, PatternProblem};
use aqueduct_operations::params::{Param, ValueKind};

#[test]
fn parameters_are_counted() {
    let allowance = Allowance::default();
    let param = Param::new("x", ValueKind::String);
    assert!(allowance.take(std::iter::repeat_n(&param, MOST_PARAMS)));
    assert!(!allowance.take([&param].into_iter()));
}

#[test]
fn patterns_are_counted_and_shared() {
    let allowance = Allowance::default();
    assert!(allowance.compile("^[a-z]{1,40}$").is_ok());
    assert!(allowance.compile("^[\\w.-]{1,100}$").is_ok(), "a large but usual one");
    assert_eq!(allowance.compile("(").unwrap_err(), PatternProblem::Invalid("unclosed group".into()));
    assert_eq!(allowance.compile("(\\w{900}){900}").unwrap_err(), PatternProblem::TooLarge);
    for _ in 0..1_000 {
        assert!(allowance.compile("^[\\w.-]{1,100}$").is_ok(), "known ones cost nothing");
    }
    let known = allowance.patterns.borrow().len();
    for number in known..MOST_PATTERNS {
        assert!(allowance.compile(&format!("^{number}$")).is_ok(), "{number}");
    }
    assert_eq!(allowance.compile("^[\\w.-]{1,101}$").unwrap_err(), PatternProblem::TooMany);
}
