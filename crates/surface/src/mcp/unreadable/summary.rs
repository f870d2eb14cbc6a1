//! A tolerant look at bytes that may not be valid JSON: its top-level `id` and `method`, and how deep it nests.
//!
//! Bytes in, what could be made out; it never fails, and looks at each byte once.

use aqueduct_operations::raw_json::end_of_string;
use serde_json::Value;

/// What a look tells.
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

/// Looks, without trusting anything: bytes may be cut off, not UTF-8, not JSON.
pub fn glance(bytes: &[u8]) -> MessageSummary {
    let mut seen = MessageSummary::default();
    let mut depth = 0_usize;
    let mut key: Option<&[u8]> = None;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'{' | b'[' => {
                depth += 1;
                seen.depth = seen.depth.max(depth);
                at += 1;
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            b'"' => {
                let end = end_of_string(bytes, at);
                if depth == 1 {
                    let text = &bytes[at..end];
                    if next_visible(bytes, end) == Some(b':') {
                        key = Some(text);
                        seen.has_id |= text == b"\"id\"";
                    } else {
                        keep(&mut seen, key.take(), text);
                    }
                }
                at = end;
            }
            b'-' | b'0'..=b'9' => {
                let length = bytes[at..]
                    .iter()
                    .take_while(|b| matches!(b, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9'))
                    .count();
                if depth == 1 {
                    keep(&mut seen, key.take(), &bytes[at..at + length]);
                }
                at += length;
            }
            _ => at += 1,
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

fn next_visible(bytes: &[u8], from: usize) -> Option<u8> {
    bytes.get(from..)?.iter().copied().find(|b| !b.is_ascii_whitespace())
}
