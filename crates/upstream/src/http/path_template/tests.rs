//! Tests of `path`.

use super::{DotSegments, fill, template};
use crate::error::RequestBuildError;
use aqueduct_testkit::log;
use aqueduct_testkit::operation::segments;
use proptest::{prop_assert, prop_assert_eq, proptest};
use serde_json::{Value, json};

const PLAIN: DotSegments = DotSegments::Encode;

fn filled(path: &str, value: Value) -> Result<String, RequestBuildError> {
    let values = json!({"v": value});
    fill(&segments(path), values.as_object().unwrap(), &[], PLAIN)
}

fn refusing(value: Value) -> Result<String, RequestBuildError> {
    let values = json!({"v": value});
    fill(&segments("/f/{v}"), values.as_object().unwrap(), &[], DotSegments::Refuse)
}

/// R6.2-1 R6.2-3: placeholders are replaced by the text of their values.
#[test]
fn replaces_placeholders() {
    let values = json!({"owner": "octocat", "repo": "Hello-World", "n": 7, "b": true});
    let path = fill(&segments("/repos/{owner}/{repo}/{n}/{b}"), values.as_object().unwrap(), &[], PLAIN);
    assert_eq!(path.unwrap(), "/repos/octocat/Hello-World/7/true");
    assert_eq!(template(&segments("/repos/{owner}/x")), "/repos/{owner}/x");
}

/// R6.2.1-1 R6.2.1-2 R6.2.1-3 R6.2.1-4 R6.2.1-5 R6.2.1-6 R6.2.1-8 R6.2.1-9 R11.1-1 R11.1-2: the table of
/// encodings; a slash never adds a segment.
#[test]
fn encodes_values() {
    for (value, path) in [
        (json!("hello world"), "/f/hello%20world"),
        (json!("user@example.com"), "/f/user%40example.com"),
        (json!("path/to/file"), "/f/path%2Fto%2Ffile"),
        (json!("名前"), "/f/%E5%90%8D%E5%89%8D"),
        (json!("hello%20world"), "/f/hello%20world"),
        (json!("100%"), "/f/100%25"),
        (json!("%zz"), "/f/%25zz"),
        (json!([1, 2, 3]), "/f/1%2C2%2C3"),
        (json!("../../../etc/passwd"), "/f/..%2F..%2F..%2Fetc%2Fpasswd"),
        (json!("../../x%20y"), "/f/..%2F..%2Fx%2520y"),
        (json!("a?b#c"), "/f/a%3Fb%23c"),
        (json!("..."), "/f/..."),
    ] {
        assert_eq!(filled("/f/{v}", value.clone()).unwrap(), path, "{value}");
    }
}

/// R6.2-2 R6.2.1-11 R6.2.1-12: no value, no request.
#[test]
fn missing_values() {
    let missing = RequestBuildError::MissingPathParam("v".into());
    assert_eq!(filled("/f/{v}", json!(null)), Err(missing.clone()));
    assert_eq!(fill(&segments("/f/{v}"), &serde_json::Map::new(), &[], PLAIN), Err(missing));
}

/// R6.2.1-13: an object is no path value.
#[test]
fn objects_are_refused() {
    for value in [json!({"a": 1}), json!([{"a": 1}]), json!([null])] {
        assert_eq!(filled("/f/{v}", value), Err(RequestBuildError::InvalidType("v".into())));
    }
}

/// R11.1-2: ruling S6, values that are or decode to dot segments.
#[test]
fn dot_segments_are_refused() {
    for value in [".", "..", "%2e", "%2E%2e", ".%2e"] {
        assert_eq!(
            filled("/f/{v}/x", json!(value)),
            Err(RequestBuildError::DotSegment("v".into())),
            "{value}"
        );
    }
    assert!(filled("/f/v{v}/x", json!("..")).is_err());
    assert!(filled("/f/.{v}/x", json!(".")).is_err());
}

/// Ruling S6: nothing in the place of a value would be the path of something else, such as a whole list.
#[test]
fn empty_values_are_refused() {
    for value in [json!(""), json!([]), json!([""])] {
        for path in ["/f/{v}", "/f/v{v}/x"] {
            let refused = Err(RequestBuildError::EmptyPathParam("v".into()));
            assert_eq!(filled(path, value.clone()), refused, "{path} {value}");
        }
    }
    assert_eq!(filled("/f/{v}", json!(" ")).unwrap(), "/f/%20");
}

/// Ruling S6: for an API that decodes before it routes, a dot segment is refused wherever it hides; dots that are none
/// are not.
#[test]
fn hidden_dot_segments_are_refused_where_that_is_set() {
    for value in [
        "../../admin/keys.json",
        "a/../b",
        "a/./b",
        "..\\admin",
        "..%2Fadmin",
        "%2e%2e%2fadmin",
        "a%5c..%5cb",
        "%252e%252e%252fadmin",
        "..%252fadmin",
        "x/..",
    ] {
        let refused = Err(RequestBuildError::HiddenDotSegment("v".into()));
        assert_eq!(refusing(json!(value)), refused, "{value}");
        assert_eq!(refusing(json!([1, value])), refused, "{value} in a list");
        assert!(filled("/f/{v}", json!(value)).is_ok(), "{value} is encoded elsewhere");
    }
    for fine in ["path/to/file", "v1..v2", "a...b/c", "...", "archive.tar.gz", "x%2Fy", "100%"] {
        assert_eq!(refusing(json!(fine)), filled("/f/{v}", json!(fine)), "{fine}");
    }
}

/// R11.1-3: NUL is refused, encoded or not.
#[test]
fn nul_is_refused() {
    for value in ["a\0b", "a%00b"] {
        assert_eq!(filled("/f/{v}", json!(value)), Err(RequestBuildError::NulCharacter("v".into())));
    }
}

/// R6.2.1-14: a long value is warned of and still used.
#[test]
fn long_values_are_warned_of() {
    log::keep();
    assert_eq!(filled("/f/{v}", json!("x".repeat(2048))).unwrap().len(), 2048 + 3);
    assert!(!log::text().contains("very long"), "{}", log::text());
    assert_eq!(filled("/f/{v}", json!("x".repeat(2049))).unwrap().len(), 2049 + 3);
    assert!(log::text().contains("very long") && log::text().contains("WARN"), "{}", log::text());
}

proptest! {
    /// R6.2.1-4 R11.1-1 R11.1-2: whatever the value, the path keeps its segments and its end.
    #[test]
    fn a_value_stays_in_its_segment(value in ".*") {
        if let Ok(path) = filled("/a/{v}/z", json!(value)) {
            let url = url::Url::parse(&format!("https://api.example.com{path}")).unwrap();
            let segments: Vec<_> = url.path_segments().unwrap().collect();
            prop_assert_eq!(segments.len(), 3);
            prop_assert_eq!((segments[0], segments[2]), ("a", "z"));
            prop_assert!(url.query().is_none() && url.fragment().is_none());
            prop_assert_eq!(url.path(), path);
        }
    }
}
