//! Tests of `forms`.

use super::period;

#[test]
fn periods() {
    for (text, expected) in [("a", 1), ("aaaa", 1), ("abab", 2), ("abcabca", 3), ("abcd", 4), ("aab", 3)] {
        assert_eq!(period(text.as_bytes()), expected, "{text}");
    }
}
