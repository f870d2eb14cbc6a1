//! Reads the message that nearly every message is: a tool call without metadata.
//!
//! Bytes in, the call out, or nothing when they are anything else. The SDK tries one kind of message after another, which takes
//! as long as the rest of a call; this knows what it looks for.

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, ClientRequest, JsonObject, JsonRpcMessage, JsonRpcRequest, JsonRpcVersion2_0,
    Request, RequestId,
};
use rmcp::service::RxJsonRpcMessage;
use serde::Deserialize;

/// A tool call without metadata.
#[derive(Debug)]
pub struct PlainCall {
    /// The id of its request.
    pub id: RequestId,
    /// The name of the tool.
    pub tool: String,
    /// What the tool is called with.
    pub arguments: Option<JsonObject>,
}

impl PlainCall {
    /// The same as a message of the SDK.
    pub fn into_message(self) -> RxJsonRpcMessage<RoleServer> {
        let mut call = CallToolRequestParams::new(self.tool);
        call.arguments = self.arguments;
        let request = ClientRequest::CallToolRequest(Request::new(call));
        JsonRpcMessage::Request(JsonRpcRequest::new(self.id, request))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlainMessage {
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

/// The call in these bytes, if they are one.
pub fn read(bytes: &[u8]) -> Option<PlainCall> {
    let PlainMessage { id, params, .. } = serde_json::from_slice(bytes).ok()?;
    Some(PlainCall { id, tool: params.name, arguments: params.arguments })
}

#[cfg(test)]
mod tests;
