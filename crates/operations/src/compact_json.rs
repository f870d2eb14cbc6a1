//! JSON text without the white space between its tokens.
//!
//! Text in, the same with fewer bytes out. What is no JSON stays none: white space goes only beside a brace, a bracket, a comma or
//! a colon, or at either end, so that no two tokens become one.

use crate::json_text::end_of_string;

/// The text without white space between its tokens.
pub fn compact(text: &str) -> String {
    let bytes = text.as_bytes();
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

fn is_white_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// True for what separates tokens by itself.
fn separates(byte: u8) -> bool {
    matches!(byte, b'{' | b'}' | b'[' | b']' | b',' | b':')
}

#[cfg(test)]
mod tests;
