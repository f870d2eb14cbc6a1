//! Tests of `visible`.

use super::{escaped, is_disguise, one_line, plain};
use proptest::{prop_assert, proptest};

#[test]
fn plain_text_in_one_line() {
    assert_eq!(one_line(" a\r\nb\u{1b}[2J\u{202e}\u{200b}c\u{2028}d\u{e0041} "), "a b [2Jc d");
    assert_eq!(one_line("Grüße, שלום 🎉"), "Grüße, שלום 🎉");
}

#[test]
fn disguises_are_written_out() {
    assert_eq!(escaped("a\r\nb\t\u{1b}[2J\u{9b}"), "a\\r\\nb\\t\\u{1b}[2J\\u{9b}");
    assert_eq!(escaped("x\u{202e}y\u{2066}\u{200f}\u{2028}"), "x\\u{202e}y\\u{2066}\\u{200f}\\u{2028}");
    assert_eq!(escaped("a\u{200b}b\u{e0041}"), "a\\u{200b}b\\u{e0041}");
    assert_eq!(escaped("Grüße, שלום 🎉 \\n"), "Grüße, שלום 🎉 \\n");
}

/// What no reader sees is gone, and what real texts need stays.
#[test]
fn plain_texts() {
    assert_eq!(plain("a\u{202e}b\u{200b}c\u{1b}[2J\u{feff}"), "abc [2J");
    assert_eq!(plain("x\u{e0049}\u{e0047}\u{2062}y"), "xy");
    assert_eq!(plain("one\r\ntwo\u{2028}three"), "one\ntwo\nthree");
    for good in [
        "Grüße, שלום",
        "👩\u{200d}💻 ❤\u{fe0f}\u{200d}🔥 1\u{fe0f}",
        "می\u{200c}خواهم",
        "क्\u{200d}ष",
        "葛\u{e0100}",
        "a\tb\n",
    ] {
        assert_eq!(plain(good), good);
    }
    // Bytes can be hidden in signs that vary a picture.
    assert_eq!(plain("😀\u{e0100}\u{e0155}\u{e0166}"), "😀\u{e0100}");
    assert_eq!(plain("a\u{200d}b"), "ab");
}

proptest! {
    #[test]
    fn nothing_is_left(text in ".*\u{202e}?[\r\n\u{7}\u{200b}]?.*") {
        prop_assert!(!escaped(&text).chars().any(is_disguise));
        let plain = plain(&text);
        let is_layout = |c: char| matches!(c, '\n' | '\t');
        prop_assert!(!plain.chars().any(|c| is_disguise(c) && !is_layout(c)));
        prop_assert!(!one_line(&text).chars().any(is_disguise));
    }
}
