//! The library in a program: operations of one's own, confirming, cancelling, streams, an OpenAPI document, other MCP servers,
//! schemas and scans. Each function shows one thing; `docs/library.md` is made of the same blocks, and a test sees to it.
//!
//! `cargo run -p aqueduct --example library` serves the first of them over standard input and output.

use aqueduct::mcp_client::{ClientSettings, OnFailure, ProcessEnvironment};
use aqueduct::serde_json::{Map, Value, json};
use aqueduct::{
    AccessControl, Aqueduct, Boxed, BuildError, CancellationToken, ConnectPermit, DiskFs, Envelope, Handler,
    HandlerCall, HandlerError, HttpServiceConfig, McpClients, OperationKind, OperationSpec, Progress,
    ProgressListener, Reply, ReplyError, Route, ServerConfig, ServerTransport, SourceSettings, axum,
    from_openapi, from_schema, scan,
};
use futures::StreamExt;
use std::error::Error;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let aqueduct = with_an_operation(Path::new("examples/todo-adapter.md"))?;
    aqueduct.serve_stdio(CancellationToken::new()).await?;
    Ok(())
}

/// What the operation of this program is.
pub fn get_stock() -> OperationSpec {
    OperationSpec {
        name: "get_stock".to_owned(),
        namespace: "shop".to_owned(),
        version: "1.0.0".to_owned(),
        kind: OperationKind::Query,
        description: "Get the number of copies of a book".to_owned(),
        input_schema: json!({
            "type": "object",
            "required": ["title"],
            "properties": { "title": { "type": "string", "minLength": 1 } },
        }),
        output_schema: json!({
            "type": "object",
            "properties": { "title": { "type": "string" }, "copies": { "type": "integer" } },
        }),
        access_control: AccessControl { required_scopes: vec!["stock:read".to_owned()] },
    }
}

/// An operation with its function, beside an adapter file.
pub fn with_an_operation(adapter: &Path) -> Result<Aqueduct, BuildError> {
    Aqueduct::builder()
        .operation(get_stock(), |values: Map<String, Value>| async move {
            Ok(json!({ "title": values["title"], "copies": 3 }))
        })
        .source(adapter, SourceSettings::default())
        .build()
}

/// Calls it by its name.
pub async fn call_it(aqueduct: &Aqueduct) -> Reply {
    let params = Map::from_iter([("title".to_owned(), json!("Emma"))]);
    aqueduct.call_operation("shop__get_stock", params).await
}

/// A handler with a life of its own: it says where its result comes from, and what it would do.
#[derive(Debug)]
pub struct Stock {
    /// Copies of every book.
    pub copies: u32,
}

impl Handler for Stock {
    fn run<'a>(&'a self, run: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        Box::pin(async move {
            match run.values["title"].as_str() {
                Some("Dracula") => {
                    return Err(HandlerError::unavailable("Dracula is being counted; ask again tomorrow"));
                }
                Some("Ulysses") => return Err(HandlerError::not_found("There is no book named Ulysses")),
                _ => {}
            }
            if let Some(listener) = &run.listener {
                listener.on_progress(1.0, Some(2.0), Some("Counting".to_owned()));
            }
            let data = json!({ "title": run.values["title"], "copies": self.copies });
            Ok(Envelope::local("shop.get_stock", data))
        })
    }

    fn preview(&self, values: &Map<String, Value>) -> Value {
        json!({ "counts": values["title"] })
    }
}

/// The same operation, its specification and its handler registered apart.
pub fn registered_apart() -> Result<Aqueduct, BuildError> {
    Aqueduct::builder()
        .operation_spec(get_stock())
        .handler("shop.get_stock", Arc::new(Stock { copies: 3 }))
        .build()
}

/// The copies, or why they are not known.
pub fn copies(reply: &Reply) -> Result<u64, String> {
    match reply.read::<Value>() {
        Ok(data) => Ok(data["copies"].as_u64().unwrap_or(0)),
        Err(ReplyError::Failed(failure)) => Err(format!("{}: {}", failure.code.name(), failure.message)),
        Err(other) => Err(other.to_string()),
    }
}

/// Deletes a to-do, after a person was asked.
pub async fn delete_a_todo(
    aqueduct: &Aqueduct,
    agrees: impl Fn(&str) -> bool,
) -> Result<Value, Box<dyn Error>> {
    let session = aqueduct.session();
    let params = Map::from_iter([("todo_id".to_owned(), json!("1"))]);
    let reply = session.call("todo__delete_todo", params.clone()).await;
    let Some(token) = reply.confirmation_token() else { return Ok(reply.read()?) };
    let question = reply.failure().map(|failure| failure.message.clone()).unwrap_or_default();
    if !agrees(&question) {
        return Err("the person said no".into());
    }
    Ok(session.confirm("todo__delete_todo", params, token).await.read()?)
}

/// What a call told on its way.
#[derive(Debug, Default)]
pub struct Notes(pub Mutex<Vec<String>>);

impl ProgressListener for Notes {
    fn on_progress(&self, progress: Progress) {
        if let Ok(mut notes) = self.0.lock() {
            notes.push(progress.message);
        }
    }
}

/// Calls it, and gives up when it takes too long.
pub async fn with_patience(aqueduct: &Aqueduct, notes: Arc<Notes>, patience: Duration) -> Option<Reply> {
    let session = aqueduct.session().telling(notes);
    let params = Map::from_iter([("title".to_owned(), json!("Emma"))]);
    tokio::time::timeout(patience, session.call("get_stock", params)).await.ok()
}

/// MCP clients connect to `/ai/mcp`, or to `/mcp`; `/healthz` is the program's own.
pub fn beside_routes(aqueduct: &Aqueduct) -> axum::Router {
    axum::Router::new()
        .route("/healthz", axum::routing::get(|| async { "all is well" }))
        .merge(aqueduct.router_of(&[Route::Mcp]))
        .nest("/ai", aqueduct.router())
}

/// The name by which the server answers a client, over streams in memory.
pub async fn over_streams(aqueduct: &Aqueduct) -> Result<Value, Box<dyn Error>> {
    let (client, server) = tokio::io::duplex(64 * 1024);
    let (input, output) = tokio::io::split(server);
    let stop = CancellationToken::new();
    let serving = aqueduct.clone();
    let stopped = stop.clone();
    let task = tokio::spawn(async move { serving.serve_streams(input, output, stopped).await });
    let (answers, mut requests) = tokio::io::split(client);
    let hello = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "a test", "version": "1.0.0" },
        },
    });
    requests.write_all(format!("{hello}\n").as_bytes()).await?;
    let mut line = String::new();
    BufReader::new(answers).read_line(&mut line).await?;
    stop.cancel();
    task.await??;
    let answer: Value = aqueduct::serde_json::from_str(&line)?;
    Ok(answer["result"]["serverInfo"]["name"].clone())
}

/// Operation files of a directory, with a handler from here; what cannot be used is named.
pub fn from_a_directory(directory: &Path) -> Result<(Aqueduct, Vec<String>), BuildError> {
    let found = scan(directory, &DiskFs);
    let skipped = found.skipped.iter().map(|skipped| skipped.file.display().to_string()).collect();
    let aqueduct = Aqueduct::builder()
        .source(directory, SourceSettings::default())
        .handler("shop.get_stock", Arc::new(Stock { copies: 3 }))
        .build()?;
    Ok((aqueduct, skipped))
}

/// Checks and fits a value.
pub fn with_a_schema() -> (Vec<String>, Value) {
    let schema = from_schema(&get_stock().output_schema);
    let problems = schema.problems(&json!({ "copies": "three" }));
    let problems = problems.into_iter().map(|each| format!("{}: {}", each.place, each.expected)).collect();
    let fitted = schema.normalise(&json!({ "title": "Emma", "copies": 3, "shelf": "B4" }));
    (problems, fitted.value)
}

/// Operations of a document, without a server around them.
pub fn from_a_document(document: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let service = HttpServiceConfig::new("tasks", "http://127.0.0.1:3000");
    let found = from_openapi(document, &service)?;
    Ok(found.operations.iter().map(|operation| operation.spec.name.clone()).collect())
}

/// The first event that an operation of a document gives.
pub async fn first_event(document: &str, name: &str, base_url: &str) -> Result<Value, Box<dyn Error>> {
    let found = from_openapi(document, &HttpServiceConfig::new("events", base_url))?;
    let operation = found.operations.iter().find(|each| each.spec.name == name).ok_or("no such operation")?;
    let mut events = operation.subscribe(&Map::new()).await?;
    let first = events.next().await.ok_or("it ended")??;
    Ok(first.data)
}

/// Tools of another MCP server, without a server around them.
pub async fn of_another_server(script: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let clients = McpClients::start(ClientSettings::default(), Arc::new(ProcessEnvironment))?;
    let weather = ServerConfig {
        name: "weather".to_owned(),
        reach: ServerTransport::Stdio {
            command: "sh".to_owned(),
            args: vec![script.display().to_string()],
            env: Vec::new(),
            cwd: None,
        },
        timeout: Duration::from_secs(60),
    };
    let permit = ConnectPermit::named_by_operator(weather);
    let loaded = clients.load([permit], OnFailure::KeepOthers).await.unwrap_or_default();
    let tools = loaded.clients.iter().filter_map(|client| client.listing()).flat_map(|listing| {
        listing.tools.iter().filter_map(|tool| tool["name"].as_str().map(str::to_owned)).collect::<Vec<_>>()
    });
    let names = tools.collect();
    clients.close_all().await;
    Ok(names)
}
