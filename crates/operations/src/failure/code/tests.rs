//! Tests of `code`.

use super::Code;

/// M4.1.3-2: which codes an agent can act on, those included that nothing raises yet.
#[test]
fn recoverable_codes() {
    let recoverable = |name: &str| {
        Code::ALL.iter().find(|c| c.name() == name).unwrap_or_else(|| panic!("{name}")).is_recoverable()
    };
    for name in [
        "NOT_FOUND_RESOURCE",
        "NOT_FOUND_OPERATION",
        "VALIDATION_MISSING_PARAM",
        "VALIDATION_INVALID_TYPE",
        "VALIDATION_INVALID_VALUE",
        "PERMISSION_DENIED",
        "RATE_LIMIT_EXCEEDED",
        "RATE_LIMIT_QUOTA_PAUSE",
        "CONFIRMATION_REQUIRED",
        "TOKEN_EXPIRED",
        "CONFLICT_ALREADY_EXISTS",
        "INVALID_QUERY_TYPE",
        "BATCH_VALIDATION_ERROR",
    ] {
        assert!(recoverable(name), "{name}");
    }
    for name in [
        "INTERNAL_ERROR",
        "TRANSPORT_TIMEOUT",
        "SERIALIZATION_PARSE_ERROR",
        "AUTH_CREDENTIAL_MISSING",
        "PLUGIN_NOT_FOUND",
    ] {
        assert!(!recoverable(name), "{name}");
    }
}

/// X-errors-4: the names of both registries, those included that nothing raises yet, are upper case words.
#[test]
fn registry_of_codes() {
    let names: Vec<&str> = Code::ALL.iter().map(|c| c.name()).collect();
    for name in "VALIDATION_MISSING_PARAM VALIDATION_INVALID_TYPE VALIDATION_UNKNOWN_PARAM \
            VALIDATION_INVALID_ENCODING VALIDATION_PAYLOAD_TOO_LARGE NOT_FOUND_OPERATION NOT_FOUND_RESOURCE \
            PERMISSION_DENIED INTERNAL_ERROR PERMISSION_TRUST_LEVEL_INSUFFICIENT PERMISSION_DANGER_LEVEL_DENIED \
            CONFIRMATION_REQUIRED RATE_LIMIT_EXCEEDED RATE_LIMIT_QUOTA_PAUSE RATE_LIMIT_QUOTA_EXHAUSTED \
            RATE_LIMIT_QUOTA_WARNING TOKEN_INVALID TOKEN_EXPIRED TOKEN_ALREADY_USED TOKEN_SCOPE_MISMATCH"
            .split_whitespace()
        {
            assert!(names.contains(&name), "{name}");
        }
    for name in &names {
        assert!(name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_'), "{name}");
        assert!((2..=5).contains(&name.split('_').count()), "{name}");
    }
    let mut unique = names.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), names.len());
}
