//! What makes the code behind the tools of other MCP servers. Sources know no MCP: a build that does brings this along.
//!
//! A server and the name of a tool in; the handler that calls it out.

use aqueduct_operations::handler::SealedHandler;
use aqueduct_operations::mcp::ServerConfig;
use std::fmt;
use std::sync::Arc;

type MakeHandler = dyn Fn(&ServerConfig, &str) -> SealedHandler + Send + Sync;

/// Makes the handler of a tool: a server and the tool's name on it in, the code that calls it out.
#[derive(Clone)]
pub struct HandlerFactory(Arc<MakeHandler>);

impl HandlerFactory {
    /// A factory that this function is.
    pub fn new(
        make: impl Fn(&ServerConfig, &str) -> SealedHandler + Send + Sync + 'static,
    ) -> HandlerFactory {
        HandlerFactory(Arc::new(make))
    }

    /// The handler of one tool.
    pub fn make(&self, server: &ServerConfig, tool: &str) -> SealedHandler {
        (self.0)(server, tool)
    }
}

impl fmt::Debug for HandlerFactory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HandlerFactory").finish_non_exhaustive()
    }
}
