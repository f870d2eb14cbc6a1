//! Tests of `envelope`.

use super::{EnvelopeError, ParsedRequest, open};
use aqueduct_operations::limits::Limits;
use serde_json::{Value, json};

fn result(arguments: Value) -> Result<super::RequestEnvelope, EnvelopeError> {
    open(arguments.as_object().unwrap().clone(), &Limits::default()).map(|opened| match opened {
        ParsedRequest::One(envelope) => envelope,
        ParsedRequest::Batch(..) => panic!("one operation"),
    })
}

/// C4.1-1 C4.1-2 O2.1-1 O2.2-1 O2.2-2 R5.1-1 R5.2-2: what a request is.
#[test]
fn envelope_shape() {
    let bare = result(json!({"operation": "x"})).unwrap();
    assert!(bare.params.is_empty() && bare.top_level.is_empty());
    for none in [json!({}), json!({"operation": ""}), json!({"op": 5})] {
        assert_eq!(result(none).unwrap_err(), EnvelopeError::NoOperation { instead: Vec::new(), task: None });
    }
    let meant = result(json!({"op": "x", "params": {}})).unwrap_err();
    assert_eq!(
        meant,
        EnvelopeError::NoOperation { instead: vec![("op".to_owned(), "x".to_owned())], task: None }
    );
    assert_eq!(result(json!({"operation": 5})).unwrap_err(), EnvelopeError::OperationType("integer"));
    for (params, found) in
        [(json!([1]), "array"), (json!(null), "null"), (json!("x"), "string"), (json!(1), "integer")]
    {
        let error = result(json!({"operation": "x", "params": params})).unwrap_err();
        assert_eq!(error, EnvelopeError::ParamsType { operation: "x".to_owned(), found });
    }
    let repaired = result(json!({"operation": "x", "params": "{\"a\":1}"})).unwrap();
    assert!(repaired.params_repaired && repaired.params["a"] == 1);
}

/// C4.7.1-7 R11.1-3: a NUL anywhere is refused and its place named.
#[test]
fn nul_characters() {
    let error = result(json!({"operation": "x", "params": {"a": [{"note": "a\u{0}b"}]}})).unwrap_err();
    assert_eq!(error, EnvelopeError::Encoding { location: "params.a[0].note".into() });
    assert!(result(json!({"operation": "x", "params": {"a\u{0}": 1}})).is_err());
    let in_text = result(json!({"operation": "x", "params": "{\"a\": \"\\u0000\"}"})).unwrap_err();
    assert_eq!(in_text, EnvelopeError::Encoding { location: "params.a".into() });
}

/// A long key above many values must not make the look for NULs slow or hungry.
#[test]
fn long_keys_above_many_values() {
    let many = json!({"operation": "x", "params": {"k".repeat(400_000): vec![0; 9_000]}});
    assert!(result(many).is_ok());
}

#[test]
fn debug_shows_no_values() {
    let envelope = result(json!({"operation": "x", "params": {"password": "hunter2"}, "a": "top-secret"}));
    let shown = format!("{envelope:?}");
    assert!(
        shown.contains("\"x\"") && !shown.contains("hunter2") && !shown.contains("top-secret"),
        "{shown}"
    );
}

fn nested(levels: usize) -> Value {
    (1..levels).fold(json!({}), |inner, _| json!({"a": inner}))
}

/// C4.7.5-6: the root is level 1 and scalars add nothing.
#[test]
fn depth_counts_from_the_root() {
    let limits = |depth| Limits { max_nesting_depth: depth, ..Limits::default() };
    let request = json!({"operation": "x", "params": {"a": {"b": {"c": {}}}}});
    let arguments = request.as_object().unwrap();
    assert!(open(arguments.clone(), &limits(5)).is_ok());
    let error = open(arguments.clone(), &limits(4)).err().unwrap();
    assert_eq!(
        error,
        EnvelopeError::TooLarge { limit_type: "nesting_depth", limit: 4, actual: 5, unit: "levels" }
    );
    assert_eq!(nested(4), json!({"a": {"a": {"a": {}}}}));
}

/// C4.7.5-1 C4.7.5-3 C4.7.5-4 C4.7.5-5: each limit is enforced: the exact value passes, one more fails.
#[test]
fn limits_are_exact() {
    let limits = Limits {
        max_request_size: 1000,
        max_string_length: 100,
        max_array_elements: 10,
        max_nesting_depth: 8,
        ..Limits::default()
    };
    let kind = |params: Value| {
        let request = json!({"operation": "x", "params": params});
        match open(request.as_object().unwrap().clone(), &limits) {
            Ok(_) => "ok",
            Err(EnvelopeError::TooLarge { limit_type, .. }) => limit_type,
            Err(_) => "other",
        }
    };
    assert_eq!(kind(json!({"s": "é".repeat(50)})), "ok");
    assert_eq!(kind(json!({"s": format!("{}x", "é".repeat(50))})), "string_length");
    assert_eq!(kind(json!({"l": vec![1; 10]})), "ok");
    assert_eq!(kind(json!({"l": vec![1; 11]})), "array_elements");
    assert_eq!(kind(nested(7)), "ok");
    assert_eq!(kind(nested(8)), "nesting_depth");
    assert_eq!(kind(Value::from(nested(8).to_string())), "nesting_depth", "JSON text is no way around it");
    let deeper = nested(100).to_string().replace("{}", &nested(100).to_string());
    assert_eq!(kind(Value::from(deeper)), "nesting_depth", "nor is one that no parser reads");
    assert_eq!(kind(Value::from("{{{{")), "other", "text that is no JSON is no deep JSON");
    let of_size = |bytes: usize| {
        let frame = r#"{"operation":"x","params":{"a":"","b":"","c":"","d":"","e":"","f":"","g":"","h":"","i":"","j":""}}"#;
        let mut left = bytes - frame.len();
        let mut params = serde_json::Map::new();
        for key in "abcdefghij".chars() {
            let take = left.min(100);
            params.insert(key.to_string(), "x".repeat(take).into());
            left -= take;
        }
        Value::Object(params)
    };
    assert_eq!(kind(of_size(1000)), "ok");
    assert_eq!(kind(of_size(1001)), "request_size");
}
