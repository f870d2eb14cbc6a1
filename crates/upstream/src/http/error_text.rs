//! The words of a failed answer: a JSON body comes in, the text that it gives as its reason goes out, and whether it
//! complains of a parameter that is missing (error-code document, 6.2).
//!
//! The four forms of the runtime specification, section 7.3, come first and in its order; the many others that APIs use
//! (`other_forms`) only when none of them says anything.

mod excerpt;
mod other_forms;

pub(crate) use excerpt::excerpt;

use serde_json::{Map, Value};

/// Values of a body that are looked at, and how deep: the forms are tried one after the other, so a body made to be looked
/// through for ever must be cut. What a message can hold is found in far less.
const MOST_VALUES: usize = 400;
const DEEPEST: usize = 7;

/// The reason that the body gives; none when it gives none.
pub(crate) fn reason(body: &Value) -> Option<String> {
    let body = &beginning(body, DEEPEST, &mut { MOST_VALUES });
    specified(body).or_else(|| other_forms::reason(body))
}

/// The body without what is too deep or too far down in it.
fn beginning(value: &Value, deepest: usize, left: &mut usize) -> Value {
    *left = left.saturating_sub(1);
    match value {
        Value::Array(_) | Value::Object(_) if deepest == 0 => Value::Null,
        Value::Array(items) => {
            let mut kept = Vec::new();
            for item in items {
                if *left == 0 {
                    break;
                }
                kept.push(beginning(item, deepest - 1, left));
            }
            kept.into()
        }
        Value::Object(members) => {
            let mut kept = Map::new();
            for (key, member) in members {
                if *left == 0 {
                    break;
                }
                kept.insert(key.clone(), beginning(member, deepest - 1, left));
            }
            kept.into()
        }
        scalar => scalar.clone(),
    }
}

/// The four forms of the specification, first match first.
fn specified(body: &Value) -> Option<String> {
    if let Some(message) = body.get("message") {
        let message = text(message);
        if message.is_some() {
            return message;
        }
    }
    match body.get("error") {
        Some(Value::String(error)) if !error.trim().is_empty() => return Some(error.clone()),
        Some(error) => {
            let message = error.get("message").and_then(text);
            if message.is_some() {
                return message;
            }
        }
        None => {}
    }
    let errors = body.get("errors")?.as_array().filter(|errors| !errors.is_empty())?;
    Some(errors.iter().map(of_element).collect::<Vec<_>>().join("; "))
}

/// An element's message, or the element as text.
fn of_element(element: &Value) -> String {
    let message = element.get("message").and_then(text);
    message.or_else(|| other_forms::entry(element)).unwrap_or_else(|| element.to_string())
}

/// A value as text: lists and maps of texts as readable lines, other structures as JSON; none for null and blank text.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()).filter(|text| !text.trim().is_empty()),
        Value::Array(_) | Value::Object(_) => {
            Some(other_forms::structure(value).unwrap_or_else(|| value.to_string()))
        }
        scalar => Some(scalar.to_string()),
    }
}

/// The status in words: `404 Not Found`.
pub(crate) fn of_status(status: http::StatusCode) -> String {
    format!("{} {}", status.as_u16(), status.canonical_reason().unwrap_or_default()).trim_end().to_owned()
}

/// True when the body says that something required was not sent.
pub(crate) fn complains_of_missing_parameter(body: &Value, reason: Option<&str>) -> bool {
    let is_missing_code = |entry: &Value| {
        ["code", "type", "keyword"].iter().filter_map(|key| entry.get(key)?.as_str()).any(|code| {
            let code = code.to_ascii_lowercase();
            matches!(code.as_str(), "missing" | "required" | "blank" | "value_error.missing")
                || code.contains("missing_")
                || code.ends_with("_missing")
                || code.ends_with("_required")
        })
    };
    let entries =
        ["errors", "detail", "details"].iter().filter_map(|key| body.get(key)?.as_array()).flatten();
    let coded = body.get("error").into_iter().chain(entries).chain([body]).any(is_missing_code);
    let says = reason.unwrap_or_default().to_lowercase();
    let said =
        ["missing required", "is required", "are required", "is missing", "can't be blank", "missing param"]
            .iter()
            .any(|words| says.contains(words));
    coded || said
}

#[cfg(test)]
mod tests {
    use super::{complains_of_missing_parameter, of_status, reason};
    use http::StatusCode;
    use serde_json::json;

    /// R7.3-3 R7.3-4 R7.3-5 R7.3-6 R8.2-13: the four forms and their order, before all others.
    #[test]
    fn reasons() {
        for (body, expected) in [
            (json!({"message": "m", "error": "e", "detail": "d"}), Some("m")),
            (json!({"message": 7}), Some("7")),
            (json!({"error": "e", "errors": ["x"], "error_description": "d"}), Some("e")),
            (json!({"error": {"message": "em", "detail": "d"}, "errors": ["x"]}), Some("em")),
            (json!({"error": {"code": 1, "detail": "d"}, "errors": ["x"]}), Some("x")),
            (json!({"detail": "d", "title": "t", "errors": ["x"]}), Some("x")),
            (json!({"errors": [{"field": "f", "message": "a"}, {"message": "b"}]}), Some("a; b")),
            (
                json!({"errors": [{"message": "a"}, "b", {"code": 1}, {"message": ""}]}),
                Some(r#"a; b; {"code":1}; {"message":""}"#),
            ),
            (json!({"message": ["a", "b"]}), Some("a; b")),
            (json!({"message": {"code": 1}}), Some(r#"{"code":1}"#)),
            (json!({"message": null, "error": ""}), None),
            (json!({"message": " ", "error": {"message": ""}, "errors": []}), None),
            (json!(null), None),
        ] {
            assert_eq!(reason(&body).as_deref(), expected, "{body}");
        }
    }

    /// A body that is made to be looked through for ever is not.
    #[test]
    fn hostile_bodies() {
        let mut deep = json!({"x": 1});
        for _ in 0..100 {
            deep = json!({"errors": deep, "error": [deep.clone()], "detail": {"detail": 1}});
            if deep.to_string().len() > 1_000_000 {
                break;
            }
        }
        let wide = json!({"detail": vec![json!({"errors": {"a": [{"errors": {"b": 1}}]}}); 20_000]});
        let started = std::time::Instant::now();
        for body in [deep, wide] {
            assert_eq!(reason(&body), None);
        }
        assert!(started.elapsed() < std::time::Duration::from_secs(5));
    }

    /// R7.3-7: the status in words, with nothing behind it when it has none.
    #[test]
    fn status_words() {
        assert_eq!(of_status(StatusCode::NOT_FOUND), "404 Not Found");
        assert_eq!(of_status(StatusCode::from_u16(499).unwrap()), "499");
    }

    /// X-errors-32: missing is told from ill-typed.
    #[test]
    fn missing_parameters() {
        for body in [
            json!({"message": "Validation Failed", "errors": [{"field": "title", "code": "missing_field"}]}),
            json!({"error": {"message": "Missing required param: amount.", "code": "parameter_missing"}}),
            json!({"detail": [{"loc": ["body", "x"], "msg": "Field required", "type": "missing"}]}),
            json!({"message": "title is required"}),
            json!({"title": ["This field is required."]}),
        ] {
            assert!(complains_of_missing_parameter(&body, reason(&body).as_deref()), "{body}");
        }
        for body in [
            json!({"message": "title must be a string"}),
            json!({"message": "Validation Failed", "errors": [{"field": "title", "code": "invalid"}]}),
            json!(null),
        ] {
            assert!(!complains_of_missing_parameter(&body, reason(&body).as_deref()), "{body}");
        }
    }
}
