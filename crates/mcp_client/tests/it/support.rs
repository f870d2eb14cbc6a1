//! Short ways to start clients and to run tools.

use aqueduct_mcp_client::{Backoff, ClientEvent, ClientSettings, McpClient, McpClients, ToolCall};
use aqueduct_operations::call::SessionId;
use aqueduct_operations::gatekeeper::{ConnectPermit, ProgramPermit};
use aqueduct_operations::handler::{
    Elicitor, Envelope, HandlerError, HandlerProgress, HandlerValues, SealedHandler, run_handler,
};
use aqueduct_operations::mcp::{ServerConfig, ServerTransport};
use aqueduct_testkit::environment::TestEnvironment;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast;

/// The longest wait for anything that must happen.
pub const LONG: Duration = Duration::from_secs(60);

/// A program among the examples of this crate.
pub fn example(name: &str) -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    path.join("examples").join(name)
}

pub fn variables() -> Arc<TestEnvironment> {
    let variables =
        TestEnvironment::with(&[("GIVEN_SECRET", "given-s3cret"), ("OTHER_SECRET", "other-s3cret")]);
    for name in ["PATH", "HOME"] {
        std::env::var(name).iter().for_each(|value| variables.set(name, value));
    }
    Arc::new(variables)
}

pub fn settings() -> ClientSettings {
    ClientSettings {
        backoff: Backoff { first: Duration::from_millis(20), longest: Duration::from_millis(100) },
        ..ClientSettings::default()
    }
}

pub fn clients() -> McpClients {
    McpClients::start(settings(), variables()).unwrap()
}

/// The fake server under this name.
pub fn fake(name: &str, args: &[&str]) -> ServerConfig {
    program(name, example("fake_server").to_str().unwrap(), args)
}

pub fn program(name: &str, command: &str, args: &[&str]) -> ServerConfig {
    let reach = ServerTransport::Stdio {
        command: command.to_owned(),
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        env: Vec::new(),
        cwd: None,
    };
    ServerConfig { name: name.to_owned(), reach, timeout: LONG }
}

/// Adds a server as the operator does.
pub fn add(clients: &McpClients, config: ServerConfig) -> McpClient {
    clients.add(ConnectPermit::named_by_operator(config))
}

/// Runs a tool.
pub async fn run(
    clients: &McpClients,
    name: &str,
    tool: &str,
    values: Value,
) -> Result<Envelope, HandlerError> {
    let handler = clients.handler(name, tool).unwrap();
    run_with(&handler, values, None, None).await
}

/// Runs a tool with somebody behind it.
pub async fn run_with(
    handler: &SealedHandler,
    values: Value,
    listener: Option<Arc<dyn HandlerProgress>>,
    asker: Option<Arc<dyn Elicitor>>,
) -> Result<Envelope, HandlerError> {
    let values = HandlerValues::of_call(&Arc::new(values.as_object().unwrap().clone()));
    let permit = ProgramPermit::of_handler(handler, SessionId::new("s"));
    run_handler(permit, &values, listener, asker).await
}

/// The data of a tool that answers.
pub async fn data(clients: &McpClients, name: &str, tool: &str) -> Value {
    run(clients, name, tool, json!({})).await.unwrap().data
}

pub fn call_of(tool: &str) -> ToolCall {
    ToolCall { tool: tool.to_owned(), ..ToolCall::default() }
}

/// Waits for an event.
pub async fn until<T>(
    events: &mut broadcast::Receiver<ClientEvent>,
    wanted: impl Fn(ClientEvent) -> Option<T>,
) -> T {
    let wait = async {
        loop {
            if let Some(found) = wanted(events.recv().await.unwrap()) {
                return found;
            }
        }
    };
    tokio::time::timeout(LONG, wait).await.expect("the event")
}

/// Waits until something is so.
pub async fn eventually(mut is_so: impl FnMut() -> bool) {
    let wait = async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(LONG, wait).await.expect("it to be so");
}

/// True while the process runs; one that has ended and that no one has taken note of does not.
pub fn is_alive(pid: u64) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().next()).is_some_and(|state| state != "Z")
}

pub fn object(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}
