//! One pass over JSON text before it is trusted: how deep it goes, halves of characters, numbers beyond all bounds.
//!
//! Text in; its flaws, and the same text without them, out: a parser would give up on a small part of it much later. Grammar is not
//! checked here.

use super::error::OpenError;
use aqueduct_operations::json_text::{JsonToken, JsonTokenKind, JsonTokens, lone_surrogate};

/// Deeper nesting than this is refused; serde_json stops at 128.
pub(super) const MAX_DEPTH: usize = 120;

/// The text without its flaws, and what was mended in it.
pub(super) fn repaired(text: &str, find_repairs: Vec<Repair>) -> (String, Vec<String>) {
    let mut repaired = String::with_capacity(text.len());
    let mut done = 0;
    let mut warnings = Vec::new();
    for repair in find_repairs {
        repaired.push_str(&text[done..repair.start]);
        repaired.push_str(repair.replacement);
        warnings.push(format!("line {}: {}", line_of(text, repair.start), repair.what));
        done = repair.end;
    }
    repaired.push_str(&text[done..]);
    (repaired, warnings)
}

/// What a parser would give up on.
pub(super) struct Repair {
    start: usize,
    end: usize,
    replacement: &'static str,
    what: &'static str,
}

/// What is wrong with a text, in its order.
pub(super) fn find_repairs(text: &str) -> Result<Vec<Repair>, OpenError> {
    let mut find_repairs = Vec::new();
    let mut depth = 0_usize;
    let may_have_halves = may_have_halves(text);
    for token in JsonTokens::of(text.as_bytes()) {
        match token.kind {
            JsonTokenKind::OpenObject | JsonTokenKind::OpenArray => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(OpenError::TooDeep { most: MAX_DEPTH, line: line_of(text, token.start) });
                }
            }
            JsonTokenKind::Close => depth = depth.saturating_sub(1),
            JsonTokenKind::String if may_have_halves => check_string(text, token, &mut find_repairs),
            JsonTokenKind::Number => check_number(text, token, &mut find_repairs),
            JsonTokenKind::String | JsonTokenKind::Comma | JsonTokenKind::Colon | JsonTokenKind::Word => {}
        }
    }
    Ok(find_repairs)
}

/// False where no escape can be half of a surrogate pair: `\ud800` to `\udfff`.
fn may_have_halves(text: &str) -> bool {
    let mut escapes = memchr::memmem::find_iter(text.as_bytes(), b"\\u");
    escapes.any(|at| matches!(text.as_bytes().get(at + 2), Some(b'd' | b'D')))
}

/// Halves of surrogate pairs on their own are flaws.
fn check_string(text: &str, JsonToken { start, end, .. }: JsonToken, find_repairs: &mut Vec<Repair>) {
    let string = &text.as_bytes()[..end];
    let mut from = start;
    while let Some(start) = lone_surrogate(string, from) {
        let what = "half of a character (a lone surrogate) was replaced";
        from = start + 6;
        find_repairs.push(Repair { start, end: from, replacement: "\\ufffd", what });
    }
}

fn check_number(text: &str, JsonToken { start, end, .. }: JsonToken, find_repairs: &mut Vec<Repair>) {
    let written = &text[start..end];
    if (written.len() > 300 || written.contains(['e', 'E'])) && written.parse().is_ok_and(f64::is_infinite) {
        let replacement = if written.starts_with('-') { "-1e308" } else { "1e308" };
        find_repairs.push(Repair {
            start,
            end,
            replacement,
            what: "a number beyond all bounds was cut to 1e308",
        });
    }
}

fn line_of(text: &str, offset: usize) -> u32 {
    let breaks = memchr::memchr_iter(b'\n', &text.as_bytes()[..offset]).count();
    u32::try_from(breaks + 1).unwrap_or(u32::MAX)
}
