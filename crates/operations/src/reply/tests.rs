//! Tests of `reply`.

use super::{Reply, Success, Warning};
use crate::failure::{Code, Failure};
use crate::raw_json::RawJson;
use serde_json::{Value, json};

/// C5.1-1 C5.1-2 C5.1-5 O3.1-1 O3.1-2 O3.2-1 O3.4-2: the success arm, with data present even when null.
#[test]
fn success_shape() {
    let reply = Reply::Success(Success::of(RawJson::of(&Value::Null)));
    assert_eq!(reply.to_json(), r#"{"success":true,"data":null}"#);
    let mut full = Success::of(RawJson::of(&json!({"a": 1})));
    full.warnings.push(Warning::new("ARGUMENT_REPAIRED", "m"));
    full.meta.insert("request_id".into(), "r1".into());
    let value: Value = serde_json::from_str(&Reply::Success(full).to_json()).unwrap();
    assert_eq!(
        value,
        json!({"success": true, "data": {"a": 1}, "warnings": [{"code": "ARGUMENT_REPAIRED", "message": "m"}],
                   "_meta": {"request_id": "r1"}})
    );
}

#[test]
fn read_as_a_type() {
    let reply = Reply::Success(Success::of(RawJson::of(&json!({"a": [1, 2]}))));
    let read: std::collections::BTreeMap<String, Vec<u8>> = reply.read().unwrap();
    assert_eq!(read["a"], [1, 2]);
    assert!(matches!(reply.read::<Vec<u8>>(), Err(super::ReplyError::Form(_))));
    let failed = Reply::Failure(Failure::new(Code::NotFoundResource, "No such book"));
    assert_eq!(failed.read::<Value>().unwrap_err().to_string(), "NOT_FOUND_RESOURCE: No such book");
    assert!(failed.confirmation_token().is_none() && failed.failure().is_some());
    let asks = Failure::new(Code::ConfirmationRequired, "m").with("confirmation_token", "conf_1");
    assert_eq!(Reply::Failure(asks).confirmation_token(), Some("conf_1"));
}

/// M4.1.1-1 M4.1.1-2 M4.1.1-3 M4.1.3-2: isError follows the code, and is true for a request that is none.
#[test]
fn is_error_flag() {
    let of = |failure: Failure| Reply::Failure(failure).is_error();
    for name in [
        "NOT_FOUND_OPERATION",
        "NOT_FOUND_RESOURCE",
        "VALIDATION_MISSING_PARAM",
        "VALIDATION_INVALID_TYPE",
        "VALIDATION_INVALID_VALUE",
        "PERMISSION_DENIED",
        "CONFIRMATION_REQUIRED",
        "RATE_LIMIT_EXCEEDED",
        "RATE_LIMIT_QUOTA_PAUSE",
    ] {
        let code = Code::ALL.iter().copied().find(|code| code.name() == name).unwrap();
        assert!(!of(Failure::new(code, "m")), "{name}");
    }
    assert!(!of(Failure::new(Code::ValidationMissingParam, "m")));
    assert!(of(Failure::new(Code::InternalError, "m")));
    assert!(of(Failure::new(Code::ValidationMissingParam, "m").of_envelope()));
    assert!(!Reply::Success(Success::of(RawJson::of(&json!(1)))).is_error());
}
