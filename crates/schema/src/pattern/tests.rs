//! Patterns that match, and patterns made to take for ever.
//!
//! A pattern and a text in, the verdict out; what is too much is reported, not done.

use super::{Dialect, LONGEST_PATTERN, Pattern, PatternError, PatternMatch};
use crate::work::{Meter, WorkStop};

fn matches(pattern: &str, text: &str) -> PatternMatch {
    Pattern::of(pattern, Dialect::Ecma).matches(text, &Meter::default()).expect("within the steps")
}

#[test]
fn patterns_of_documents_match() {
    for (pattern, text) in [
        ("^\\d{3}-\\p{Lu}$", "123-A"),
        ("^[a-z]+$", "abc"),
        ("^(?!forbidden)[a-z]+$", "allowed"),
        ("^(?=.*\\d)(?=.*[a-z]).{8,}$", "passw0rds"),
        ("^[\\p{L}\\p{N} ._-]{1,255}$", "Zoë 2"),
        ("^\\w{1,64}$", "a_1"),
        ("[ab]{5000}c", &("ab".repeat(2_500) + "c")),
    ] {
        assert_eq!(matches(pattern, text), PatternMatch::Yes, "{pattern}");
        assert_eq!(matches(pattern, "!"), PatternMatch::No, "{pattern}");
    }
    assert_eq!(matches("^\\w$", "é"), PatternMatch::No, "letters are those of ECMAScript");
    assert_eq!(matches("(", "a"), PatternMatch::Unknown);
    let long = "QUJD".repeat(500_000);
    assert_eq!(
        matches("^[A-Za-z0-9+/]*={0,2}$", &long),
        PatternMatch::Yes,
        "a large text and a small pattern"
    );
}

/// What would take seconds is not begun.
#[test]
fn bombs_are_not_decided() {
    let long = "ab".repeat(1_000_000);
    assert_eq!(matches("[ab]{5000}c", &long), PatternMatch::Undecided);
    assert_eq!(matches(&"a".repeat(100_000), "aaa"), PatternMatch::Undecided);
    assert_eq!(matches("(\\w{900}){900}", "aaa"), PatternMatch::Undecided);
    assert_eq!(matches("((((x{100}){100}){100}){100}){100}", "aaa"), PatternMatch::Undecided);
    assert_ne!(matches("^(?=(a+)+$)\\1b$", &("a".repeat(60) + "!")), PatternMatch::Yes);
    assert_eq!(matches("^(?=a)(?:a|ab)*$", &long), PatternMatch::Undecided);
    assert_eq!(matches("(?:(?=a)a{1000}){1000}{1000}", "a"), PatternMatch::Undecided);
    assert_eq!(
        matches("^(a+)+$", &("a".repeat(5_000) + "!")),
        PatternMatch::No,
        "linear, however it is nested"
    );
}

#[test]
fn steps_are_counted() {
    let pattern = Pattern::of("^(?:[a-f0-9]{2})+$", Dialect::Plain);
    assert!(matches!(pattern.matches("00", &Meter::new(100)), Err(WorkStop::Spent(100))));
    assert_eq!(pattern.matches("00", &Meter::new(2_000)), Ok(PatternMatch::Yes));
    assert!(pattern.matches(&"00".repeat(100_000), &Meter::new(2_000)).is_err());
}

#[test]
fn one_text_is_one_pattern() {
    let [one, two] = [(); 2].map(|()| Pattern::of("^shared$", Dialect::Ecma));
    assert!(std::sync::Arc::ptr_eq(&one.0, &two.0));
    let other = Pattern::of("^shared$", Dialect::Plain);
    assert!(!std::sync::Arc::ptr_eq(&one.0, &other.0));
}

#[test]
fn what_is_wrong_with_a_pattern() {
    assert!(Pattern::checked("^[\\w.-]{1,100}$").is_ok(), "a large but usual one");
    assert_eq!(Pattern::checked("("), Err(PatternError::Invalid("unclosed group".into())));
    assert_eq!(Pattern::checked("(\\w{900}){900}"), Err(PatternError::TooLarge));
    assert_eq!(Pattern::checked(&"a".repeat(10_001)), Err(PatternError::TooLarge));
}

/// The fault that is found before a pattern is used is the one that using it has.
#[test]
fn faults_are_found_without_compiling() {
    let large = "a".repeat(LONGEST_PATTERN + 1);
    for (text, expected) in [
        ("^[a-z]+$", None),
        ("(?=x)x", None),
        ("\\p{L}{1,200}", None),
        (large.as_str(), Some(PatternMatch::Undecided)),
        ("(?:\\w{1000}){1000}", Some(PatternMatch::Undecided)),
        ("(", Some(PatternMatch::Unknown)),
        ("*.txt", Some(PatternMatch::Unknown)),
    ] {
        let fault = Pattern::fault(text).map(|fault| match fault {
            PatternError::TooLarge => PatternMatch::Undecided,
            PatternError::Invalid(_) => PatternMatch::Unknown,
        });
        assert_eq!(fault, expected, "{}", &text[..text.len().min(20)]);
        let verdict = Pattern::of(text, Dialect::Ecma).matches("x", &Meter::default()).unwrap();
        assert_eq!(matches!(verdict, PatternMatch::Yes | PatternMatch::No), expected.is_none());
        assert!(expected.is_none_or(|expected| expected == verdict), "{verdict:?}");
    }
}
