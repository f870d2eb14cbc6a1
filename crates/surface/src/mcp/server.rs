//! The MCP server handler: lists the tools of the catalog in service and turns tool calls into dispatched calls.
//!
//! A panic in one call fails that call only; a cancelled call is dropped, which closes its upstream connection.

use super::session::{Belonging, Process};
use super::tools::{ToolSet, tool_set};
use aqueduct_dispatch::{Catalog, Dispatcher};
use aqueduct_operations::call::{Call, Door, SessionId};
use aqueduct_operations::failure::wording;
use aqueduct_operations::reply::Reply;
use futures::FutureExt;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult,
    ErrorCode, ErrorData, Implementation, InitializeRequestParams, InitializeResult, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Map, Value};
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError};

/// One connection's view of the server. Cheap to clone.
#[derive(Debug, Clone)]
pub struct AqlServer {
    dispatcher: Arc<Dispatcher>,
    belonging: Arc<dyn Belonging>,
    described: Arc<Mutex<Option<Described>>>,
}

/// The tools of one catalog. Kept until another catalog is in service.
#[derive(Debug, Clone)]
struct Described {
    catalog: Arc<Catalog>,
    tools: Arc<ToolSet>,
}

impl AqlServer {
    /// A server for one session, which is the process's only one.
    pub fn new(dispatcher: Arc<Dispatcher>, session: SessionId) -> AqlServer {
        AqlServer { dispatcher, belonging: Arc::new(Process(session)), described: Arc::default() }
    }

    /// The same server for a connection of its own. What was worked out about the tools is shared.
    pub(crate) fn for_connection(&self, belonging: Arc<dyn Belonging>) -> AqlServer {
        AqlServer {
            dispatcher: Arc::clone(&self.dispatcher),
            belonging,
            described: Arc::clone(&self.described),
        }
    }

    fn tools(&self) -> Arc<ToolSet> {
        let catalog = self.dispatcher.catalog();
        let mut described = self.described.lock().unwrap_or_else(PoisonError::into_inner);
        match described.as_ref().filter(|known| Arc::ptr_eq(&known.catalog, &catalog)) {
            Some(known) => Arc::clone(&known.tools),
            None => {
                let tools = Arc::new(tool_set(&catalog));
                *described = Some(Described { catalog, tools: Arc::clone(&tools) });
                tools
            }
        }
    }

    /// Runs one call to its answer, whatever happens in it.
    async fn answer(&self, arguments: Map<String, Value>, door: Door, session: SessionId) -> Reply {
        let call = Call { arguments, door, session: session.clone() };
        match AssertUnwindSafe(self.dispatcher.call(call)).catch_unwind().await {
            Ok(reply) => reply,
            Err(_) => {
                tracing::error!(target: "aqueduct::call", %session, "a call panicked");
                Reply::Failure(wording::internal("the call panicked").with("session_id", session.as_str()))
            }
        }
    }
}

impl ServerHandler for AqlServer {
    fn get_info(&self) -> ServerConfig {
        let tools = self.tools();
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("aqueduct", env!("CARGO_PKG_VERSION")))
            .with_instructions(tools.instructions.clone())
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        self.belonging.open().map_err(|full| ErrorData::internal_error(full.to_string(), None))?;
        context.peer.set_peer_info(request.clone());
        self.negotiate_initialize(&request)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        guarded(async {
            let tools = self.tools().tools.iter().map(|(tool, _)| tool.clone()).collect();
            Ok(ListToolsResult::with_all_items(tools))
        })
        .await
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools().find(name).map(|(tool, _)| tool.clone())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        guarded(async {
            let tools = self.tools();
            let Some((_, door)) = tools.find(&request.name) else {
                let known: Vec<&str> = tools.tools.iter().map(|(tool, _)| tool.name.as_ref()).collect();
                let asked = printable(&request.name);
                let message = format!("Unknown tool '{asked}'. Known tools: {}", known.join(", "));
                return Err(ErrorData::invalid_params(message, None));
            };
            let session = self.belonging.session_of(&context.extensions);
            let mut arguments = request.arguments.unwrap_or_default();
            if context.meta.get("http") == Some(&Value::Bool(true)) {
                ask_for_http_facts(&mut arguments);
            }
            tokio::select! {
                // The client has stopped listening, so what is answered here goes nowhere.
                () = context.ct.cancelled() => Err(ErrorData::internal_error("The call was cancelled", None)),
                reply = self.answer(arguments, door.clone(), session) => Ok(tool_result(&reply).into()),
            }
        })
        .await
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let message =
            format!("Unknown method '{}'. Use tools/list and tools/call.", printable(&request.method));
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None))
    }
}

/// What a client wrote, short and clean enough for a message.
fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(80).collect()
}

/// A defect outside of a call is the server's own failure and told as such (MCP document, section 4.2).
async fn guarded<T>(work: impl Future<Output = Result<T, ErrorData>>) -> Result<T, ErrorData> {
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or_else(|_| {
        tracing::error!(target: "aqueduct::call", "the server panicked outside of a call");
        Err(ErrorData::internal_error("Internal error of the server", None))
    })
}

/// `_meta` may stand beside the arguments too, as MCP has it; inside they are one place.
fn ask_for_http_facts(arguments: &mut Map<String, Value>) {
    let meta = arguments.entry("_meta").or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(meta) = meta {
        meta.insert("http".to_owned(), Value::Bool(true));
    }
}

/// One text block with the whole answer, and `isError` always written out.
pub fn tool_result(reply: &Reply) -> CallToolResult {
    let content = vec![ContentBlock::text(reply.to_json())];
    if reply.is_error() { CallToolResult::error(content) } else { CallToolResult::success(content) }
}

#[cfg(test)]
mod tests {
    use super::guarded;
    use rmcp::model::ErrorData;

    /// M4.2-5: a defect of the server itself is JSON-RPC's internal error, without what it said.
    #[tokio::test]
    async fn defects_of_the_server() {
        let broken: Result<(), ErrorData> = guarded(async { panic!("a secret") }).await;
        let error = broken.unwrap_err();
        assert_eq!((error.code.0, error.message.as_ref()), (-32603, "Internal error of the server"));
        assert_eq!(guarded(async { Ok(5) }).await.unwrap(), 5);
    }
}
