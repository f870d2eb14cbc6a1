//! The words of a failed answer: a JSON body comes in, the text that it gives as its reason goes out (runtime
//! specification, section 7.3), and whether it complains of a parameter that is missing (error-code document, 6.2).

use serde_json::Value;

/// The reason that the body gives, by the four usual forms, first match first; none when there is none.
pub(crate) fn reason(body: &Value) -> Option<String> {
    if let Some(message) = present(body, "message") {
        return Some(text(message));
    }
    match body.get("error") {
        Some(Value::String(error)) => return Some(error.clone()),
        Some(error) => {
            if let Some(message) = present(error, "message") {
                return Some(text(message));
            }
        }
        None => {}
    }
    let errors = body.get("errors")?.as_array()?;
    let words = |error: &Value| match present(error, "message") {
        Some(message) if message.as_str() != Some("") => text(message),
        _ => text(error),
    };
    Some(errors.iter().map(words).collect::<Vec<_>>().join("; "))
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

fn present<'a>(object: &'a Value, key: &str) -> Option<&'a Value> {
    object.as_object()?.get(key).filter(|value| !value.is_null())
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::{complains_of_missing_parameter, of_status, reason};
    use http::StatusCode;
    use serde_json::json;

    /// R7.3-3 R7.3-4 R7.3-5 R7.3-6 R8.2-13: the four forms and their order.
    #[test]
    fn reasons() {
        for (body, expected) in [
            (json!({"message": "m", "error": "e"}), Some("m")),
            (json!({"message": 7}), Some("7")),
            (json!({"error": "e", "errors": ["x"]}), Some("e")),
            (json!({"error": {"message": "em"}, "errors": ["x"]}), Some("em")),
            (json!({"error": {"code": 1}, "errors": ["x"]}), Some("x")),
            (
                json!({"errors": [{"message": "a"}, "b", {"code": 1}, {"message": ""}]}),
                Some(r#"a; b; {"code":1}; {"message":""}"#),
            ),
            (json!({"detail": "d"}), None),
            (json!({"errors": "not a list"}), None),
            (json!(["message"]), None),
            (json!("message"), None),
            (json!(null), None),
        ] {
            assert_eq!(reason(&body).as_deref(), expected, "{body}");
        }
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
