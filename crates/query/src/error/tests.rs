//! Tests of `error`.

use super::QueryError;
use serde_json::json;

#[test]
fn a_control_under_another_name() {
    let error = QueryError::wrong_type("filter.a", "object", &json!(true));
    assert_eq!(error.clone().renamed("filter", "aql_filter").param, "aql_filter.a");
    assert_eq!(error.clone().renamed("filt", "x").param, "filter.a");
    assert_eq!(error.to_string(), "filter.a: expected object, received boolean");
}

#[test]
fn words_of_the_client_cannot_look_like_a_leak() {
    let error = QueryError::unknown("filter.a", "flat white", "one of eq, ne");
    assert_eq!(error.param, "filter.a.[not shown]");
}
