//! Tests of `environment`.

use super::{Environment, ProcessEnvironment, expand_with, references};
use secrecy::ExposeSecret;

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

#[test]
fn process_environment() {
    assert!(ProcessEnvironment.get("PATH").is_some());
    assert!(ProcessEnvironment.get("AQUEDUCT_SURELY_NOT_SET").is_none());
}
