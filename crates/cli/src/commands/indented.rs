//! JSON text for people: one member a line, indented by two spaces.
//!
//! JSON text in, the same JSON out. No tree is built, so that numbers keep every digit; strings lose escapes they do not
//! need.

use aqueduct_operations::raw_json::end_of_string;
use serde_json::Value;

/// The indented form of valid JSON text.
pub(super) fn indented(json: &str) -> Result<String, serde_json::Error> {
    let mut out = String::with_capacity(json.len() * 2);
    let mut depth = 0_usize;
    let mut rest = json.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = token_length(rest);
        let token = &rest[..length];
        rest = rest[length..].trim_start();
        match first {
            '{' | '[' => {
                out.push(first);
                if rest.starts_with(['}', ']']) {
                    out.push_str(&rest[..1]);
                    rest = rest[1..].trim_start();
                } else {
                    depth += 1;
                    new_line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut out, depth);
                out.push(first);
            }
            ',' => {
                out.push(',');
                new_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            '"' => out.push_str(&Value::String(serde_json::from_str(token)?).to_string()),
            _ => out.push_str(token),
        }
    }
    Ok(out)
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

/// The length of the first token: a string, a mark, or everything up to the next mark or space.
fn token_length(text: &str) -> usize {
    if text.starts_with('"') {
        return end_of_string(text.as_bytes(), 0).min(text.len());
    }
    let is_mark = |c: char| matches!(c, '{' | '}' | '[' | ']' | ',' | ':') || c.is_ascii_whitespace();
    if text.starts_with(is_mark) { 1 } else { text.find(is_mark).unwrap_or(text.len()) }
}

#[cfg(test)]
mod tests;
