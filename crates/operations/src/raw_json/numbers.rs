//! Numbers that no machine number holds, such as `1e400`: JSON allows them, and most readers choke on them.
//!
//! JSON text in; the same text with such numbers in quotes out, and how many there are. Text in strings is left alone.

use super::end_of_string;

/// The text with numbers beyond all range in quotes.
pub(super) fn quoted(text: &str) -> (String, usize) {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len() + 16);
    let (mut at, mut copied, mut count) = (0, 0, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => at = end_of_string(bytes, at),
            b'-' | b'0'..=b'9' => {
                let begin = at;
                let is_part = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
                at += bytes[at..].iter().take_while(|byte| is_part(byte)).count();
                if text[begin..at].parse::<f64>().is_ok_and(f64::is_infinite) {
                    out.push_str(&text[copied..begin]);
                    out.push('"');
                    out.push_str(&text[begin..at]);
                    out.push('"');
                    copied = at;
                    count += 1;
                }
            }
            _ => at += 1,
        }
    }
    out.push_str(&text[copied..]);
    (out, count)
}

#[cfg(test)]
mod tests;
