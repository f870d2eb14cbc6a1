//! One pass over JSON text before it is trusted: how deep it goes, halves of characters, numbers beyond all bounds.
//!
//! Text in; the same text out, mended where a parser would give up on a small part of it much later. Grammar is not
//! checked here.

use super::error::OpenError;
use memchr::memchr2;

/// Deeper nesting than this is refused; serde_json stops at 128.
pub(super) const MAX_DEPTH: usize = 120;

/// The text and what was mended in it.
pub(super) fn checked(text: String) -> Result<(String, Vec<String>), OpenError> {
    let flaws = flaws(&text)?;
    if flaws.is_empty() {
        return Ok((text, Vec::new()));
    }
    let mut mended = String::with_capacity(text.len());
    let mut done = 0;
    let mut warnings = Vec::new();
    for flaw in flaws {
        mended.push_str(&text[done..flaw.start]);
        mended.push_str(flaw.replacement);
        warnings.push(format!("line {}: {}", line_of(&text, flaw.start), flaw.what));
        done = flaw.end;
    }
    mended.push_str(&text[done..]);
    Ok((mended, warnings))
}

struct Flaw {
    start: usize,
    end: usize,
    replacement: &'static str,
    what: &'static str,
}

fn flaws(text: &str) -> Result<Vec<Flaw>, OpenError> {
    let bytes = text.as_bytes();
    let mut flaws = Vec::new();
    let mut depth = 0_usize;
    let mut here = 0;
    while here < bytes.len() {
        match bytes[here] {
            b'"' => here = string(bytes, here, &mut flaws),
            b'{' | b'[' => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(OpenError::TooDeep { most: MAX_DEPTH, line: line_of(text, here) });
                }
                here += 1;
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                here += 1;
            }
            b'-' | b'0'..=b'9' => here = number(text, here, &mut flaws),
            _ => here += 1,
        }
    }
    Ok(flaws)
}

/// Behind the string that begins here. Halves of surrogate pairs on their own are flaws.
fn string(bytes: &[u8], quote: usize, flaws: &mut Vec<Flaw>) -> usize {
    let mut here = quote + 1;
    while let Some(found) = bytes.get(here..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        here += found;
        if bytes[here] == b'"' {
            return here + 1;
        }
        match surrogate(bytes, here) {
            None => here += 2,
            Some(Half::High) if surrogate(bytes, here + 6) == Some(Half::Low) => here += 12,
            Some(_) => {
                let what = "half of a character (a lone surrogate) was replaced";
                flaws.push(Flaw { start: here, end: here + 6, replacement: "\\ufffd", what });
                here += 6;
            }
        }
    }
    bytes.len()
}

#[derive(PartialEq)]
enum Half {
    High,
    Low,
}

fn surrogate(bytes: &[u8], backslash: usize) -> Option<Half> {
    let [b'\\', b'u', b'd' | b'D', second, third, fourth] = bytes.get(backslash..backslash + 6)? else {
        return None;
    };
    if !third.is_ascii_hexdigit() || !fourth.is_ascii_hexdigit() {
        return None;
    }
    match second {
        b'8' | b'9' | b'a' | b'b' | b'A' | b'B' => Some(Half::High),
        b'c'..=b'f' | b'C'..=b'F' => Some(Half::Low),
        _ => None,
    }
}

fn number(text: &str, start: usize, flaws: &mut Vec<Flaw>) -> usize {
    let bytes = text.as_bytes();
    let length = bytes[start..]
        .iter()
        .position(|byte| !matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'))
        .unwrap_or(bytes.len() - start);
    let end = start + length;
    let written = &text[start..end];
    if (length > 300 || written.contains(['e', 'E'])) && written.parse().is_ok_and(f64::is_infinite) {
        let replacement = if written.starts_with('-') { "-1e308" } else { "1e308" };
        flaws.push(Flaw { start, end, replacement, what: "a number beyond all bounds was cut to 1e308" });
    }
    end
}

fn line_of(text: &str, offset: usize) -> u32 {
    let breaks = memchr::memchr_iter(b'\n', &text.as_bytes()[..offset]).count();
    u32::try_from(breaks + 1).unwrap_or(u32::MAX)
}
