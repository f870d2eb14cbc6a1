//! Messages of the server as bytes, in memory that is taken once.
//!
//! A message in; its JSON out, with room for the end of a line.

use rmcp::model::{ContentBlock, JsonRpcMessage, ServerJsonRpcMessage, ServerResult};

/// What stands around the texts of a result, and nearly all of a message without any.
const AROUND: usize = 256;

/// The message as JSON.
pub(crate) fn encoded(message: &ServerJsonRpcMessage) -> serde_json::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(likely_length(message));
    serde_json::to_writer(&mut bytes, message)?;
    Ok(bytes)
}

/// A response is mostly one text, which is JSON: in a JSON string its quotes take two bytes.
fn likely_length(message: &ServerJsonRpcMessage) -> usize {
    let JsonRpcMessage::Response(response) = message else { return AROUND };
    let ServerResult::CallToolResult(result) = &response.result else { return AROUND };
    let texts = result.content.iter().filter_map(ContentBlock::as_text).map(|text| text.text.len());
    let length: usize = texts.sum();
    AROUND + length + length / 4
}
