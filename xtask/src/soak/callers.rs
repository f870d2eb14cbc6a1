//! Callers that do not stop: some over HTTP, each with a connection of its own, and one session over stdio.
//!
//! Servers in, judged answers out. The session over stdio also hears when the list of tools has changed.

use super::Event;
use super::edits::Edited;
use super::tally::Tally;
use crate::bench::session::{Session, resident_megabytes};
use crate::bench::wire::Connection;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::Sender;
use std::thread::JoinHandle;

/// Connections over HTTP, and calls at once over stdio.
const AT_ONCE: usize = 3;
const VERSION: &str = "2026-07-28";

/// What one caller does until it is stopped.
type Calling = Box<dyn FnOnce(&AtomicBool, &Tally, &Sender<Event>) -> Result<()> + Send>;

/// Running callers.
pub struct Callers {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
    stdio_process: u32,
}

impl Callers {
    /// Starts calling the server at an address, and one of its own over stdio.
    pub fn start(
        server: &Path,
        folder: &Path,
        edited: &Edited,
        (address, tally): (SocketAddr, &Arc<Tally>),
        events: &Sender<Event>,
    ) -> Result<Callers> {
        let stop = Arc::new(AtomicBool::new(false));
        let mut command = Command::new(server);
        command.args(["serve", "--state-dir"]).arg(folder.join("state")).arg(&edited.path);
        let session = Session::with(command.current_dir(folder).env_clear())?;
        let stdio_process = session.process_id();
        let begin = |call: Calling| {
            let (stop, tally, events) = (Arc::clone(&stop), Arc::clone(tally), events.clone());
            std::thread::Builder::new().name("caller".to_owned()).spawn(move || {
                if let Err(error) = call(&stop, &tally, &events) {
                    // No caller waits any more when this fails.
                    drop(events.send(Event::Ended(format!("a caller ended: {error:#}"))));
                }
            })
        };
        let mut threads =
            vec![begin(Box::new(|stop, tally, events| over_stdio(session, stop, tally, events)))?];
        for _ in 0..AT_ONCE {
            threads.push(begin(Box::new(move |stop, tally, _| over_http(address, stop, tally)))?);
        }
        Ok(Callers { stop, threads, stdio_process })
    }

    /// What the server over stdio holds in memory now.
    pub fn resident_megabytes(&self) -> Result<f64> {
        resident_megabytes(self.stdio_process)
    }

    /// Ends all of them, when their last answers are there.
    pub fn stop(self) -> Result<()> {
        self.stop.store(true, SeqCst);
        for thread in self.threads {
            thread.join().ok().context("a caller broke down")?;
        }
        Ok(())
    }
}

fn call(id: u64) -> Value {
    let params = json!({"name": "mcp_aql_read", "arguments": {"operation": "get_version"}});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
}

/// The same without a session.
fn stateless(id: u64) -> Value {
    let about = "io.modelcontextprotocol";
    let mut call = call(id);
    call["params"]["_meta"] = json!({format!("{about}/protocolVersion"): VERSION,
        format!("{about}/clientCapabilities"): {}, format!("{about}/clientInfo"): {"name": "soak", "version": "1"}});
    call
}

fn over_http(address: SocketAddr, stop: &AtomicBool, tally: &Tally) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    runtime.block_on(async {
        let mut connection = Connection::open(address).await?;
        let mut id = 0;
        while !stop.load(SeqCst) {
            id += 1;
            let body = stateless(id).to_string();
            let request = format!(
                "POST /mcp HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\naccept: application/json, \
                 text/event-stream\r\nmcp-protocol-version: {VERSION}\r\nmcp-method: tools/call\r\nmcp-name: \
                 mcp_aql_read\r\ncontent-length: {}\r\n\r\n{body}",
                body.len()
            );
            let floor = tally.floor();
            let answer = connection.exchange(request.as_bytes()).await?;
            tally.judge(floor, &String::from_utf8_lossy(&answer.body));
        }
        Ok(())
    })
}

fn over_stdio(mut session: Session, stop: &AtomicBool, tally: &Tally, events: &Sender<Event>) -> Result<()> {
    let mut id = 0;
    while !stop.load(SeqCst) {
        let floor = tally.floor();
        for _ in 0..AT_ONCE {
            id += 1;
            session.send(format!("{}\n", call(id)).as_bytes())?;
        }
        let mut waiting = AT_ONCE;
        while waiting > 0 {
            let line = session.line()?;
            if line.contains("notifications/tools/list_changed") {
                events.send(Event::Told)?;
            } else {
                waiting -= 1;
                tally.judge(floor, &line);
            }
        }
    }
    session.close()
}
