//! Text of others as it may be shown. A text in; the same without anything that moves the cursor, forges a line, turns the
//! direction of reading, or stands there unseen out.

use std::borrow::Cow;

/// True for characters that change how the text around them looks, or that no reader sees: controls, line separators,
/// directions of reading, signs without width.
pub fn is_disguise(c: char) -> bool {
    c.is_control() || is_turning(c) || is_unseen(c)
}

/// The character, or one of the same width that changes nothing around it.
pub fn seen(c: char) -> char {
    match c {
        _ if c.is_control() => ' ',
        _ if is_disguise(c) => char::REPLACEMENT_CHARACTER,
        _ => c,
    }
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

/// The text as a reader sees it, for anyone who reads every character: without such characters, its lines kept. Joiners stay
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
mod tests;
