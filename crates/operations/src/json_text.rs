//! The tokenizer of JSON text, for everything that looks into such text without parsing it.
//!
//! Bytes in, the places of their tokens out, and what `\uXXXX` escapes stand for. Grammar is not checked: the bytes may be
//! cut off, invalid UTF-8 or no JSON at all. Nothing here fails, allocates or recurses.

use memchr::{memchr, memchr2};

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonTokenKind {
    /// `{`
    OpenObject,
    /// `[`
    OpenArray,
    /// `}` or `]`
    Close,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// A string with its quotes; one that does not end goes up to the end of the text.
    String,
    /// A number, as far as its characters go.
    Number,
    /// `true`, `false`, `null`, or anything that is no JSON.
    Word,
}

/// A token and its place in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JsonToken {
    /// What it is.
    pub kind: JsonTokenKind,
    /// Its first byte.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
}

/// Deeper than this no parser of JSON here goes.
pub const PARSER_DEPTH: usize = 127;

/// How deep objects and arrays stand in each other.
pub fn nesting_depth(bytes: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for token in JsonTokens::of(bytes) {
        match token.kind {
            JsonTokenKind::OpenObject | JsonTokenKind::OpenArray => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            JsonTokenKind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// The tokens of a text, in order, without the white space between them.
#[derive(Debug, Clone)]
pub struct JsonTokens<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> JsonTokens<'a> {
    /// The tokens from this byte on, which must not be inside of one.
    pub fn starting_at(bytes: &'a [u8], at: usize) -> JsonTokens<'a> {
        JsonTokens { bytes, at }
    }

    /// All tokens.
    pub fn of(bytes: &'a [u8]) -> JsonTokens<'a> {
        JsonTokens::starting_at(bytes, 0)
    }

    /// The end of the run of such bytes that begins here.
    fn run_end(&self, start: usize, is_part: impl Fn(u8) -> bool) -> usize {
        let rest = &self.bytes[start..];
        start + rest.iter().position(|byte| !is_part(*byte)).unwrap_or(rest.len())
    }
}

impl Iterator for JsonTokens<'_> {
    type Item = JsonToken;

    #[inline]
    fn next(&mut self) -> Option<JsonToken> {
        let start = space_end(self.bytes, self.at.min(self.bytes.len()));
        let (kind, end) = match *self.bytes.get(start)? {
            b'"' => (JsonTokenKind::String, end_of_string(self.bytes, start)),
            b'{' => (JsonTokenKind::OpenObject, start + 1),
            b'[' => (JsonTokenKind::OpenArray, start + 1),
            b'}' | b']' => (JsonTokenKind::Close, start + 1),
            b',' => (JsonTokenKind::Comma, start + 1),
            b':' => (JsonTokenKind::Colon, start + 1),
            b'-' | b'0'..=b'9' => (JsonTokenKind::Number, self.run_end(start, is_in_number)),
            _ => (JsonTokenKind::Word, self.run_end(start, is_in_word)),
        };
        self.at = end;
        Some(JsonToken { kind, start, end })
    }
}

/// Where the white space that begins here ends. In documents for people most of it is indentation.
#[inline]
fn space_end(bytes: &[u8], start: usize) -> usize {
    const INDENT: &[u8; 8] = b"        ";
    let mut at = start;
    loop {
        match bytes.get(at) {
            Some(b' ') if bytes[at..].starts_with(INDENT) => at += INDENT.len(),
            Some(byte) if is_space(*byte) => at += 1,
            _ => return at,
        }
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

fn is_in_number(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')
}

fn is_in_word(byte: u8) -> bool {
    !is_space(byte) && !matches!(byte, b'"' | b'{' | b'}' | b'[' | b']' | b',' | b':')
}

/// Where a string ends, and whether it has escapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StringEnd {
    /// The byte after its closing quote.
    pub end: usize,
    /// There is a backslash in it.
    pub has_escapes: bool,
}

/// The end of the string that begins with this quote, if it has one.
#[inline]
pub fn string_end(bytes: &[u8], quote: usize) -> Option<StringEnd> {
    let (mut at, mut has_escapes) = (quote + 1, false);
    loop {
        let rest = bytes.get(at..)?;
        let found = memchr2(b'"', b'\\', rest)?;
        if rest[found] == b'"' {
            return Some(StringEnd { end: at + found + 1, has_escapes });
        }
        has_escapes = true;
        at += found + 2;
    }
}

/// The same as a place: the end of the text when the string has none.
#[inline]
pub fn end_of_string(bytes: &[u8], quote: usize) -> usize {
    string_end(bytes, quote).map_or(bytes.len(), |string| string.end)
}

/// The end of the object or array that begins here, if it has one. In valid JSON each closing bracket fits the last one
/// opened, so counting them is enough; this is faster than to go through the tokens.
#[inline]
pub fn end_of_nested(bytes: &[u8], open: usize) -> Option<usize> {
    let (mut at, mut depth) = (open, 0_usize);
    loop {
        match *bytes.get(at)? {
            b'"' => {
                at = string_end(bytes, at)?.end;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}

/// The character of the `\uXXXX` escape, or pair of them, at the start of these bytes, and the length of the escape.
pub fn unicode_escape(bytes: &[u8]) -> Option<(char, usize)> {
    let first = code_unit(bytes)?;
    if let Some(character) = char::from_u32(u32::from(first)) {
        return Some((character, 6));
    }
    let pair = char::decode_utf16([first, code_unit(&bytes[6..])?]).next()?.ok()?;
    Some((pair, 12))
}

/// The UTF-16 code unit of the `\uXXXX` escape at the start of these bytes.
fn code_unit(bytes: &[u8]) -> Option<u16> {
    let digits = bytes.get(..6)?.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0, |unit, digit| {
        let digit = char::from(*digit).to_digit(16)?;
        Some(unit << 4 | u16::try_from(digit).ok()?)
    })
}

/// The place of the first `\uD800`-like escape without its other half, from this byte on. JSON text may hold one, UTF-8
/// cannot.
pub fn lone_surrogate(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += memchr(b'\\', bytes.get(at..)?)?;
        let escape = &bytes[at..];
        at += match unicode_escape(escape) {
            Some((_, length)) => length,
            None if code_unit(escape).is_some() => return Some(at),
            None => 2,
        };
    }
}

#[cfg(test)]
mod tests;
