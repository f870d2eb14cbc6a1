//! Tests of `header`.

use super::{header, semver_of};
use serde_json::json;

#[test]
fn versions_become_semantic() {
    for (written, version) in [
        ("1.2.3", "1.2.3"),
        ("v1.2.3-beta", "1.2.3-beta"),
        ("1.2", "1.2.0"),
        ("v1", "1.0.0"),
        ("2020-01-09", "2020.1.9"),
        ("latest", "0.0.0"),
        ("", "0.0.0"),
    ] {
        assert_eq!(semver_of(written), version, "{written}");
        assert!(semver::Version::parse(&semver_of(written)).is_ok());
    }
}

#[test]
fn everything_may_be_missing() {
    let empty = header(json!({}).as_object().unwrap(), "");
    assert_eq!((empty.name.as_str(), empty.version.as_str()), ("api", "0.0.0"));
    assert!(!empty.description.is_empty());
    let odd = json!({"info": {"title": 7, "version": 1.5, "description": []}, "tags": ["a", 3]});
    assert_eq!(header(odd.as_object().unwrap(), "").version, "1.5.0");
}

/// A document lists tags also of what is no operation, such as its webhooks: none of them is about all operations.
#[test]
fn tags_are_of_operations() {
    let document = json!({"info": {"title": "Forge"}, "tags": [{"name": "issues"}, {"name": "merge-queue"}]});
    assert!(header(document.as_object().unwrap(), "").tags.is_empty());
}
