//! Tests of `corpus`.

use super::check;

#[test]
fn options_are_checked_before_anything_is_installed() {
    assert!(check(&[]).is_ok());
    assert!(check(&["--only", "*stripe*", "--limit", "5"]).is_ok());
    for wrong in [&["--only"][..], &["--limit", "0"], &["--limit", "many"], &["--all", "x"]] {
        assert!(check(wrong).is_err(), "{wrong:?}");
    }
}
