//! JSON text for people: one member a line, indented by two spaces.
//!
//! JSON text in, the same JSON out. No tree is built, so that numbers keep every digit; strings lose escapes they do not
//! need.

use aqueduct_operations::json_text::{JsonTokenKind, JsonTokens};
use serde_json::Value;

/// The indented form of valid JSON text.
pub(super) fn indented(json: &str) -> Result<String, serde_json::Error> {
    let mut out = String::with_capacity(json.len() * 2);
    let mut depth = 0_usize;
    let mut tokens = JsonTokens::of(json.as_bytes()).peekable();
    while let Some(token) = tokens.next() {
        let text = &json[token.start..token.end];
        match token.kind {
            JsonTokenKind::OpenObject | JsonTokenKind::OpenArray => {
                out.push_str(text);
                if let Some(close) = tokens.next_if(|next| next.kind == JsonTokenKind::Close) {
                    out.push_str(&json[close.start..close.end]);
                } else {
                    depth += 1;
                    new_line(&mut out, depth);
                }
            }
            JsonTokenKind::Close => {
                depth = depth.saturating_sub(1);
                new_line(&mut out, depth);
                out.push_str(text);
            }
            JsonTokenKind::Comma => {
                out.push(',');
                new_line(&mut out, depth);
            }
            JsonTokenKind::Colon => out.push_str(": "),
            JsonTokenKind::String => out.push_str(&Value::String(serde_json::from_str(text)?).to_string()),
            JsonTokenKind::Number | JsonTokenKind::Word => out.push_str(text),
        }
    }
    Ok(out)
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests;
