//! Tests of `excerpt`.

use super::excerpt;
use aqueduct_egress::redact::Redactor;
use serde_json::{Value, json};

fn of(body: Value, words: &str) -> Option<Value> {
    excerpt(&body, words, 422, &Redactor::default())
}

/// X-errors-6: what the words leave out is kept.
#[test]
fn says_what_the_words_do_not() {
    let body =
        json!({"message": "Validation Failed", "errors": [{"field": "title", "code": "missing_field"}]});
    assert_eq!(of(body.clone(), "Validation Failed"), Some(body));
    for (body, words) in [
        (json!(null), "422 Unprocessable Entity"),
        (json!("not allowed"), "not allowed"),
        (json!({"message": "no", "success": false, "data": null}), "no"),
        (json!({"error": {"message": "no"}}), "no"),
        (json!({"title": "Bad", "detail": "is odd", "status": 422}), "Bad: is odd"),
        (json!({"name": ["may not be blank"]}), "name: may not be blank"),
        (json!({}), "422 Unprocessable Entity"),
    ] {
        assert_eq!(of(body.clone(), words), None, "{body}");
    }
}
