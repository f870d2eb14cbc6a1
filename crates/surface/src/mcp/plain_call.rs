//! Reads the message that nearly every message is: a tool call without metadata.
//!
//! Bytes in, the SDK's message out, or nothing when they are anything else. The SDK tries one kind of message after
//! another, which takes as long as the rest of a call; this knows what it looks for.

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, ClientRequest, JsonObject, JsonRpcMessage, JsonRpcRequest, JsonRpcVersion2_0,
    Request, RequestId,
};
use rmcp::service::RxJsonRpcMessage;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlainCall {
    #[serde(rename = "jsonrpc")]
    _version: JsonRpcVersion2_0,
    id: RequestId,
    #[serde(rename = "method")]
    _method: PlainMethod,
    params: PlainParams,
}

#[derive(Deserialize)]
enum PlainMethod {
    #[serde(rename = "tools/call")]
    CallTool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlainParams {
    name: String,
    #[serde(default)]
    arguments: Option<JsonObject>,
}

/// The message in these bytes, if it is a plain tool call.
pub fn read(bytes: &[u8]) -> Option<RxJsonRpcMessage<RoleServer>> {
    let PlainCall { id, params, .. } = serde_json::from_slice(bytes).ok()?;
    let mut call = CallToolRequestParams::new(params.name);
    call.arguments = params.arguments;
    let request = ClientRequest::CallToolRequest(Request::new(call));
    Some(JsonRpcMessage::Request(JsonRpcRequest::new(id, request)))
}

#[cfg(test)]
mod tests;
