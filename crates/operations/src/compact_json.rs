//! JSON text without the white space between its tokens.
//!
//! Text in, the same with fewer bytes out. What is no JSON stays none: white space goes only beside a brace, a bracket, a comma or
//! a colon, or at either end, so that no two tokens become one.

use crate::json_text::end_of_string;

/// The text without white space between its tokens.
pub fn compact(text: &str) -> String {
    let bytes = text.as_bytes();
    if !may_shrink(bytes) {
        return text.to_owned();
    }
    let mut compact = String::with_capacity(bytes.len());
    let (mut kept_from, mut at) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at = end_of_string(bytes, at),
            b' ' | b'\n' | b'\r' | b'\t' => {
                let start = at;
                at += bytes[at..].iter().take_while(|byte| is_white_space(**byte)).count();
                let before = start.checked_sub(1).is_none_or(|before| separates(bytes[before]));
                let after = bytes.get(at).is_none_or(|after| separates(*after));
                if before || after {
                    compact.push_str(&text[kept_from..start]);
                    kept_from = at;
                }
            }
            _ => at += 1,
        }
    }
    compact.push_str(&text[kept_from..]);
    compact
}

/// False where no white space can be between tokens, as in what most APIs send: the text need not be read then.
fn may_shrink(bytes: &[u8]) -> bool {
    let mut white_space = memchr::memchr3_iter(b' ', b'\n', b'\t', bytes);
    let is_between = |at: usize| {
        let beside = |byte: Option<&u8>| byte.is_none_or(|byte| separates(*byte) || is_white_space(*byte));
        beside(at.checked_sub(1).and_then(|before| bytes.get(before))) || beside(bytes.get(at + 1))
    };
    white_space.any(is_between) || memchr::memchr(b'\r', bytes).is_some()
}

fn is_white_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// True for what separates tokens by itself.
fn separates(byte: u8) -> bool {
    matches!(byte, b'{' | b'}' | b'[' | b']' | b',' | b':')
}

#[cfg(test)]
mod tests;
