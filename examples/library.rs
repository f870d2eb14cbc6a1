//! The library in a program: operations of one's own, an OpenAPI document, other MCP servers, schemas and scans. Each
//! function shows one thing; `docs/library.md` tells of them, and the tests of the documents run them.
//!
//! `cargo run -p aqueduct --example library` serves the first of them over standard input and output.

use aqueduct::mcp_client::{ClientSettings, OnFailure, Variables};
use aqueduct::{
    AccessControl, Aqueduct, Boxed, BuildError, DiskFs, Envelope, Handler, HandlerError, HttpServiceConfig,
    McpClients, OperationKind, OperationSpec, Reach, Reply, Run, ServerConfig, SourceSettings, from_openapi,
    from_schema, scan,
};
use serde_json::{Map, Value, json};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let aqueduct = with_an_operation()?;
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

/// An operation with its function, beside the embedded sample.
pub fn with_an_operation() -> Result<Aqueduct, BuildError> {
    Aqueduct::builder()
        .operation(get_stock(), |values: Map<String, Value>| async move {
            Ok(json!({ "title": values["title"], "copies": 3 }))
        })
        .source("demo", SourceSettings::default())
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
    fn run<'a>(&'a self, run: Run<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        Box::pin(async move {
            if run.values["title"] == "Dracula" {
                let message = "Dracula is being counted; ask again tomorrow".to_owned();
                return Err(HandlerError::Unavailable { message });
            }
            if let Some(listener) = &run.listener {
                listener.told(1.0, Some(2.0), Some("Counting".to_owned()));
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

/// Operation files of a directory, with a handler from here.
pub fn from_a_directory(directory: &Path) -> Result<Aqueduct, BuildError> {
    let found = scan(directory, &DiskFs);
    for skipped in &found.skipped {
        tracing::warn!(file = %skipped.file.display(), "cannot be used");
    }
    Aqueduct::builder()
        .source(directory, SourceSettings::default())
        .handler("shop.get_stock", Arc::new(Stock { copies: 3 }))
        .build()
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

/// Tools of another MCP server, without a server around them.
pub async fn of_another_server(script: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let clients = McpClients::start(ClientSettings::default(), Variables::new(|_| None))?;
    let weather = ServerConfig {
        name: "weather".to_owned(),
        reach: Reach::Stdio {
            command: "sh".to_owned(),
            args: vec![script.display().to_string()],
            env: Vec::new(),
            cwd: None,
        },
        timeout: Duration::from_secs(60),
    };
    let loaded = clients.load([weather], OnFailure::KeepOthers).await.unwrap_or_default();
    let tools = loaded.clients.iter().filter_map(|client| client.listing()).flat_map(|listing| {
        listing.tools.iter().filter_map(|tool| tool["name"].as_str().map(str::to_owned)).collect::<Vec<_>>()
    });
    let names = tools.collect();
    clients.close_all().await;
    Ok(names)
}
