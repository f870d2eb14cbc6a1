//! Bytes off the wire in; out, the MCP message, or what to answer to bytes that are no clean message.
//!
//! Used by every transport, so that all of them say the same.
//! A tool call gets a tool result with the proper code (core specification, sections 4.7.1 and 4.7.5); anything else
//! gets the JSON-RPC error that fits (MCP document, section 4.2).

mod summary;

use aqueduct_operations::call::SessionId;
use aqueduct_operations::failure::{Failure, wording};
use aqueduct_operations::json_text::{PARSER_DEPTH, lone_surrogate};
use aqueduct_operations::limits::Limits;
use rmcp::RoleServer;
use rmcp::model::{ClientRequest, JsonRpcMessage};
use rmcp::service::RxJsonRpcMessage;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use summary::{MessageSummary, summarize};

/// `tools/call` wraps the arguments in two objects: the message and its params.
const WRAPPING: usize = 2;

/// Room in a message for what stands around the arguments, and for escapes.
const SLACK: usize = 1024 * 1024;

/// The most bytes of a message that are read. What lies between this and the limit gets its response from dispatch.
pub fn most_bytes(limits: &Limits) -> usize {
    usize::try_from(limits.max_request_size).unwrap_or(usize::MAX).saturating_mul(2).saturating_add(SLACK)
}

/// The message in these bytes, if there is a clean one that is no plain call.
pub fn other_message(bytes: &[u8]) -> Option<RxJsonRpcMessage<RoleServer>> {
    serde_json::from_slice(bytes).ok().filter(|message| !is_misfit(message, bytes))
}

/// A request of ours whose parameters do not fit: the SDK takes it for a method that it does not know.
fn is_misfit(message: &RxJsonRpcMessage<RoleServer>, bytes: &[u8]) -> bool {
    const OURS: [&str; 4] = ["initialize", "ping", "tools/call", "tools/list"];
    // Who names the version with each request has no handshake, and for those it is no method indeed.
    const VERSION: &[u8] = b"io.modelcontextprotocol/protocolVersion";
    match message {
        JsonRpcMessage::Request(request) => match &request.request {
            ClientRequest::CustomRequest(custom) if custom.method == "initialize" => {
                memchr::memmem::find(bytes, VERSION).is_none()
            }
            ClientRequest::CustomRequest(custom) => OURS.contains(&custom.method.as_str()),
            _ => false,
        },
        _ => false,
    }
}

/// The response to bytes that could not be read as a message.
pub fn answer_to_unreadable(bytes: &[u8], limits: &Limits, session: &SessionId) -> Option<Value> {
    let seen = summarize(bytes);
    let failure = if let Err(error) = std::str::from_utf8(bytes) {
        Some(wording::invalid_encoding(None, Some(error.valid_up_to() as u64)))
    } else if let Some(offset) = lone_surrogate(bytes, 0) {
        Some(wording::invalid_encoding(None, Some(offset as u64)))
    } else if seen.depth > PARSER_DEPTH {
        let depth = seen.depth.saturating_sub(WRAPPING) as u64;
        Some(wording::payload_too_large("nesting_depth", limits.max_nesting_depth, depth, "levels"))
    } else if has_number_out_of_range(bytes) {
        Some(wording::number_out_of_range())
    } else {
        None
    };
    match failure {
        Some(failure) => answer_failure(&seen, failure, session),
        None => answer_misfit(bytes, &seen),
    }
}

/// The response to a message over the cap, of which only the head is known.
pub fn answer_to_oversized(head: &[u8], length: u64, limits: &Limits, session: &SessionId) -> Option<Value> {
    let failure = wording::payload_too_large("request_size", limits.max_request_size, length, "bytes");
    answer_failure(&summarize(head), failure, session)
}

/// The response to a message that is not run for this reason; nothing where it is no request.
pub fn answer_to_unrun(bytes: &[u8], why: &str) -> Option<Value> {
    let seen = summarize(bytes);
    let (id, _method) = (seen.id?, seen.method?);
    Some(error(id, if is_initialize(bytes) { -32600 } else { -32000 }, why))
}

/// True for the request that begins a session.
pub fn is_initialize(bytes: &[u8]) -> bool {
    summarize(bytes).method.as_deref() == Some("initialize")
}

/// The response to a request whose id is taken.
pub fn answer_to_refused(id: &Value, refusal: RequestRefusal) -> Value {
    match refusal {
        RequestRefusal::RepeatedId => {
            error(id.clone(), -32600, "Invalid request: another request with this id is still running")
        }
        RequestRefusal::TooMany { most } => {
            let words = format!(
                "Too many requests: {most} of this client are still running. Wait for some of their responses, then send it again"
            );
            error(id.clone(), -32000, &words)
        }
    }
}

/// Why a request is not run.
#[derive(Debug, Clone, Copy)]
pub enum RequestRefusal {
    /// Another one with its id is still to be answered.
    RepeatedId,
    /// So many are.
    TooMany {
        /// The most that may be.
        most: usize,
    },
}

fn answer_failure(seen: &MessageSummary, failure: Failure, session: &SessionId) -> Option<Value> {
    match (&seen.id, seen.method.as_deref()) {
        (Some(id), Some("tools/call")) => {
            let failure = failure.with("session_id", session.as_str());
            let content = json!([{"type": "text", "text": failure.to_value().to_string()}]);
            Some(
                json!({"jsonrpc": "2.0", "id": id, "result": {"content": content, "isError": failure.is_error()}}),
            )
        }
        (Some(id), _) => Some(error(id.clone(), -32600, &failure.message)),
        (None, Some(method)) if method.starts_with("notifications/") => None,
        (None, _) => Some(error(Value::Null, -32600, &failure.message)),
    }
}

/// JSON that only a reader which keeps no numbers can read. The other reasons for that must have been ruled out.
fn has_number_out_of_range(bytes: &[u8]) -> bool {
    serde_json::from_slice::<Value>(bytes).is_err() && serde_json::from_slice::<IgnoredAny>(bytes).is_ok()
}

/// Valid text that is not JSON, or JSON that is not an MCP message.
fn answer_misfit(bytes: &[u8], seen: &MessageSummary) -> Option<Value> {
    let id = seen.id.clone().unwrap_or(Value::Null);
    let invalid = |id, reason: &str| Some(error(id, -32600, &format!("Invalid request: {reason}")));
    let message = match serde_json::from_slice(bytes) {
        Err(_) => return Some(error(id, -32700, "Parse error: the message is not valid JSON")),
        Ok(Value::Array(_)) => {
            return invalid(
                Value::Null,
                "only sessions of protocol 2025-03-26 have batches. Send each message by itself",
            );
        }
        Ok(Value::Object(message)) => message,
        Ok(_) => return invalid(Value::Null, "a message is a JSON object"),
    };
    if message.get("jsonrpc") != Some(&Value::from("2.0")) {
        return invalid(id, "every message has \"jsonrpc\": \"2.0\"");
    }
    if seen.is_request_without_valid_id() {
        return invalid(Value::Null, "the id of a request is a string or a whole number");
    }
    let reason = match message.get("method").and_then(Value::as_str) {
        // Notifications that we do not know are none of our business.
        Some(_) if seen.id.is_none() => return None,
        Some("tools/call") => {
            "Invalid params: tools/call needs params with a tool name and, as arguments, an object".to_owned()
        }
        Some(method) => format!("Invalid params for the method '{}'", printable(method)),
        None => return invalid(id, "not a JSON-RPC 2.0 request, response or notification"),
    };
    Some(error(id, -32602, &reason))
}

/// JSON-RPC's error.
pub fn error(id: Value, code: i32, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}

fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(80).collect()
}

#[cfg(test)]
mod tests;
