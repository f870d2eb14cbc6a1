//! Tests of `glob`.

use super::{BadGlob, Glob};
use proptest::prelude::{prop_assert, prop_assert_eq, proptest};
use regex::Regex;

#[test]
fn examples() {
    let matches = |pattern: &str, name: &str| Glob::parse(pattern).unwrap().matches(name);
    for (pattern, name) in [
        ("grant_*", "grant_access"),
        ("grant_*", "grant_"),
        ("*", "x"),
        ("*_access", "a_access_access"),
        ("a*b*c", "a1b2bc"),
        ("hub__get_*", "hub__get_repo"),
        ("introspect", "introspect"),
    ] {
        assert!(matches(pattern, name), "{pattern} {name}");
    }
    for (pattern, name) in
        [("grant_*", "regrant_x"), ("grant", "grant_x"), ("a*b", "ab_"), ("*_access", "access")]
    {
        assert!(!matches(pattern, name), "{pattern} {name}");
    }
}

#[test]
fn only_characters_of_names() {
    for bad in ["", "Grant_*", "a b", "a?", "[ab]", "é*", "a.b"] {
        assert_eq!(Glob::parse(bad), Err(BadGlob), "{bad}");
    }
    assert_eq!(Glob::parse("my-api__*").unwrap().as_str(), "my-api__*");
}

#[test]
fn texts_of_any_kind() {
    assert!(Glob::of_text("/repos/*/issues").matches("/repos/{owner}/{repo}/issues"));
    assert!(Glob::of_text("*é?").matches("xé?"));
    assert!(!Glob::of_text("/repos/*").matches("/users"));
}

proptest! {
    /// The same answer as the pattern's regular expression, and a name always matches itself.
    #[test]
    fn agrees_with_a_regular_expression(pattern in "[ab_*]{1,8}", name in "[ab_]{0,10}") {
        let regex = Regex::new(&format!("^{}$", pattern.replace('*', ".*"))).unwrap();
        prop_assert_eq!(Glob::parse(&pattern).unwrap().matches(&name), regex.is_match(&name));
        prop_assert!(name.is_empty() || Glob::parse(&name).unwrap().matches(&name));
    }
}
