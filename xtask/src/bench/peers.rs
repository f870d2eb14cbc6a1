//! The servers that are measured under load: ours, and the peers that `AQUEDUCT_PEERS` points to.
//!
//! A folder for files and the upstream in; subjects, and what could not be measured, out. Peers are looked for as
//! `py/fastmcp/bin/python` and `cargo/bin/rmcp-openapi-server` in that directory.

use super::load::{Library, Request, Subject, Wire};
use super::session::{Process, Session};
use anyhow::{Context, Result, bail};
use serde_json::json;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const PEERS: &str = "AQUEDUCT_PEERS";
/// Longest wait for a server to listen.
const START: Duration = Duration::from_secs(60);

const ADAPTER: &str = "---
name: pets
type: adapter
version: \"1.0.0\"
description: \"Pets of a shop, for measuring\"
target: { base_url: \"http://127.0.0.1:1\", transport: http, protocol: rest, serialization: json }
cache: { enabled: false }
operations:
  read:
    - name: get_pet_by_id
      maps_to: \"GET /pet/{pet_id}\"
      description: \"Get one pet\"
      params:
        pet_id: { type: integer, required: true, description: \"The pet\" }
---
";

const FASTMCP: &str = "
import json, sys, httpx2
from fastmcp import FastMCP
client = httpx2.AsyncClient(base_url=sys.argv[2])
FastMCP.from_openapi(json.load(open(sys.argv[1])), client=client, name='peer').run(transport='stdio', show_banner=False)
";

/// What is measured, by name.
pub struct Line {
    /// The name in the report.
    pub name: &'static str,
    /// The subject, or why there is none.
    pub subject: Result<Subject, String>,
}

/// Everything there is to measure, direct calls first.
pub fn all(server: &Path, folder: &Path, upstream: SocketAddr) -> Result<Vec<Line>> {
    let base_url = format!("http://{upstream}");
    let adapter = folder.join("pets-adapter.md");
    std::fs::write(&adapter, ADAPTER)?;
    let document = folder.join("pets.json");
    std::fs::write(&document, openapi(&base_url).to_string())?;
    let options = [adapter.display().to_string(), "--base-url".to_owned(), base_url.clone()];
    let line = |name, subject: Result<Subject>| Line {
        name,
        subject: subject.map_err(|error| format!("{error:#}")),
    };
    Ok(vec![
        line(RAW, Wire::plain(upstream, "/pet/1").map(Subject::Direct)),
        line(CLIENT, Library::new(format!("{base_url}/pet/1")).map(Subject::Library)),
        line(OURS_STDIO, ours_over_stdio(server, &options)),
        line(OURS_HTTP, ours_over_http(server, &options)),
        line("FastMCP, stdio", fastmcp(&document, &base_url)),
        line("rmcp-openapi-server, HTTP", rmcp_openapi(&document, &base_url)),
    ])
}

/// Direct calls: bytes that were put together beforehand, over a plain socket.
pub const RAW: &str = "direct, raw socket";
/// Direct calls by an HTTP client library.
pub const CLIENT: &str = "direct, HTTP client";
/// Our names in the report.
pub const OURS_STDIO: &str = "aqueduct, stdio";
/// See above.
pub const OURS_HTTP: &str = "aqueduct, HTTP";
const OUR_TOOL: &str = "mcp_aql_read";

fn our_arguments() -> serde_json::Value {
    json!({"operation": "get_pet_by_id", "params": {"pet_id": 1}})
}

fn ours_over_stdio(server: &Path, options: &[String]) -> Result<Subject> {
    let session = Session::with(Command::new(server).arg("serve").args(options).env_clear())?;
    Ok(Subject::Stdio(session, Request::line(OUR_TOOL, &our_arguments())))
}

fn ours_over_http(server: &Path, options: &[String]) -> Result<Subject> {
    let help = Command::new(server).args(["serve", "--help"]).env_clear().output()?;
    if !String::from_utf8_lossy(&help.stdout).contains("--http") {
        bail!("this build does not serve HTTP");
    }
    let address = free_address()?;
    let mut command = Command::new(server);
    command.arg("serve").args(options).args(["--http", &address.to_string()]).env_clear();
    over_http(&mut command, address, OUR_TOOL, &our_arguments())
}

fn fastmcp(document: &Path, base_url: &str) -> Result<Subject> {
    let python = installed("py/fastmcp/bin/python")?;
    let mut command = Command::new(python);
    let session = Session::with(command.args(["-c", FASTMCP]).arg(document).arg(base_url))?;
    Ok(Subject::Stdio(session, Request::line("getPetById", &json!({"petId": 1}))))
}

fn rmcp_openapi(document: &Path, base_url: &str) -> Result<Subject> {
    let program = installed("cargo/bin/rmcp-openapi-server")?;
    let address = free_address()?;
    let mut command = Command::new(program);
    command.args(["--base-url", base_url, "-p", &address.port().to_string()]).arg(document);
    over_http(&mut command, address, "getPetById", &json!({"petId": 1}))
}

fn over_http(
    command: &mut Command,
    address: SocketAddr,
    tool: &str,
    arguments: &serde_json::Value,
) -> Result<Subject> {
    let process = Process::start(command)?;
    let started = Instant::now();
    while TcpStream::connect(address).is_err() {
        if started.elapsed() > START {
            bail!("nothing listens after {} seconds", START.as_secs());
        }
        std::thread::yield_now();
    }
    Ok(Subject::Http(Wire::mcp(address, tool, arguments)?, process))
}

fn installed(path: &str) -> Result<PathBuf> {
    #[expect(clippy::disallowed_methods, reason = "a task's own setting")]
    let folder = std::env::var(PEERS).ok().with_context(|| format!("not installed ({PEERS} is not set)"))?;
    let program = Path::new(&folder).join(path);
    if !program.exists() {
        bail!("not installed");
    }
    Ok(program)
}

fn free_address() -> Result<SocketAddr> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}

fn openapi(base_url: &str) -> serde_json::Value {
    json!({
        "openapi": "3.0.3",
        "info": {"title": "pets", "version": "1.0.0"},
        "servers": [{"url": base_url}],
        "paths": {"/pet/{petId}": {"get": {
            "operationId": "getPetById",
            "description": "Get one pet",
            "parameters": [{"name": "petId", "in": "path", "required": true, "schema": {"type": "integer"}}],
            "responses": {"200": {
                "description": "A pet",
                "content": {"application/json": {"schema": {"type": "object"}}},
            }},
        }}},
    })
}
