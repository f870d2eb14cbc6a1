//! Tests of `wire_names`.

use super::{can_be_offered, key_place_problem};
use aqueduct_operations::auth::KeyPlace;
use aqueduct_operations::params::ParamLocation;

#[test]
fn what_may_be_offered() {
    for name in ["X-Request-Id", "If-Match", "accept-language", "Idempotency-Key"] {
        assert!(can_be_offered(ParamLocation::Header, name), "{name}");
    }
    for name in [
        "",
        "bad name",
        "X\r\nEvil",
        "Content-Length",
        "transfer-encoding",
        "HOST",
        "Connection",
        "Cookie",
        "X-HTTP-Method-Override",
        "Expect",
        "Größe",
    ] {
        assert!(!can_be_offered(ParamLocation::Header, name), "{name}");
    }
    assert!(
        can_be_offered(ParamLocation::Query, "host") && can_be_offered(ParamLocation::Query, "filter[größe]")
    );
    assert!(!can_be_offered(ParamLocation::Query, "") && !can_be_offered(ParamLocation::Body, "a\nb"));
    assert!(
        !can_be_offered(ParamLocation::Query, "_method") && !can_be_offered(ParamLocation::Body, "_Method")
    );
    assert!(can_be_offered(ParamLocation::Query, "method"));
    assert!(can_be_offered(ParamLocation::Cookie, "sid") && !can_be_offered(ParamLocation::Cookie, "a=b;c"));
}

#[test]
fn where_keys_may_go() {
    assert_eq!(key_place_problem(&KeyPlace::Header("Authorization".into())), None);
    for place in [
        KeyPlace::Header("Host".into()),
        KeyPlace::Header("X\r\nEvil".into()),
        KeyPlace::Cookie("a;b".into()),
        KeyPlace::Query("a\n".into()),
    ] {
        assert!(key_place_problem(&place).is_some(), "{place:?}");
    }
}
