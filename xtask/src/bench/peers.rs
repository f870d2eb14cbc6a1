//! The servers that are measured: ours, and the peers that `AQUEDUCT_PEERS` points to.
//!
//! A document of some size and the upstream in; running subjects, or why they cannot be measured, out. `docs/performance.md` says
//! where in that directory which peer is looked for.

mod node;

use super::document;
use super::load::{Library, Subject, ToolCall, Wire};
use super::session::{Process, Session, resident_megabytes};
use super::wire::Acknowledgements;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const PEERS: &str = "AQUEDUCT_PEERS";
/// Longest wait for a server to listen.
const START: Duration = Duration::from_secs(60);
/// How often a start is measured, when it does not take long.
const STARTS: usize = 5;
/// A start that takes longer than this is measured once.
const LONG_START: f64 = 1000.0;

const FASTMCP: &str = "
import json, sys, httpx2
from fastmcp import FastMCP
client = httpx2.AsyncClient(base_url=sys.argv[2])
server = FastMCP.from_openapi(json.load(open(sys.argv[1])), client=client, name='peer')
if len(sys.argv) > 3:
    server.run(transport='http', host='127.0.0.1', port=int(sys.argv[3]), show_banner=False, log_level='ERROR')
else:
    server.run(transport='stdio', show_banner=False)
";

/// Who is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contestant {
    /// Direct calls: bytes that were put together beforehand, over a plain socket.
    Raw,
    /// Direct calls by an HTTP client library.
    Client,
    /// Ours.
    OursStdio,
    /// Ours.
    OursHttp,
    /// FastMCP.
    FastMcpStdio,
    /// FastMCP.
    FastMcpHttp,
    /// rmcp-openapi-server as it is fastest: with sessions, to a client that acknowledges at once.
    RmcpOpenApi,
    /// What openapi-mcp-generator generates.
    Generated,
}

impl Contestant {
    /// Everybody, direct calls first.
    pub const ALL: [Contestant; 8] = [
        Contestant::Raw,
        Contestant::Client,
        Contestant::OursStdio,
        Contestant::OursHttp,
        Contestant::FastMcpStdio,
        Contestant::FastMcpHttp,
        Contestant::RmcpOpenApi,
        Contestant::Generated,
    ];

    /// The name in the report.
    pub fn name(self) -> &'static str {
        match self {
            Contestant::Raw => "direct, raw socket",
            Contestant::Client => "direct, HTTP client",
            Contestant::OursStdio => "aqueduct, stdio",
            Contestant::OursHttp => "aqueduct, HTTP",
            Contestant::FastMcpStdio => "FastMCP, stdio",
            Contestant::FastMcpHttp => "FastMCP, HTTP",
            Contestant::RmcpOpenApi => "rmcp-openapi-server, HTTP",
            Contestant::Generated => "openapi-mcp-generator, stdio",
        }
    }
}

/// What a server was like when it had listed its tools.
#[derive(Debug, Clone, Copy)]
pub struct Ready {
    /// From its start until then, in milliseconds; the median of some.
    pub start: f64,
    /// What it held in memory then.
    pub megabytes: f64,
    /// What its list of tools costs a model.
    pub tokens: usize,
}

/// A subject that can be asked, and what it was like at the beginning, if it is a server.
pub struct Opened {
    pub subject: Subject,
    pub ready: Option<Ready>,
}

/// What everybody serves.
pub struct Served {
    server: PathBuf,
    upstream: SocketAddr,
    folder: PathBuf,
    document: PathBuf,
    config: PathBuf,
}

impl Served {
    /// A document of this many operations, in a folder of its own.
    pub fn new(server: &Path, folder: &Path, upstream: SocketAddr, operations: usize) -> Result<Served> {
        let folder = folder.join(operations.to_string());
        std::fs::create_dir_all(&folder)?;
        let (document, config) = (folder.join("pets.json"), folder.join("aqueduct.toml"));
        std::fs::write(&document, document::openapi(operations, &base_url(upstream)).to_string())?;
        // Every call asks the API, and gets the whole of its answer.
        let settings =
            "[sources.pets]\nfrom = \"pets.json\"\ncache = false\n[limits]\nmax_response_tokens = 1000000\n";
        std::fs::write(&config, settings)?;
        Ok(Served { server: server.to_owned(), upstream, folder, document, config })
    }

    /// Starts this one, some times if that is quick.
    pub fn open(&self, contestant: Contestant) -> Result<Opened> {
        let mut starts = Vec::new();
        loop {
            let opened = self.open_once(contestant)?;
            let Some(ready) = opened.ready else { return Ok(opened) };
            starts.push(ready.start);
            if starts.len() == STARTS || ready.start > LONG_START {
                starts.sort_by(f64::total_cmp);
                let start = starts.get(starts.len() / 2).copied().unwrap_or(ready.start);
                return Ok(Opened { ready: Some(Ready { start, ..ready }), ..opened });
            }
            opened.subject.close()?;
        }
    }

    fn open_once(&self, contestant: Contestant) -> Result<Opened> {
        let base_url = base_url(self.upstream);
        let direct = |subject| Ok(Opened { subject, ready: None });
        match contestant {
            Contestant::Raw => direct(Subject::Direct(Wire::plain(self.upstream)?)),
            Contestant::Client => direct(Subject::Library(Library::new(base_url)?)),
            Contestant::OursStdio => over_stdio(&mut self.ours(), OUR_CALL),
            Contestant::OursHttp => {
                let address = free_address()?;
                let mut command = self.ours();
                command.args(["--http", &address.to_string()]);
                over_http(&mut command, address, OUR_CALL, Acknowledgements::Usual)
            }
            Contestant::FastMcpStdio => over_stdio(&mut self.fastmcp()?, PEER_CALL),
            Contestant::FastMcpHttp => {
                let address = free_address()?;
                let mut command = self.fastmcp()?;
                over_http(
                    command.arg(address.port().to_string()),
                    address,
                    PEER_CALL,
                    Acknowledgements::Quick,
                )
            }
            Contestant::RmcpOpenApi => {
                let address = free_address()?;
                let mut command = Command::new(installed("cargo/bin/rmcp-openapi-server")?);
                command.args(["--stateful", "--base-url", &base_url, "-p", &address.port().to_string()]);
                over_http(command.arg(&self.document), address, PEER_CALL, Acknowledgements::Quick)
            }
            Contestant::Generated => {
                let built = node::build(&installed("npm")?, &self.document, &self.folder)?;
                over_stdio(Command::new("node").arg(built).env("API_BASE_URL", base_url), PEER_CALL)
            }
        }
    }

    fn ours(&self) -> Command {
        let mut command = Command::new(&self.server);
        command.arg("serve").arg("--config").arg(&self.config).env_clear().current_dir(&self.folder);
        command.arg("--state-dir").arg(self.folder.join("state"));
        command
    }

    fn fastmcp(&self) -> Result<Command> {
        let mut command = Command::new(installed("py/fastmcp/bin/python")?);
        command.args(["-c", FASTMCP]).arg(&self.document).arg(base_url(self.upstream));
        Ok(command)
    }
}

const OUR_CALL: ToolCall = ToolCall { tool: "mcp_aql_read", arguments: our_arguments };
const PEER_CALL: ToolCall = ToolCall { tool: "getPetById", arguments: peer_arguments };

fn our_arguments(pet: u64) -> Value {
    json!({"operation": "get_pet_by_id", "params": {"pet_id": pet}})
}

fn peer_arguments(pet: u64) -> Value {
    json!({"petId": pet})
}

fn base_url(upstream: SocketAddr) -> String {
    format!("http://{upstream}")
}

fn over_stdio(command: &mut Command, call: ToolCall) -> Result<Opened> {
    let mut session = Session::with(command)?;
    let tools = session.tools()?;
    let start = session.age().as_secs_f64() * 1000.0;
    let ready =
        Ready { start, megabytes: session.resident_megabytes()?, tokens: aqueduct_vocabulary::count(&tools) };
    Ok(Opened { subject: Subject::Stdio(session, call, 0), ready: Some(ready) })
}

fn over_http(
    command: &mut Command,
    address: SocketAddr,
    call: ToolCall,
    acknowledgements: Acknowledgements,
) -> Result<Opened> {
    let started = Instant::now();
    let process = Process::start(command)?;
    while TcpStream::connect(address).is_err() {
        if started.elapsed() > START {
            bail!("nothing listens after {} seconds", START.as_secs());
        }
        #[expect(clippy::disallowed_methods, reason = "nothing tells when another process listens")]
        std::thread::sleep(Duration::from_millis(1));
    }
    let wire = Wire::mcp(address, call, acknowledgements)?;
    let tools = wire.tools()?;
    let start = started.elapsed().as_secs_f64() * 1000.0;
    let megabytes = resident_megabytes(process.id())?;
    let ready = Ready { start, megabytes, tokens: aqueduct_vocabulary::count(&tools) };
    Ok(Opened { subject: Subject::Http(wire, process), ready: Some(ready) })
}

/// What is at this place of the peers' directory.
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
