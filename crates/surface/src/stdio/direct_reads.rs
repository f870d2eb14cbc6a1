//! Calls that need nothing of the SDK, over stdio: they only read, and ask their client nothing on the way.
//!
//! A plain call in; out, the same as something that runs by itself, or the call again where the SDK has to take it. The SDK
//! takes every call through a channel and tasks of its own, which is a sixth of what a short one costs. What runs here is
//! answered to the letter as the SDK does (decision 0071, which has the same over HTTP).

use crate::mcp::AqlServer;
use crate::mcp::plain_call::PlainCall;
use crate::mcp::server::PlainRead;
use crate::mcp::session::CallSender;
use aqueduct_operations::call::{Caller, Scopes, SessionId};

/// Takes such calls, once the session is open.
pub struct DirectReads {
    server: AqlServer,
    sender: CallSender,
    is_open: bool,
}

impl DirectReads {
    /// For the one session of a process.
    pub fn new(server: AqlServer, session: SessionId) -> DirectReads {
        let sender = CallSender { session, caller: Caller::local(), scopes: Scopes::unrestricted() };
        DirectReads { server, sender, is_open: false }
    }

    /// The client has said that the handshake is done. What comes before is the SDK's.
    pub fn open(&mut self) {
        self.is_open = true;
    }

    /// What runs without the SDK; any other call is given back.
    pub fn begin(&self, call: PlainCall) -> Result<PlainRead, PlainCall> {
        if self.is_open { self.server.plain_read(call, self.sender.clone()) } else { Err(call) }
    }
}
