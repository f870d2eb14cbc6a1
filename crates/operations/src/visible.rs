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

/// True for characters that take no room: they hide words from a person that a program reads.
pub fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}'
    )
}

/// The text in one line, without characters that disguise or are not seen.
pub fn plain(text: &str) -> String {
    let seen = text.chars().filter(|c| !is_unseen(*c) && (c.is_whitespace() || !is_disguise(*c)));
    let seen: String = seen.collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
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
    use super::{escaped, is_disguise, is_unseen, plain};
    use proptest::{prop_assert, proptest};

    #[test]
    fn plain_text_is_one_line() {
        assert_eq!(plain(" a\r\nb\u{1b}[2J\u{202e}\u{200b}c\u{2028}d\u{e0041} "), "a b[2Jc d");
        assert_eq!(plain("Grüße, שלום 🎉"), "Grüße, שלום 🎉");
    }

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
            prop_assert!(!plain(&text).chars().any(|c| is_disguise(c) || is_unseen(c)));
        }
    }
}
