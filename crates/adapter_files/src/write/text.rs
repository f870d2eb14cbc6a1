//! One text as YAML writes it: plain where nothing else can be meant, in quotes, or over several lines.
//!
//! A text in, the same text for any YAML reader out. What looks like a credential is taken out on the way.

use aqueduct_operations::sanitize::plain;
use aqueduct_operations::secrets::shapes;
use std::borrow::Cow;

/// Plain words that YAML readers take for something else.
const TAKEN: [&str; 12] =
    ["null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf", "infinity"];
/// Longer texts are folded.
const LONG: usize = 100;
/// Lines are about this long.
pub(super) const WIDTH: usize = 120;

/// The text without credentials.
pub(super) fn clean(text: &str) -> Cow<'_, str> {
    match shapes::first_in(text) {
        None => Cow::Borrowed(text),
        Some(_) => Cow::Owned(shapes::without_certain(text.to_owned())),
    }
}

/// The text on one line.
pub(super) fn scalar(text: &str) -> String {
    let text = clean(text);
    if is_plain(&text) { text.into_owned() } else { quoted(&text) }
}

fn is_plain(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '-' | ' ');
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '/')
        && !text.ends_with(' ')
        && text.chars().all(allowed)
        && !TAKEN.contains(&text.to_ascii_lowercase().as_str())
}

fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if is_odd(c) && u32::from(c) <= 0xFFFF => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c if is_odd(c) => out.push_str(&format!("\\U{:08X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Signs that cannot be seen, or that readers treat in their own ways.
fn is_odd(c: char) -> bool {
    c.is_control()
        || (c.is_whitespace() && c != ' ')
        || matches!(u32::from(c), 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F | 0xFEFF | 0xFFF0..=0xFFFF)
        || u32::from(c) & 0xFFFE == 0xFFFE
}

/// The text over several lines, each without indentation, and the sign that goes before them; nothing when it has to be
/// on one line.
pub(super) fn lines(text: &str, indent: usize) -> Option<(&'static str, Vec<String>)> {
    if text.len() <= LONG && !text.contains('\n') || text.starts_with(' ') || text.ends_with(' ') {
        return None;
    }
    if text.contains('\n') {
        let lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
        let is_good = |line: &String| !line.ends_with(' ') && !line.chars().any(is_odd);
        let is_closed = lines.first().is_some_and(|line| !line.is_empty() && !line.starts_with(' '))
            && lines.last().is_some_and(|line| !line.is_empty());
        return (is_closed && lines.iter().all(is_good)).then_some(("|-", lines));
    }
    if text.chars().any(is_odd) {
        return None;
    }
    Some((">-", folded(text, WIDTH.saturating_sub(indent).max(60))))
}

/// Lines of about this width, broken at single spaces only.
pub(super) fn folded(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut length = 0;
    let bytes = text.as_bytes();
    for (at, c) in text.char_indices() {
        let is_break = c == ' '
            && at > 0
            && bytes[at - 1] != b' '
            && bytes.get(at + 1).is_some_and(|next| *next != b' ')
            && length + next_word(&text[at + 1..]) >= width;
        if is_break {
            lines.push(std::mem::take(&mut line));
            length = 0;
        } else {
            line.push(c);
            length += 1;
        }
    }
    lines.push(line);
    lines
}

fn next_word(rest: &str) -> usize {
    rest.chars().take_while(|c| *c != ' ').count() + 1
}

/// A text as one line of a comment or of prose.
pub(super) fn on_one_line(text: &str) -> String {
    let plain: String = clean(text).chars().map(|c| if is_odd(c) { ' ' } else { c }).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Prose without the signs that a file may not hold.
pub(super) fn prose(text: &str) -> String {
    plain(text).lines().map(clean).collect::<Vec<_>>().join("\n")
}
