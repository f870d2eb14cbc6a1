//! Summarizes bytes that may not be valid JSON: the top-level `id` and `method`, and how deep it nests.
//!
//! Bytes in, what could be made out; it never fails, and looks at each byte once.

use aqueduct_operations::json_text::{JsonTokenKind, JsonTokens};
use serde_json::Value;

/// What is known of a message.
#[derive(Debug, Default, PartialEq)]
pub struct MessageSummary {
    /// The request's id, where a valid one can be made out.
    pub id: Option<Value>,
    /// There is an `id`, valid or not.
    pub has_id: bool,
    /// The method.
    pub method: Option<String>,
    /// The deepest nesting of objects and arrays.
    pub depth: usize,
}

impl MessageSummary {
    /// True for a request that cannot be answered under its id. What is called a notification is never a request: some
    /// clients send those with an id of null.
    pub fn is_request_without_valid_id(&self) -> bool {
        let is_request = self.method.as_deref().is_some_and(|method| !method.starts_with("notifications/"));
        is_request && self.has_id && self.id.is_none()
    }
}

/// Summarizes a message. The bytes may be cut off, not UTF-8, not JSON.
pub fn summarize(bytes: &[u8]) -> MessageSummary {
    let mut seen = MessageSummary::default();
    let mut depth = 0_usize;
    let mut key: Option<&[u8]> = None;
    let mut tokens = JsonTokens::of(bytes).peekable();
    while let Some(token) = tokens.next() {
        let text = &bytes[token.start..token.end];
        match token.kind {
            JsonTokenKind::OpenObject | JsonTokenKind::OpenArray => {
                depth += 1;
                seen.depth = seen.depth.max(depth);
            }
            JsonTokenKind::Close => depth = depth.saturating_sub(1),
            JsonTokenKind::String | JsonTokenKind::Number if depth != 1 => {}
            JsonTokenKind::String if tokens.next_if(|next| next.kind == JsonTokenKind::Colon).is_some() => {
                key = Some(text);
                seen.has_id |= text == b"\"id\"";
            }
            JsonTokenKind::String | JsonTokenKind::Number => keep(&mut seen, key.take(), text),
            JsonTokenKind::Comma | JsonTokenKind::Colon | JsonTokenKind::Word => {}
        }
    }
    seen
}

fn keep(seen: &mut MessageSummary, key: Option<&[u8]>, value: &[u8]) {
    let parsed = || serde_json::from_slice::<Value>(value).ok();
    match key {
        Some(b"\"id\"") => seen.id = parsed().filter(|id| id.is_string() || id.is_i64()),
        Some(b"\"method\"") => seen.method = parsed().and_then(|v| v.as_str().map(str::to_owned)),
        _ => {}
    }
}
