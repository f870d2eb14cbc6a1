//! Tests of `environment`.

use super::{expand, header, of_child, references};
use crate::settings::VariableLookup;
use secrecy::{ExposeSecret, SecretString};

fn variables() -> VariableLookup {
    VariableLookup::new(|name| match name {
        "PATH" => Some("/bin".into()),
        "TOKEN" => Some("s3cret-value".into()),
        "OTHER_SECRET" => Some("never".into()),
        _ => None,
    })
}

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
        let found = expand(text, &variables());
        match expected {
            "?" => assert_eq!(found.unwrap_err().variable, "workspaceFolder"),
            expected => assert_eq!(found.unwrap().expose_secret(), expected, "{text}"),
        }
    }
}

/// A name and a password become what the scheme wants; all else is sent as it is.
#[test]
fn basic_credentials_are_encoded() {
    for (text, sent) in [
        ("Basic ann:${TOKEN}", "Basic YW5uOnMzY3JldC12YWx1ZQ=="),
        ("basic a:b:c", "basic YTpiOmM="),
        ("Basic YW5uOnMzY3JldC12YWx1ZQ==", "Basic YW5uOnMzY3JldC12YWx1ZQ=="),
        ("Bearer a:${TOKEN}", "Bearer a:s3cret-value"),
        ("a:b", "a:b"),
    ] {
        assert_eq!(header(text, &variables()).unwrap().expose_secret(), sent, "{text}");
    }
    assert_eq!(header("Basic ann:${MISSING}", &variables()).unwrap_err().variable, "MISSING");
}

#[test]
fn a_missing_variable_is_named() {
    let given = [("KEY".to_owned(), SecretString::from("${MISSING}"))];
    let error = of_child(&given, &variables()).unwrap_err();
    assert_eq!(error.to_string(), "it needs the environment variable 'MISSING', which is not set");
}

/// A child sees the base and its own variables, not the secrets of others.
#[test]
fn a_child_sees_no_other_secrets() {
    let given = [("KEY".to_owned(), SecretString::from("${TOKEN}"))];
    let seen = of_child(&given, &variables()).unwrap();
    let names: Vec<&str> = seen.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["PATH", "KEY"]);
}

#[test]
fn references_are_found() {
    let found: Vec<&str> = references("${A} ${env:B}${C:-d} ${not a name} ${open").collect();
    assert_eq!(found, ["A", "B", "C"]);
}
