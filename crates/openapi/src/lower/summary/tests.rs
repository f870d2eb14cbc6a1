//! Tests of `summary`.

use super::brief;

#[test]
fn long_texts_are_cut_between_words() {
    assert_eq!(brief("  One\n line.\n\nAnother paragraph", 100), "One line.");
    assert_eq!(brief("one two three", 9), "one two…");
    assert_eq!(brief("abcdefgh", 4), "abc…");
    assert_eq!(brief("", 4), "");
    assert_eq!(brief("äöü äöü", 7), "äöü äöü");
}
