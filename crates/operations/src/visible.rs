//! Text of others as it may be shown. A text in; the same without anything that moves the cursor, forges a line, turns the
//! direction of reading, or stands there unseen out.

use std::borrow::Cow;

/// True for characters that change how the text around them looks, or that nobody sees: controls, line separators,
/// directions of reading, signs without width.
pub fn is_disguise(c: char) -> bool {
    c.is_control() || is_turning(c) || is_unseen(c)
}

fn is_turning(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{180e}'
            | '\u{200b}'
            | '\u{2060}'..='\u{2065}'
            | '\u{206a}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// Signs that join or vary what stands before them: scripts and emoji need them, one at a time.
fn is_joining(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
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

/// The text as a reader sees it, for whoever reads every character: without such characters, its lines kept. Joiners stay
/// where they join letters or pictures, and only one of them in a row: many could hold a text of their own.
pub fn plain(text: &str) -> Cow<'_, str> {
    let is_good = |c: char| matches!(c, '\n' | '\t') || !is_disguise(c) && !is_joining(c);
    if text.chars().all(is_good) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '\n' | '\t' => out.push(c),
            '\r' if characters.peek() == Some(&'\n') => {}
            '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => out.push('\n'),
            c if c.is_control() => out.push(' '),
            c if is_disguise(c) => {}
            c if is_joining(c) => {
                // A picture may be varied and joined: those are the only two in a row.
                let before = out.chars().next_back();
                let is_first = before.is_some_and(|before| !before.is_ascii() && !is_joining(before));
                let is_second = c == '\u{200d}' && before == Some('\u{fe0f}');
                let is_keycap =
                    c == '\u{fe0f}' && before.is_some_and(|b| b.is_ascii_digit() || b == '#' || b == '*');
                if is_first || is_second || is_keycap {
                    out.push(c);
                }
            }
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The same in one line.
pub fn one_line(text: &str) -> String {
    plain(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
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

    /// What nobody sees is gone, and what real texts need stays.
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
}
