//! Text of others as it may be shown. A text in; the same without anything that moves the cursor, forges a line or turns the
//! direction of reading out.

/// True for characters that change how the text around them looks: controls, line separators, directions of reading.
pub fn is_disguise(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

/// The text with such characters written out, as in `\n` and `\u{202e}`.
pub fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_disguise(c) {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::{escaped, is_disguise};
    use proptest::{prop_assert, proptest};

    #[test]
    fn disguises_are_written_out() {
        assert_eq!(escaped("a\r\nb\t\u{1b}[2J\u{9b}"), "a\\r\\nb\\t\\u{1b}[2J\\u{9b}");
        assert_eq!(escaped("x\u{202e}y\u{2066}\u{200f}\u{2028}"), "x\\u{202e}y\\u{2066}\\u{200f}\\u{2028}");
        assert_eq!(escaped("Grüße, שלום 🎉 \\n"), "Grüße, שלום 🎉 \\n");
    }

    proptest! {
        #[test]
        fn nothing_is_left(text in ".*\u{202e}?[\r\n\u{7}]?.*") {
            prop_assert!(!escaped(&text).chars().any(is_disguise));
        }
    }
}
