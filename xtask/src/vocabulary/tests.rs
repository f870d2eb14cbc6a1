//! Tests of `vocabulary`.

use super::{check, compare};
use crate::repo;

#[test]
fn what_is_kept_is_what_was_published() {
    check(repo::root().unwrap()).unwrap();
    let error = compare(b"something else").unwrap_err().to_string();
    assert!(error.contains("fetch it again"), "{error}");
}
