//! Batches of JSON-RPC: several messages in one array, which protocol 2025-03-26 has and no other.
//!
//! The bytes of a batch in; its items out, each to be read as if it had come alone, or what to answer to the whole.

use super::unreadable::error;
use serde::Deserializer as _;
use serde::de::{Error as _, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;
use std::fmt;

/// The most messages in one.
pub const MOST_ITEMS: usize = 100;

/// True for what can only be a batch.
pub fn is_batch(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().first() == Some(&b'[')
}

/// The messages of a batch; nothing where the bytes are no JSON. Those beyond the most are not looked at.
pub fn items(bytes: &[u8]) -> Option<Result<Vec<&RawValue>, Value>> {
    let mut items = Vec::new();
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let read = reader.deserialize_seq(ItemReader(&mut items)).and_then(|()| reader.end());
    let refused = |why: String| Some(Err(error(Value::Null, -32600, &format!("Invalid request: {why}"))));
    if items.len() > MOST_ITEMS {
        return refused(format!(
            "the batch has more than {MOST_ITEMS} messages, the most that one may have. Send it in parts"
        ));
    }
    read.ok()?;
    if items.is_empty() {
        return refused("the batch is empty. Send one message or more".to_owned());
    }
    Some(Ok(items))
}

/// Reads messages until there is one too many.
struct ItemReader<'a, 'de>(&'a mut Vec<&'de RawValue>);

impl<'de> Visitor<'de> for ItemReader<'_, 'de> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("messages")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut messages: A) -> Result<(), A::Error> {
        while let Some(message) = messages.next_element()? {
            self.0.push(message);
            if self.0.len() > MOST_ITEMS {
                return Err(A::Error::custom("too many messages"));
            }
        }
        Ok(())
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
