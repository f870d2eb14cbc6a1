//! The MCP server handler: lists the tools of the catalog in service and turns tool calls into dispatched calls.
//!
//! A panic in one call fails that call only, which dispatch sees to; one outside of a call is answered here. A cancelled call
//! is dropped, which closes its upstream connection.

mod calls;
mod plain_read;

use super::changes;
use super::describe::search_call;
use super::elicitation::ParkedCalls;
use super::session::{CallSender, ProcessSession, SessionResolver};
use super::tasks;
use super::tools::{ToolSet, tool_set, tool_set_of};
use aqueduct_dispatch::{Catalog, Dispatcher};
use aqueduct_operations::call::SessionId;
use aqueduct_operations::example::request_showing;
use aqueduct_operations::failure::Code;
use aqueduct_operations::failure::wording::echo;
use aqueduct_operations::naming::snake_case;
use aqueduct_operations::reply::Reply;
use aqueduct_operations::target::BuiltIn;
use futures::FutureExt;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelTaskParams, CompleteRequestParams,
    CompleteResult, ContentBlock, CustomRequest, CustomResult, ErrorCode, ErrorData, Extensions,
    GetTaskParams, GetTaskResult, Implementation, InitializeRequestParams, InitializeResult,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, SubscriptionFilter, Tool,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Map, json};
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError};
use tokio_util::sync::CancellationToken;

pub(crate) use plain_read::{PlainRead, cancelled};

/// One connection's view of the server. Cheap to clone.
#[derive(Debug, Clone)]
pub struct AqlServer {
    dispatcher: Arc<Dispatcher>,
    sessions: Arc<dyn SessionResolver>,
    described: Arc<Mutex<Option<Described>>>,
    connected: Arc<ConnectionGuard>,
    /// Calls that wait for their client, whichever connection it comes back on.
    parking: Arc<ParkedCalls>,
    /// Cancelled when no more requests are wanted: clients that only listen are disconnected.
    closing: CancellationToken,
}

/// Lasts as long as a connection is served; what goes on beside it ends with it.
#[derive(Debug, Default)]
struct ConnectionGuard(CancellationToken);

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// The tools of one catalog. Kept until another catalog is in service.
#[derive(Debug, Clone)]
struct Described {
    catalog: Arc<Catalog>,
    tools: Arc<ToolSet>,
}

impl AqlServer {
    /// A server for one session, which is the process's only one.
    pub fn new(dispatcher: Arc<Dispatcher>, session: SessionId, closing: CancellationToken) -> AqlServer {
        let sessions = Arc::new(ProcessSession(session));
        dispatcher.prepare_search();
        dispatcher.follow_executions();
        AqlServer {
            dispatcher,
            sessions,
            described: Arc::default(),
            connected: Arc::default(),
            parking: Arc::default(),
            closing,
        }
    }

    /// The same server for a connection of its own. What was worked out about the tools is shared.
    pub(crate) fn for_connection(&self, sessions: Arc<dyn SessionResolver>) -> AqlServer {
        AqlServer { sessions, connected: Arc::default(), ..self.clone() }
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

    /// The tools as the sender of a request may see them; those of everybody, where no one has said who it is.
    fn tools_for(&self, request: &Extensions) -> Arc<ToolSet> {
        let catalog = self.dispatcher.catalog();
        let sender = if catalog.is_the_same_for_all() { None } else { self.sessions.sender_of(request) };
        let Some(CallSender { caller, scopes, .. }) = sender else { return self.tools() };
        let view = catalog.view_of(&caller, &scopes);
        if view.is_common() { self.tools() } else { Arc::new(tool_set_of(&view)) }
    }

    /// What to say of a tool that does not exist. Models call operations as if they were tools: the error says how.
    fn unknown_tool(&self, call: &CallToolRequestParams, request: &Extensions) -> ErrorData {
        let requested = call.name.as_ref();
        let (catalog, tools) = (self.dispatcher.catalog(), self.tools_for(request));
        let view = match self.sessions.sender_of(request) {
            Some(CallSender { caller, scopes, .. }) => catalog.view_of(&caller, &scopes),
            None => catalog.common_view(),
        };
        let none = Map::new();
        let sample = catalog.request_of_call(requested, call.arguments.as_ref().unwrap_or(&none));
        let found = view.find(&snake_case(requested));
        let requested = echo(requested);
        if let Some((_, entry, _)) = found {
            let (tool, name) = (catalog.exposure().tool_of(entry), &entry.public_name);
            let message = format!(
                "Unknown tool '{requested}'. It is an operation: call the tool '{tool}' with {{\"operation\": \"{name}\"}} and \
                 its parameters in \"params\"."
            );
            let data = json!({"name": tool, "arguments": request_showing(entry, &[])});
            return ErrorData::invalid_params(message, Some(data));
        }
        let known: Vec<&str> = tools.tools.iter().map(|(tool, _)| tool.name.as_ref()).collect();
        let tool = catalog.exposure().introspect_tool();
        let message = format!(
            "Unknown tool '{requested}'. Known tools: {}. To find an operation call '{tool}' with {}.",
            known.join(", "),
            search_call(&sample)
        );
        let params = json!({"query": "search", "search": sample});
        let data = json!({"name": tool, "arguments": {"operation": "introspect", "params": params}});
        ErrorData::invalid_params(message, Some(data))
    }
}

impl ServerHandler for AqlServer {
    fn get_info(&self) -> ServerConfig {
        let tools = self.tools();
        let builder = ServerCapabilities::builder().enable_tools().enable_tool_list_changed();
        let capabilities = match self.dispatcher.catalog().starts_executions() {
            true => builder.enable_tasks().build(),
            false => builder.build(),
        };
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("aqueduct", env!("CARGO_PKG_VERSION")))
            .with_instructions(tools.instructions.clone())
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        self.sessions.open();
        context.peer.set_peer_info(request.clone());
        let result = self.negotiate_initialize(&request)?;
        let instructions = self.tools_for(&context.extensions).instructions.clone();
        Ok(result.with_instructions(instructions))
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let Some(CallSender { session, caller, .. }) = self.sessions.sender_of(&context.extensions) else {
            return;
        };
        tracing::info!(target: "aqueduct::session", %session, caller = caller.name(), "session begun");
        let over = self.connected.0.clone();
        tokio::spawn(changes::notify_session(self.dispatcher.replaced(), context.peer, over));
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        let mut accepted = SubscriptionFilter::new();
        accepted.tools_list_changed = requested.tools_list_changed;
        Some(accepted)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let telling = changes::notify_subscriber(self.dispatcher.replaced(), &context);
        self.closing.run_until_cancelled(telling).await;
        Ok(())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        guarded(async {
            let tools =
                self.tools_for(&context.extensions).tools.iter().map(|(tool, _)| tool.clone()).collect();
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
            let Some((_, endpoint)) = tools.find(&request.name) else {
                return Err(self.unknown_tool(&request, &context.extensions));
            };
            Box::pin(self.run(request, endpoint.clone(), &context)).await
        })
        .await
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        guarded(async {
            let state = self.ask_execution(BuiltIn::GetExecution, &request.task_id, &context).await?;
            let times = self.dispatcher.execution_times(&request.task_id).await;
            tasks::detailed(&state, times).map(GetTaskResult::new)
        })
        .await
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        guarded(async {
            let reply = self.ask_execution(BuiltIn::CancelExecution, &request.task_id, &context).await?;
            // A task that is over already stays as it is, which the next look at it shows.
            match reply.failure().filter(|failure| failure.code != Code::ConflictInvalidState) {
                Some(failure) => Err(tasks::no_task(Some(failure))),
                None => Ok(()),
            }
        })
        .await
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(unknown_method(&request.method))
    }

    // What the SDK would answer with nothing, though this server declares none of it.

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Err(unknown_method("prompts/list"))
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Err(unknown_method("resources/list"))
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Err(unknown_method("resources/templates/list"))
    }

    async fn complete(
        &self,
        _request: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Err(unknown_method("completion/complete"))
    }
}

fn unknown_method(method: &str) -> ErrorData {
    let message = format!("Unknown method '{}'. Use tools/list and tools/call.", echo(method));
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None)
}

/// A defect outside of a call is the server's own failure and reported as such (MCP document, section 4.2).
async fn guarded<T>(work: impl Future<Output = Result<T, ErrorData>>) -> Result<T, ErrorData> {
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or_else(|_| {
        tracing::error!(target: "aqueduct::call", "the server panicked outside of a call");
        Err(ErrorData::internal_error("Internal error of the server", None))
    })
}

/// One text block with the whole response, and `isError` always written out.
pub fn tool_result(reply: &Reply) -> CallToolResult {
    let content = vec![ContentBlock::text(reply.to_json())];
    if reply.is_error() { CallToolResult::error(content) } else { CallToolResult::success(content) }
}

#[cfg(test)]
mod tests;
