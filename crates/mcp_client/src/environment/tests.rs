//! Tests of `environment`.

use super::{UnsetVariable, header, of_child};
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_testkit::environment::TestEnvironment;
use secrecy::ExposeSecret;

fn variables() -> TestEnvironment {
    TestEnvironment::with(&[("PATH", "/bin"), ("TOKEN", "s3cret-value"), ("OTHER_SECRET", "never")])
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
    let refused = header("Basic ann:${MISSING}", &variables()).unwrap_err();
    assert_eq!(refused, UnsetVariable::Absent { variable: "MISSING".to_owned() });
}

#[test]
fn a_missing_variable_is_named() {
    let given = [NamedSecret::new("KEY", "${MISSING}")];
    let error = of_child(&given, &variables()).unwrap_err();
    assert_eq!(error.to_string(), "it needs the environment variable 'MISSING', which is not set");
}

/// A child sees the base and its own variables, not the secrets of others.
#[test]
fn a_child_sees_no_other_secrets() {
    let given = [NamedSecret::new("KEY", "${TOKEN}")];
    let seen = of_child(&given, &variables()).unwrap();
    let names: Vec<&str> = seen.iter().map(|set| set.name.as_str()).collect();
    assert_eq!(names, ["PATH", "KEY"]);
}
