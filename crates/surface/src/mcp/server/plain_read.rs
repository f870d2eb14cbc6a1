//! A call that needs nothing of its client on the way, from the call to the message that answers it.
//!
//! A plain call and its sender in; out, the bytes of its response, the same as the SDK would send.

use super::AqlServer;
use crate::mcp::call_response::call_response;
use crate::mcp::encoded::encoded;
use crate::mcp::plain_call::PlainCall;
use crate::mcp::session::CallSender;
use aqueduct_dispatch::Dispatcher;
use aqueduct_operations::call::{Call, CallOrigin, ToolEndpoint};
use rmcp::model::{ErrorData, RequestId, ServerJsonRpcMessage};
use std::sync::Arc;

/// A call that can be run without its client.
pub struct PlainRead {
    dispatcher: Arc<Dispatcher>,
    call: PlainCall,
    endpoint: ToolEndpoint,
    sender: CallSender,
}

impl AqlServer {
    /// A call that only reads and asks nothing; any other is given back.
    pub(crate) fn plain_read(&self, call: PlainCall, sender: CallSender) -> Result<PlainRead, PlainCall> {
        let catalog = self.dispatcher.catalog();
        let operation = call.arguments.as_ref().and_then(|arguments| {
            // What stands beside the operation may be about how the call is answered.
            let name = arguments.get("operation")?.as_str();
            name.filter(|_| !arguments.contains_key("_meta"))
        });
        if !operation.is_some_and(|name| catalog.runs_unattended(name)) {
            return Err(call);
        }
        let tools = self.tools();
        let Some((_, endpoint)) = tools.find(&call.tool) else { return Err(call) };
        let (dispatcher, endpoint) = (Arc::clone(&self.dispatcher), endpoint.clone());
        Ok(PlainRead { dispatcher, call, endpoint, sender })
    }
}

impl PlainRead {
    /// The call again, which was not run.
    pub fn into_call(self) -> PlainCall {
        self.call
    }

    /// The id of its request.
    pub fn id(&self) -> &RequestId {
        &self.call.id
    }

    /// Runs it.
    pub async fn run(self) -> Vec<u8> {
        let PlainRead { dispatcher, call, endpoint, sender } = self;
        let CallSender { session, caller, scopes } = sender;
        let origin = CallOrigin { endpoint, ..CallOrigin::new(session, caller, scopes) };
        let running = Call { arguments: call.arguments.unwrap_or_default(), origin };
        let reply = dispatcher.call(running).await;
        or_failure(call_response(&call.id, &reply))
    }
}

/// What a call is answered that was cancelled.
pub fn cancelled(request: RequestId) -> Vec<u8> {
    let error = ErrorData::internal_error("The call was cancelled", None);
    or_failure(encoded(&ServerJsonRpcMessage::error(error, Some(request))))
}

fn or_failure(written: serde_json::Result<Vec<u8>>) -> Vec<u8> {
    const FAILED: &[u8] =
        br#"{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Internal error of the server"}}"#;
    written.unwrap_or_else(|error| {
        tracing::error!(target: "aqueduct::call", %error, "a response could not be written as JSON");
        FAILED.to_vec()
    })
}
