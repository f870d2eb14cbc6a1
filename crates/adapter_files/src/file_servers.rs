//! The MCP servers that adapter files name: their connector is behind a trait, because nothing here does IO.
//!
//! A server in; the connection whose handlers call its tools out. `NoServers` connects to nothing, for files that are only
//! looked at and for builds without MCP.

use aqueduct_operations::consent::{Consent, ConsentRequest};
use aqueduct_operations::handler::{Boxed, Envelope, Handler, HandlerCall, HandlerError, SealedHandler};
use aqueduct_operations::mcp::ServerConfig;
use aqueduct_source_kind::named_connection::NamedConnection;
use serde_json::{Map, Value, json};
use std::fmt::Debug;
use std::sync::Arc;
use url::Url;

/// The connector to the servers that files name.
pub trait FileServers: Debug + Send + Sync {
    /// Remembers that the operator gave this address: it may be on a private network, whatever its name says.
    fn trust_origin_of(&self, _url: &Url) {}

    /// The server that a file names. Nothing is started for it yet.
    fn named_by_file(self: Arc<Self>, config: ServerConfig) -> Arc<dyn NamedConnection> {
        Arc::new(UnconnectedServer(config))
    }
}

/// Connects to nothing.
#[derive(Debug, Clone, Copy)]
pub struct NoServers;

impl FileServers for NoServers {}

/// A server that stays unconnected.
#[derive(Debug)]
struct UnconnectedServer(ServerConfig);

impl NamedConnection for UnconnectedServer {
    fn consent_requests(&self) -> Vec<ConsentRequest> {
        self.0.consent_requests()
    }

    fn allow(&self, _consent: Arc<dyn Consent>) {}

    fn open(&self) {}

    fn handler(self: Arc<Self>, _tool: &str) -> SealedHandler {
        not_connected(&self.0.name)
    }
}

/// The code of a tool whose server is not connected to.
pub fn not_connected(server: &str) -> SealedHandler {
    SealedHandler::new(UnconnectedTool { server: server.to_owned() })
}

/// A tool of a server that is not connected to.
#[derive(Debug)]
struct UnconnectedTool {
    server: String,
}

impl Handler for UnconnectedTool {
    fn run<'a>(&'a self, _run: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        let message = format!("The MCP server '{}' cannot be started", self.server);
        Box::pin(async move { Err(HandlerError::Unavailable { message }) })
    }

    fn preview(&self, values: &Map<String, Value>) -> Value {
        json!({"server": self.server, "arguments": values})
    }
}
