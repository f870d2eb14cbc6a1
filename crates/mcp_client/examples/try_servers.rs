//! Connects to real servers and shows what they offer: `try_servers [--guard PROGRAM] FILE`, where FILE holds
//! `{"NAME": {"command": ..., "args": [...], "calls": [["TOOL", {...}]]}}`. Stays until its input ends.

use aqueduct_mcp_client::{ClientSettings, McpClients, OnFailure, ProcessEnvironment};
use aqueduct_operations::call::SessionId;
use aqueduct_operations::gatekeeper::{ConnectPermit, ProgramPermit};
use aqueduct_operations::handler::{HandlerValues, run_handler};
use aqueduct_operations::mcp::{ServerConfig, ServerTransport};
use serde_json::{Map, Value};
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

type Failure = Box<dyn std::error::Error>;

#[expect(clippy::disallowed_methods, reason = "a program for trying servers reads its list")]
fn main() -> Result<(), Failure> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let mut settings = ClientSettings::default();
    if args.first().is_some_and(|arg| arg == "--guard") {
        settings.guard = Some(PathBuf::from(args.remove(1)));
        args.remove(0);
    }
    let mut text = String::new();
    std::fs::File::open(&args[0])?.read_to_string(&mut text)?;
    let servers: Map<String, Value> = serde_json::from_str(&text)?;
    let clients = McpClients::start(settings, Arc::new(ProcessEnvironment))?;
    let began = Instant::now();
    let permits = servers.iter().map(|(name, server)| ConnectPermit::named_by_operator(config(name, server)));
    let loaded = futures_executor::block_on(clients.load(permits, OnFailure::KeepOthers));
    let loaded = loaded.map_err(|failures| format!("{failures:?}"))?;
    let mut out = io::stdout();
    writeln!(out, "{} connected, {:?} not, in {:?}", loaded.clients.len(), loaded.failures, began.elapsed())?;
    for client in &loaded.clients {
        let listing = client.listing().unwrap_or_default();
        writeln!(
            out,
            "{}: {} tools of {}",
            client.name(),
            listing.tools.len(),
            Value::from(listing.server.clone())
        )?;
        for call in servers[client.name()]["calls"].as_array().into_iter().flatten() {
            let tool = call[0].as_str().unwrap_or_default();
            let values = call[1].as_object().cloned().unwrap_or_default();
            let Some(handler) = clients.handler(client.name(), tool) else { continue };
            let permit = ProgramPermit::of_handler(&handler, SessionId::new("try"));
            let values = HandlerValues::of_call(&Arc::new(values));
            match futures_executor::block_on(run_handler(permit, &values, None, None)) {
                Ok(envelope) => writeln!(out, "  {tool} {}", serde_json::to_string(&envelope)?)?,
                Err(error) => writeln!(out, "  {tool} {error}")?,
            }
        }
    }
    writeln!(out, "ready")?;
    io::stdin().read_to_end(&mut Vec::new())?;
    let closing = Instant::now();
    futures_executor::block_on(clients.close_all());
    writeln!(out, "closed in {:?}", closing.elapsed())?;
    Ok(())
}

fn config(name: &str, server: &Value) -> ServerConfig {
    let args = server["args"].as_array().into_iter().flatten();
    ServerConfig {
        name: name.to_owned(),
        reach: ServerTransport::Stdio {
            command: server["command"].as_str().unwrap_or_default().to_owned(),
            args: args.filter_map(Value::as_str).map(str::to_owned).collect(),
            env: Vec::new(),
            cwd: None,
        },
        timeout: Duration::from_secs(60),
    }
}
