//! The server over HTTP: its process, its address, and what its log says of reloads.
//!
//! A binary and a file in; events out, from a thread that reads standard error.

use super::Event;
use crate::bench::session::{Process, resident_megabytes};
use anyhow::{Context, Result};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::Sender;

/// A running `serve --http`.
pub struct HttpServer {
    /// Where it listens.
    pub address: SocketAddr,
    process: Process,
}

impl HttpServer {
    /// Starts it on a free port.
    pub fn start(server: &Path, folder: &Path, adapter: &Path, events: Sender<Event>) -> Result<HttpServer> {
        let mut child = Command::new(server)
            .args(["serve", "--http", "127.0.0.1:0", "--state-dir"])
            .arg(folder.join("state"))
            .arg(adapter)
            .current_dir(folder)
            .env_clear()
            .env("AQUEDUCT_LOG", "aqueduct::load=info")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .context("the server cannot be started")?;
        let mut lines = BufReader::new(child.stderr.take().context("no standard error")?).lines();
        let process = Process::of(child);
        let first = lines.next().context("the server ended")??;
        let address = first.strip_prefix("listening on http://").and_then(|rest| rest.strip_suffix("/mcp"));
        let address = address.with_context(|| first.clone())?.parse()?;
        let read = move || {
            for event in lines.map_while(|line| line.ok()).filter_map(|line| event_in(&line)) {
                if events.send(event).is_err() {
                    return;
                }
            }
            // No caller waits any more when this fails.
            drop(events.send(Event::Ended("the server over HTTP has ended".to_owned())));
        };
        std::thread::Builder::new().name("log".to_owned()).spawn(read).context("no thread for the log")?;
        Ok(HttpServer { address, process })
    }

    /// The number of its process.
    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// What it holds in memory now.
    pub fn resident_megabytes(&self) -> Result<f64> {
        resident_megabytes(self.process.id())
    }
}

fn event_in(line: &str) -> Option<Event> {
    if line.contains("the last good version stays") {
        return Some(Event::Refused);
    }
    let (_, rest) = line.split_once(" reloaded ")?.1.split_once("version=\"1.0.")?;
    rest.split('"').next()?.parse().ok().map(Event::Reloaded)
}

#[cfg(test)]
mod tests;
