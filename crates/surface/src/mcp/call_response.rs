//! The response to a tool call as bytes.
//!
//! The id of a request and the reply to it in; out, the message as the SDK writes it, letter by letter, with room for the end of
//! a line. The reply is escaped on its way: the SDK would put it together, take it into its types and escape it byte by byte,
//! which is most of what a large response costs.

use aqueduct_operations::escaped::push_escaped;
use aqueduct_operations::reply::Reply;
use rmcp::model::RequestId;

/// What stands around the text of a response.
const AROUND: usize = 128;

/// The message that answers a call. In JSON text about every eighth byte is a quote, which takes two.
pub(crate) fn call_response(id: &RequestId, reply: &Reply) -> serde_json::Result<Vec<u8>> {
    let mut length = AROUND;
    reply.each_piece(|piece| length += piece.len() + piece.len() / 4);
    let mut out = Vec::with_capacity(length);
    out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    serde_json::to_writer(&mut out, id)?;
    out.extend_from_slice(br#","result":{"content":[{"type":"text","text":""#);
    reply.each_piece(|piece| push_escaped(piece, &mut out));
    let end: &[u8] = if reply.is_error() { br#""}],"isError":true}}"# } else { br#""}],"isError":false}}"# };
    out.extend_from_slice(end);
    Ok(out)
}

#[cfg(test)]
mod tests;
