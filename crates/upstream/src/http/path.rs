//! Fills a path template: segments and values come in, an encoded path goes out (runtime specification, section 6.2;
//! ruling S6).
//!
//! Invariant: a value never adds a path segment, never removes one and never ends the path.

use super::{encode, style};
use crate::error::RequestBuildError;
use aqueduct_operations::params::{Param, ParamEncoding};
use aqueduct_operations::target::{DotSegments, Segment};
use serde_json::{Map, Value};

/// Values longer than this, once encoded, are worth a warning: many servers refuse them.
const LONG_VALUE: usize = 2048;

/// The template as text, for logs.
pub(crate) fn template(segments: &[Segment]) -> String {
    let piece = |segment: &Segment| match segment {
        Segment::Literal(text) => text.clone(),
        Segment::Placeholder(name) => format!("{{{name}}}"),
    };
    segments.iter().map(piece).collect()
}

/// Puts the values into the template, in the styles of the parameters that are known.
pub(crate) fn fill(
    segments: &[Segment],
    values: &Map<String, Value>,
    (params, dot_segments): (&[Param], DotSegments),
) -> Result<String, RequestBuildError> {
    let mut path = String::new();
    let mut last_param = None;
    for segment in segments {
        match segment {
            Segment::Literal(text) => path.push_str(text),
            Segment::Placeholder(param) => {
                let value = values.get(param);
                if dot_segments == DotSegments::Refuse && value.is_some_and(holds_dots) {
                    return Err(RequestBuildError::HiddenDotSegment { param: param.clone() });
                }
                let known = params.iter().find(|known| known.name == *param);
                let styled = known.and_then(|known| Some((known.upstream_name.as_str(), known.writing?)));
                path.push_str(&match styled {
                    Some((name, writing)) => in_style((param, name), value, writing)?,
                    None => encoded(param, value)?,
                });
                last_param = Some(param);
            }
        }
    }
    // Two harmless values, or a value beside a literal dot, can still make a dot segment together.
    match last_param {
        Some(param) if path.split('/').any(is_dots) => {
            Err(RequestBuildError::DotSegment { param: param.clone() })
        }
        _ => Ok(path),
    }
}

fn encoded(param: &str, value: Option<&Value>) -> Result<String, RequestBuildError> {
    let text = match value {
        None | Some(Value::Null) => {
            return Err(RequestBuildError::MissingPathParam { param: param.to_owned() });
        }
        Some(Value::Object(_)) => return Err(RequestBuildError::InvalidType { param: param.to_owned() }),
        Some(Value::Array(items)) => joined(param, items)?,
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    if text.is_empty() {
        return Err(RequestBuildError::EmptyPathParam { param: param.to_owned() });
    }
    if encode::decode_lossy(&text).contains('\0') {
        return Err(RequestBuildError::NulCharacter { param: param.to_owned() });
    }
    if is_dots(&text) {
        return Err(RequestBuildError::DotSegment { param: param.to_owned() });
    }
    let encoded = member(&text);
    warn_if_long(param, &encoded);
    Ok(encoded)
}

/// A value in its style. What has no members has no text: that would be the path of something else.
fn in_style(
    (param, name): (&str, &str),
    value: Option<&Value>,
    writing: ParamEncoding,
) -> Result<String, RequestBuildError> {
    let missing = || RequestBuildError::MissingPathParam { param: param.to_owned() };
    let value = value.ok_or_else(missing)?;
    if style::holds_nul(value) {
        return Err(RequestBuildError::NulCharacter { param: param.to_owned() });
    }
    if value.as_str().is_some_and(is_dots) {
        return Err(RequestBuildError::DotSegment { param: param.to_owned() });
    }
    let escape = if writing.allow_reserved { encode::reserved_in_path } else { member };
    let text = style::flat(name, value, writing, escape).ok_or_else(missing)?;
    // A style that writes something for nothing, such as `;name`, leaves the path what it is.
    if text.is_empty() {
        return Err(RequestBuildError::EmptyPathParam { param: param.to_owned() });
    }
    warn_if_long(param, &text);
    Ok(text)
}

/// One value, or one of several; kept as it is when it is encoded already (ruling S6).
fn member(text: &str) -> String {
    if encode::is_encoded(text) { text.to_owned() } else { encode::path_component(text) }
}

fn warn_if_long(param: &str, encoded: &str) {
    if encoded.len() > LONG_VALUE {
        tracing::warn!(param, length = encoded.len(), "path parameter is very long");
    }
}

fn joined(param: &str, items: &[Value]) -> Result<String, RequestBuildError> {
    let part = |item: &Value| match item {
        Value::Object(_) | Value::Array(_) | Value::Null => {
            Err(RequestBuildError::InvalidType { param: param.to_owned() })
        }
        Value::String(text) => Ok(text.clone()),
        other => Ok(other.to_string()),
    };
    Ok(items.iter().map(part).collect::<Result<Vec<_>, _>>()?.join(","))
}

/// True when a text in the value has a dot segment, as it is or decoded once or twice: what an API sees that decodes
/// before it routes, on either kind of slash.
fn holds_dots(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(holds_dots),
        Value::Object(fields) => {
            fields.iter().any(|(name, field)| holds_dots(field) || holds_dots(&Value::from(name.as_str())))
        }
        Value::String(text) => {
            let once = encode::decode_lossy(text);
            let twice = encode::decode_lossy(&once);
            let has_dots = |text: &str| text.split(['/', '\\']).any(|part| matches!(part, "." | ".."));
            has_dots(text) || has_dots(&once) || has_dots(&twice)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// True for `.` and `..`, encoded or not.
fn is_dots(text: &str) -> bool {
    matches!(&*encode::decode_lossy(text), "." | "..")
}

#[cfg(test)]
mod tests {
    use super::{DotSegments, Param, fill, template};
    use crate::error::RequestBuildError;
    use aqueduct_testkit::log;
    use aqueduct_testkit::operation::segments;
    use proptest::{prop_assert, prop_assert_eq, proptest};
    use serde_json::{Value, json};

    const PLAIN: (&[Param], DotSegments) = (&[], DotSegments::Encode);

    fn filled(path: &str, value: Value) -> Result<String, RequestBuildError> {
        let values = json!({"v": value});
        fill(&segments(path), values.as_object().unwrap(), PLAIN)
    }

    fn refusing(value: Value) -> Result<String, RequestBuildError> {
        let values = json!({"v": value});
        fill(&segments("/f/{v}"), values.as_object().unwrap(), (&[], DotSegments::Refuse))
    }

    /// R6.2-1 R6.2-3: placeholders are replaced by the text of their values.
    #[test]
    fn replaces_placeholders() {
        let values = json!({"owner": "octocat", "repo": "Hello-World", "n": 7, "b": true});
        let path = fill(&segments("/repos/{owner}/{repo}/{n}/{b}"), values.as_object().unwrap(), PLAIN);
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
        let missing = RequestBuildError::MissingPathParam { param: "v".into() };
        assert_eq!(filled("/f/{v}", json!(null)), Err(missing.clone()));
        assert_eq!(fill(&segments("/f/{v}"), &serde_json::Map::new(), PLAIN), Err(missing));
    }

    /// R6.2.1-13: an object is no path value.
    #[test]
    fn objects_are_refused() {
        for value in [json!({"a": 1}), json!([{"a": 1}]), json!([null])] {
            assert_eq!(filled("/f/{v}", value), Err(RequestBuildError::InvalidType { param: "v".into() }));
        }
    }

    /// R11.1-2: ruling S6, values that are or decode to dot segments.
    #[test]
    fn dot_segments_are_refused() {
        for value in [".", "..", "%2e", "%2E%2e", ".%2e"] {
            assert_eq!(
                filled("/f/{v}/x", json!(value)),
                Err(RequestBuildError::DotSegment { param: "v".into() }),
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
                let refused = Err(RequestBuildError::EmptyPathParam { param: "v".into() });
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
            let refused = Err(RequestBuildError::HiddenDotSegment { param: "v".into() });
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
            assert_eq!(
                filled("/f/{v}", json!(value)),
                Err(RequestBuildError::NulCharacter { param: "v".into() })
            );
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
}
