//! Tests of `environment`.

use super::{Environment, ProcessEnvironment, UnsetVariable, expand_with, references};
use proptest::prelude::*;
use secrecy::{ExposeSecret, SecretString};
use std::cell::RefCell;

#[test]
fn variables_are_filled_in() {
    for (text, expected) in [
        ("plain", "plain"),
        ("Bearer ${TOKEN}!", "Bearer s3cret-value!"),
        ("${env:TOKEN}${TOKEN}", "s3cret-values3cret-value"),
        ("${NOT_SET:-otherwise}", "otherwise"),
        ("${TOKEN:-otherwise}", "s3cret-value"),
        ("${workspaceFolder}/a ${", "?"),
        ("$TOKEN ${not a name} ${open", "$TOKEN ${not a name} ${open"),
    ] {
        let found = expand_with(text, |name| (name == "TOKEN").then(|| "s3cret-value".into()));
        match expected {
            "?" => {
                let variable = "workspaceFolder".to_owned();
                assert_eq!(found.unwrap_err(), UnsetVariable::Absent { variable });
            }
            expected => assert_eq!(found.unwrap().expose_secret(), expected, "{text}"),
        }
    }
}

/// What a client was to fill in is told apart from what is not set, and goes nowhere.
#[test]
fn placeholders_are_no_values() {
    let get = |value: &'static str| move |_: &str| Some(SecretString::from(value));
    for value in ["${env:TOKEN}", "x ${input:token}"] {
        let refused = expand_with("Bearer ${KEY}", get(value)).unwrap_err();
        assert_eq!(refused, UnsetVariable::Placeholder { variable: "KEY".to_owned() });
        assert!(refused.to_string().contains("'KEY', which holds a placeholder"), "{refused}");
    }
    assert!(expand_with("${FORMAT}", get("${level}")).is_ok(), "a value of its own");
}

#[test]
fn references_are_found() {
    let found: Vec<&str> = references("${A} ${env:B}${C:-d} ${not a name} ${open").collect();
    assert_eq!(found, ["A", "B", "C"]);
}

// Consent is asked for what `references` finds: whatever is filled in must be among them.
proptest! {
    #[test]
    fn nothing_is_filled_in_that_was_not_found(text in "[${}:A-C a\\-env]{0,32}") {
        let found: Vec<&str> = references(&text).collect();
        let asked = RefCell::new(Vec::new());
        let filled = expand_with(&text, |name| {
            asked.borrow_mut().push(name.to_owned());
            Some("value".into())
        });
        prop_assert!(filled.is_ok());
        prop_assert_eq!(asked.into_inner(), found);
    }
}

#[test]
fn process_environment() {
    assert!(ProcessEnvironment.get("PATH").is_some());
    assert!(ProcessEnvironment.get("AQUEDUCT_SURELY_NOT_SET").is_none());
}
