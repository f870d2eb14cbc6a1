//! Tests of `tree`.

use super::parent_in;

#[test]
fn odd_names_do_not_confuse() {
    let parent = parent_in("12 (a) S 9) (b) S 7 12 12 0").unwrap();
    assert_eq!(parent.as_raw_nonzero().get(), 7);
    assert!(parent_in("").is_none());
}
