//! Tests of `checks`.

use super::without;
use serde_json::{Value, json};

/// What is given stays, what is not is taken out, and nothing else is touched, to the last digit.
#[test]
fn only_checks_that_were_not_given() {
    let stored = r#"{"sha":"a1","n":1.10,"version":3,"ETag":"x","metadata":{"resourceVersion":"7","sha":"b","name":"m"}}"#;
    let (left, taken) = without(stored, &json!({"version": 3}));
    assert_eq!(left, r#"{"n":1.10,"version":3,"metadata":{"sha":"b","name":"m"}}"#);
    assert_eq!(taken, ["sha", "ETag", "metadata.resourceVersion"]);
    let (left, taken) = without(stored, &json!({"metadata": {"resourceVersion": "7"}, "sha": null}));
    assert!(left.contains("resourceVersion") && left.contains(r#""sha":"a1""#), "{left}");
    assert_eq!(taken, ["version", "ETag"]);
}

/// A release is content; a counter, a date or a word is a check.
#[test]
fn versions() {
    for (version, is_kept) in [
        (json!("1.4.2"), true),
        (json!("v2.0"), true),
        (json!(7), false),
        (json!("7"), false),
        (json!("abc"), false),
        (json!("a.b"), false),
    ] {
        let stored = json!({"version": version, "name": "x"}).to_string();
        let (left, _) = without(&stored, &Value::Null);
        assert_eq!(left.contains("version"), is_kept, "{version}");
    }
    let plain = r#"{"sharing":1,"versions":[1],"conversion":2}"#;
    assert_eq!(without(plain, &Value::Null), (plain.into(), Vec::new()));
}
