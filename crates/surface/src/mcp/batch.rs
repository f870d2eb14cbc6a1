//! Batches of JSON-RPC: several messages in one array, which protocol 2025-03-26 has and no other.
//!
//! The bytes of a batch in; its items out, each to be read as if it had come alone, or what to answer to the whole.

use super::unreadable::error;
use serde_json::Value;
use serde_json::value::RawValue;

/// The most messages in one.
pub const MOST_ITEMS: usize = 100;

/// True for what can only be a batch.
pub fn is_batch(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().first() == Some(&b'[')
}

/// The messages of a batch; nothing where the bytes are no JSON.
pub fn items(bytes: &[u8]) -> Option<Result<Vec<&RawValue>, Value>> {
    let items: Vec<&RawValue> = serde_json::from_slice(bytes).ok()?;
    let count = items.len();
    let refused = |why: String| Some(Err(error(Value::Null, -32600, &format!("Invalid request: {why}"))));
    match count {
        0 => refused("the batch is empty. Send one message or more".to_owned()),
        1..=MOST_ITEMS => Some(Ok(items)),
        _ => refused(format!(
            "the batch has {count} messages, and {MOST_ITEMS} are the most. Send it in parts"
        )),
    }
}

/// The whole batch of these responses, each as JSON.
pub fn joined<'a>(responses: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut whole = vec![b'['];
    for response in responses {
        if whole.len() > 1 {
            whole.push(b',');
        }
        whole.extend_from_slice(response);
    }
    whole.push(b']');
    whole
}

#[cfg(test)]
mod tests;
