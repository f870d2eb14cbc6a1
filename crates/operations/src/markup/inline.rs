//! Marks within a line: links, pictures, bold and slanted words, escapes. A text in, its words out.
//!
//! A mark counts only where a pair of them encloses words: `*.json`, `2 * 3` and `snake_case_names` have none.

use super::ByteSet;

/// Longer texts between two marks are no emphasis, but two signs far apart.
const LONGEST: usize = 600;
/// How marks begin.
const SIGNS: ByteSet = ByteSet::of(b"\\![*_~");

pub(super) fn without_marks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    loop {
        // Between signs there is nothing to look at.
        let plain = SIGNS.first_in(rest).unwrap_or(rest.len());
        out.push_str(&rest[..plain]);
        rest = &rest[plain..];
        let Some(c) = rest.chars().next() else { break };
        let step = match c {
            '\\' => rest[1..]
                .chars()
                .next()
                .filter(|next| "_*<>#[]".contains(*next))
                .map(|next| (next.to_string(), 2)),
            '!' if rest.starts_with("![") => link(&rest[1..]).map(|(text, length)| (text, length + 1)),
            // `a[i](x)` is a call.
            '[' if !out.chars().next_back().is_some_and(char::is_alphanumeric) => link(rest),
            '*' | '_' | '~' => emphasis(rest, out.chars().next_back()),
            _ => None,
        };
        match step {
            Some((text, length)) => {
                out.push_str(&text);
                rest = &rest[length..];
            }
            None => {
                // A run of signs that is no mark stays whole.
                let run = match c {
                    '*' | '_' | '~' => rest.len() - rest.trim_start_matches(c).len(),
                    other => other.len_utf8(),
                };
                out.push_str(&rest[..run]);
                rest = &rest[run..];
            }
        }
    }
    out
}

/// `[text](target)` and `[text][reference]`: the text, and how much of the line that is.
fn link(text: &str) -> Option<(String, usize)> {
    let close = matching(text, ('[', ']'))?;
    let inner = &text[1..close];
    let after = &text[close + 1..];
    let end = match after.chars().next()? {
        '(' => matching(after, ('(', ')'))?,
        '[' => matching(after, ('[', ']')).filter(|end| !after[1..*end].contains('['))?,
        _ => return None,
    };
    // `array[0](x)` is no link: its text is a word at least.
    let is_text = inner.chars().any(char::is_alphabetic)
        || inner.is_empty()
        || inner.chars().any(|c| u32::from(c) >= super::MARK);
    is_text.then(|| (without_marks(inner), close + 1 + end + 1))
}

/// Where the bracket that opens a text closes again, on the same paragraph.
fn matching(text: &str, (open, close): (char, char)) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices().take(LONGEST * 2) {
        if c == open {
            depth += 1;
        } else if c == close {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

fn emphasis(text: &str, before: Option<char>) -> Option<(String, usize)> {
    let sign = text.chars().next()?;
    let count = text.len() - text.trim_start_matches(sign).len();
    let is_free = before.is_none_or(|c| c.is_whitespace() || "([{\"'-:/.,;!?*_\u{2014}".contains(c));
    if count > 3 || (sign == '~' && count != 2) || (sign != '~' && !is_free) {
        return None;
    }
    let inner = &text[count..];
    let first = inner.chars().next()?;
    if !(first.is_alphanumeric() || "\"'([{$`<@#_*&".contains(first) || u32::from(first) >= super::MARK) {
        return None;
    }
    let marks = &text[..count];
    let mut from = 0;
    while let Some(found) = inner[from..].find(marks) {
        let end = from + found;
        if end > LONGEST {
            return None;
        }
        let run = inner[end..].len() - inner[end..].trim_start_matches(sign).len();
        let last = inner[..end].chars().next_back();
        let next = inner[end + run..].chars().next();
        let closes = last
            .is_some_and(|c| !c.is_whitespace() && !"./_*([{,".contains(c) || c == '.' && count > 1)
            && next.is_none_or(|c| !c.is_alphanumeric() && !"_/*".contains(c));
        if closes && run == count && !inner[..end].contains("\n\n") {
            let content = &inner[..end];
            // `__init__` is a name.
            let is_name =
                sign == '_' && count == 2 && content.chars().all(|c| c.is_ascii_lowercase() || c == '_');
            return (!is_name).then(|| (without_marks(content), count + end + count));
        }
        from = end + run;
    }
    None
}
