//! Nested forms, byte for byte as the Python client library of Stripe sends them: values, and the body that it was seen to
//! send for them (`stripe.json`: version 16.1 of the library, random values).

use super::{text, with_body};
use aqueduct_operations::params::{ParamEncoding, ParamStyle};
use aqueduct_operations::target::{BodyFormat, Method, PartRule};
use serde_json::Value;

/// S-openapi-15: nested objects by key, lists by index, nulls and empty ones left out; spaces, brackets and the rest escaped
/// as there.
#[test]
fn nested_forms() {
    let cases: Vec<(Value, String)> = serde_json::from_str(include_str!("stripe.json")).unwrap();
    assert!(cases.len() >= 20);
    let deep = ParamEncoding { style: ParamStyle::DeepObject, explode: true, allow_reserved: false };
    for (values, expected) in cases {
        let fields = values.as_object().unwrap();
        let names: Vec<&str> = fields.keys().map(String::as_str).collect();
        let operation = with_body(Method::Post, &names, |target| {
            target.body = BodyFormat::Form;
            let rule = PartRule { writing: Some(deep), ..PartRule::default() };
            let nested = fields.iter().filter(|(_, value)| value.is_array() || value.is_object());
            target.parts = nested.map(|(name, _)| (name.clone(), rule.clone())).collect();
            target.content_type = Some("application/x-www-form-urlencoded".to_owned());
        });
        assert_eq!(text(&operation, &values), expected, "{values}");
    }
}
