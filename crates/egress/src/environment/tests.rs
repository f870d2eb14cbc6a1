//! Tests of `environment`.

use super::{Environment, ProcessEnvironment, expand_with, references};
use proptest::prelude::*;
use secrecy::ExposeSecret;
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
            "?" => assert_eq!(found.unwrap_err().variable, "workspaceFolder"),
            expected => assert_eq!(found.unwrap().expose_secret(), expected, "{text}"),
        }
    }
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
