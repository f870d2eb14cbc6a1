//! Tests of `error_text`.

use super::{of_status, reason, reports_missing_parameter};
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
        assert!(reports_missing_parameter(&body, reason(&body).as_deref()), "{body}");
    }
    for body in [
        json!({"message": "title must be a string"}),
        json!({"message": "Validation Failed", "errors": [{"field": "title", "code": "invalid"}]}),
        json!(null),
    ] {
        assert!(!reports_missing_parameter(&body, reason(&body).as_deref()), "{body}");
    }
}
