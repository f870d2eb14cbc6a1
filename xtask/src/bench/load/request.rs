//! The bytes of a request that is sent again and again, each time with an id that was not used before.
//!
//! A tool and the length of its answer in, bytes out.

use super::super::upstream::Body;
use serde_json::{Value, json};

/// Digits of an id; no run has more calls.
const FIRST_ID: u64 = 100_000_000;

/// A call of the measured operation.
#[derive(Debug, Clone)]
pub struct ToolCall {
    /// The tool.
    pub tool: &'static str,
    /// Its arguments for this number of a pet.
    pub arguments: fn(u64) -> Value,
}

impl ToolCall {
    /// The message, with the first id.
    pub fn message(&self, body: Body) -> String {
        let params = json!({"name": self.tool, "arguments": (self.arguments)(body.number())});
        json!({"jsonrpc": "2.0", "id": FIRST_ID, "method": "tools/call", "params": params}).to_string()
    }
}

/// A request.
#[derive(Debug, Clone)]
pub struct Request {
    bytes: Vec<u8>,
    id_place: Option<usize>,
    id: u64,
}

impl Request {
    /// A request without an id.
    pub fn plain(text: String) -> Request {
        Request { bytes: text.into_bytes(), id_place: None, id: 0 }
    }

    /// A request that holds the first id somewhere.
    pub fn numbered(bytes: Vec<u8>, last_id: u64) -> Request {
        let digits = FIRST_ID.to_string();
        let id_place = bytes.windows(digits.len()).position(|window| window == digits.as_bytes());
        Request { bytes, id_place, id: last_id.max(FIRST_ID) }
    }

    /// A tool call as one line.
    pub fn line(call: &ToolCall, body: Body, last_id: u64) -> Request {
        Request::numbered(format!("{}\n", call.message(body)).into_bytes(), last_id)
    }

    /// The last id that was used.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The bytes of the next one.
    pub fn next(&mut self) -> &[u8] {
        if let Some(place) = self.id_place {
            self.id += 1;
            let digits = self.id.to_string();
            self.bytes[place..place + digits.len()].copy_from_slice(digits.as_bytes());
        }
        &self.bytes
    }
}
