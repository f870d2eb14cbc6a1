//! A fake MCP server over streamable HTTP, made with the SDK: the newest protocol and the older one.
//!
//! It offers as many tools as the test says; calls to certain names ask, tell their progress or hang until
//! cancelled, all others give back their arguments. The credentials of every request are kept. It listens on this
//! machine only and ends when it is dropped.

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ElicitRequest,
    ElicitRequestParams, ElicitationSchema, ErrorData, Implementation, InputRequest, InputRequests,
    InputRequiredResult, JsonObject, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam,
    ProtocolVersion, ServerCapabilities, ServerConfig, SubscriptionFilter, Tool,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::broadcast;
use url::Url;

/// Which protocol the server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaks {
    /// 2026-07-28 too.
    Newest,
    /// Up to 2025-11-25.
    Older,
}

/// A running server.
#[derive(Debug)]
pub struct WebServer {
    /// Its endpoint.
    pub url: Url,
    tools: Arc<AtomicUsize>,
    changed: broadcast::Sender<()>,
    cancelled: Arc<AtomicUsize>,
    seen: Arc<Mutex<Vec<String>>>,
    task: tokio::task::JoinHandle<()>,
}

#[derive(Clone)]
struct Fake {
    speaks: Speaks,
    tools: Arc<AtomicUsize>,
    changed: broadcast::Sender<()>,
    cancelled: Arc<AtomicUsize>,
}

impl WebServer {
    /// Starts one on this machine.
    pub async fn start(speaks: Speaks) -> WebServer {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (tools, changed) = (Arc::new(AtomicUsize::new(1)), broadcast::Sender::new(16));
        let cancelled = Arc::new(AtomicUsize::new(0));
        let fake = Fake {
            speaks,
            tools: Arc::clone(&tools),
            changed: changed.clone(),
            cancelled: Arc::clone(&cancelled),
        };
        let sessions = Arc::new(LocalSessionManager::default());
        let service = StreamableHttpService::new(
            move || Ok(fake.clone()),
            sessions,
            StreamableHttpServerConfig::default(),
        );
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let noted = Arc::clone(&seen);
        let note = axum::middleware::from_fn(
            move |request: axum::extract::Request, next: axum::middleware::Next| {
                let header = request.headers().get("authorization").and_then(|value| value.to_str().ok());
                noted
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(header.unwrap_or_default().to_owned());
                next.run(request)
            },
        );
        let app = axum::Router::new().nest_service("/mcp", service).layer(note);
        let task = tokio::spawn(async move {
            axum::serve(listener, app).await.ok();
        });
        let url = format!("http://{address}/mcp").parse().expect("an address");
        WebServer { url, tools, changed, cancelled, seen, task }
    }

    /// An address that sends everybody on to another.
    pub async fn redirecting_to(elsewhere: &Url) -> Url {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let elsewhere = elsewhere.to_string();
        let app = axum::Router::new().fallback(async move || axum::response::Redirect::temporary(&elsewhere));
        tokio::spawn(async move { axum::serve(listener, app).await });
        format!("http://{address}/mcp").parse().expect("an address")
    }

    /// Offers this many tools from now on, and says so.
    pub fn offer(&self, tools: usize) {
        self.tools.store(tools, Ordering::SeqCst);
        self.changed.send(()).ok();
    }

    /// How many calls were cancelled.
    pub fn cancelled(&self) -> usize {
        self.cancelled.load(Ordering::SeqCst)
    }

    /// The credentials of every request so far.
    pub fn credentials(&self) -> Vec<String> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for WebServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn object(value: Value) -> Arc<JsonObject> {
    Arc::new(value.as_object().cloned().unwrap_or_default())
}

fn question() -> ElicitRequestParams {
    let schema = ElicitationSchema::builder().required_bool("ok").build().expect("a schema");
    ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: "Really?".into(),
        requested_schema: schema,
    }
}

impl ServerHandler for Fake {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build();
        ServerConfig::new(capabilities).with_server_info(Implementation::new("fake-web", "2.0.0"))
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        let known = ProtocolVersion::KNOWN_VERSIONS;
        match self.speaks {
            Speaks::Newest => Cow::Borrowed(known),
            Speaks::Older => known.iter().filter(|version| version.has_initialize()).cloned().collect(),
        }
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let count = self.tools.load(Ordering::SeqCst);
        let tool = |number| Tool::new(format!("tool_{number}"), "A tool.", object(json!({"type": "object"})));
        Ok(ListToolsResult::with_all_items((0..count).map(tool).collect()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        Some(Tool::new(name.to_owned(), "A tool.", object(json!({"type": "object"}))))
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let mut changes = self.changed.subscribe();
        tokio::spawn(async move {
            while changes.recv().await.is_ok() && context.peer.notify_tool_list_changed().await.is_ok() {}
        });
    }

    fn accepted_subscription_filter(&self, _request: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(SubscriptionFilter::builder().tools_list_changed().build())
    }

    async fn listen(&self, subscription: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = self.changed.subscribe();
        loop {
            tokio::select! {
                () = subscription.cancelled() => return Ok(()),
                change = changes.recv() => match change {
                    Ok(()) => drop(subscription.sink().notify_tool_list_changed().await),
                    Err(_) => return Ok(()),
                },
            }
        }
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.clone().unwrap_or_default();
        match request.name.as_ref() {
            "ask" => self.ask(&request, &context).await,
            "steps" => {
                for step in 1..=3 {
                    if let Some(token) = context.meta.get_progress_token() {
                        let told = ProgressNotificationParam::new(token, f64::from(step)).with_total(3.0);
                        context.peer.notify_progress(told).await.ok();
                    }
                }
                Ok(CallToolResult::structured(json!({"steps": 3})).into())
            }
            "hang" => {
                context.ct.cancelled().await;
                self.cancelled.fetch_add(1, Ordering::SeqCst);
                Ok(CallToolResult::error(vec![ContentBlock::text("cancelled")]).into())
            }
            _ => {
                let version = context.protocol_version().map(|version| version.to_string());
                Ok(CallToolResult::structured(json!({"got": arguments, "version": version})).into())
            }
        }
    }
}

impl Fake {
    async fn ask(
        &self,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if context.protocol_version().is_none_or(|version| version.has_initialize()) {
            let answer = context.peer.create_elicitation(question()).await;
            let answer = answer.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
            return Ok(CallToolResult::structured(json!({"answer": answer})).into());
        }
        if let Some(responses) = &request.input_responses {
            let result = json!({"answer": responses["sure"], "state": request.request_state});
            return Ok(CallToolResult::structured(result).into());
        }
        let mut requests = InputRequests::new();
        requests.insert("sure".into(), InputRequest::Elicitation(ElicitRequest::new(question())));
        Ok(InputRequiredResult::new(Some(requests), Some("where I was".into())).into())
    }
}
