//! HTML and Markdown taken out of texts that others wrote, for a model or a terminal to read.
//!
//! A text in; its words out: links and code keep their text, lists and headings become sentences, entities become characters.
//! What only looks like markup stays: `a < b`, `snake_case_names`, `*.json`, `{id}`, `List<int>`.

mod entities;
mod html;
mod inline;
mod lines;

use std::borrow::Cow;

/// Code is set aside under marks from a plane that no text uses, so that nothing in it is taken for markup.
const MARK: u32 = 0xF_0000;
const MOST_MARKS: usize = 0xFFFD;
/// How the text of a mark begins.
const MARK_BYTE: u8 = 0xF3;
/// What markup is made of.
const SIGNS: ByteSet = ByteSet::of(b"<&*_`[#>|~\\");

/// Some of all bytes: looked up, since every byte of every description is asked for.
struct ByteSet([bool; 256]);

impl ByteSet {
    const fn of(bytes: &[u8]) -> ByteSet {
        let mut set = [false; 256];
        let mut at = 0;
        while at < bytes.len() {
            set[bytes[at] as usize] = true;
            at += 1;
        }
        ByteSet(set)
    }

    fn contains(&self, byte: u8) -> bool {
        self.0[usize::from(byte)]
    }

    /// Where the first of them stands in a text.
    fn first_in(&self, text: &str) -> Option<usize> {
        text.bytes().position(|byte| self.contains(byte))
    }
}

/// The text without markup. Paragraphs stay apart by an empty line.
pub fn unmarked(text: &str) -> Cow<'_, str> {
    // Signs are single bytes, and a byte below 128 stands for nothing else.
    let has_signs = SIGNS.first_in(text).is_some();
    let has_lists = text.contains('\n') && text.lines().any(|line| lines::item(line).is_some());
    if !has_signs && !has_lists {
        return Cow::Borrowed(text);
    }
    let mut code = Vec::new();
    let text = match has_marks(text) {
        true => Cow::Owned(text.chars().filter(|c| !is_mark(*c)).collect()),
        false => Cow::Borrowed(text),
    };
    let text = set_code_aside(&text, &mut code);
    let text = html::without_tags(&text);
    let text = lines::as_sentences(&text);
    let text = inline::without_marks(&text);
    let text = if code.is_empty() { text } else { put_back(&text, &code) };
    let text = entities::decoded(&text);
    Cow::Owned(text.trim().to_owned())
}

/// The first paragraph of the text without markup. Most texts have many, and most first ones have no markup that goes on in the
/// next, so that only they are looked at.
pub fn first_paragraph(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    let first = text.find("\n\n").map(|end| &text[..end]);
    match unmarked(first.filter(|first| stands_alone(first)).unwrap_or(text)) {
        Cow::Borrowed(text) => Cow::Borrowed(until_empty_line(text)),
        Cow::Owned(text) => Cow::Owned(until_empty_line(&text).to_owned()),
    }
}

fn until_empty_line(text: &str) -> &str {
    let text = text.trim();
    ["\n\n", "\r\n\r\n"].iter().filter_map(|gap| text.find(gap)).min().map_or(text, |end| &text[..end])
}

/// True for a line of words whose brackets and code are closed: nothing that follows it changes what it says.
fn stands_alone(line: &str) -> bool {
    if !line.starts_with(|c: char| c.is_ascii_alphabetic()) || line.ends_with([':', ' ']) || has_marks(line) {
        return false;
    }
    let bytes = line.as_bytes();
    let (mut open, mut at) = (Vec::new(), 0);
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'<' | b'\n' | b'\r' => return false,
            b'[' | b'(' => open.push(*byte),
            b']' if open.pop() != Some(b'[') => return false,
            b')' if open.pop() != Some(b'(') => return false,
            b'`' => {
                let ticks = 1 + bytes[at..].iter().take_while(|byte| **byte == b'`').count();
                let inner = &line[at - 1 + ticks..];
                let Some(end) = closing(inner, ticks) else { return false };
                at += end + 2 * ticks - 1;
            }
            _ => {}
        }
    }
    open.is_empty()
}

/// False where no character can be a mark, which is nearly always.
fn has_marks(text: &str) -> bool {
    text.as_bytes().contains(&MARK_BYTE)
}

fn is_mark(c: char) -> bool {
    (MARK..=MARK + 0xFFFD).contains(&u32::from(c))
}

fn mark(code: &mut Vec<String>, content: &str) -> Option<char> {
    let mark = u32::try_from(code.len()).ok().filter(|_| code.len() < MOST_MARKS)?;
    code.push(content.to_owned());
    char::from_u32(MARK + mark)
}

fn put_back(text: &str, code: &[String]) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let index = u32::from(c).checked_sub(MARK).and_then(|index| usize::try_from(index).ok());
        match index.and_then(|index| code.get(index)).filter(|_| is_mark(c)) {
            Some(content) => out.push_str(content),
            None => out.push(c),
        }
    }
    out
}

/// Code between backticks, one or several, and fenced blocks.
fn set_code_aside(text: &str, code: &mut Vec<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('`') {
        out.push_str(&rest[..start]);
        let ticks = rest[start..].bytes().take_while(|byte| *byte == b'`').count();
        let (fence, inner) = rest[start..].split_at(ticks);
        let Some(end) = closing(inner, ticks) else {
            // A lone one stands for itself.
            out.push_str(fence);
            rest = inner;
            continue;
        };
        let mut content = &inner[..end];
        if ticks >= 3 {
            // The word after a fence names the language.
            let (first, body) = content.split_once('\n').unwrap_or(("", content));
            content = if first.trim().contains(' ') { content } else { body };
        }
        match mark(code, content.trim()) {
            Some(mark) => out.push(mark),
            None => out.push_str(content),
        }
        rest = &inner[end + ticks..];
    }
    out.push_str(rest);
    out
}

/// Where exactly as many backticks stand again.
fn closing(text: &str, ticks: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = text[at..].find('`') {
        let start = at + found;
        let count = text[start..].bytes().take_while(|byte| *byte == b'`').count();
        if count == ticks {
            return Some(start);
        }
        at = start + count;
    }
    None
}

#[cfg(test)]
mod tests;
