//! Whether the static program finds names and speaks TLS with nothing else on the machine.
//!
//! In: a directory that is the whole world to the program. It gets a list of hosts, and a `nsswitch.conf` whose only module does
//! not exist: the caller the modules would find nothing. Out: an error unless the program comes, by the name, and begins TLS,
//! which it does only with authorities to trust.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

const NAME: &str = "api.test";
/// What a client that begins TLS sends first.
const HANDSHAKE: u8 = 0x16;
/// What is sent to say that no one else will come.
const END: u8 = 0;

/// Calls an API by a name that is only in the list of hosts.
pub fn are_found_without_modules(place: &Path, start: impl Fn() -> Command) -> Result<()> {
    fs::create_dir_all(place.join("etc"))?;
    fs::write(place.join("etc/hosts"), format!("127.0.0.1 {NAME}\n"))?;
    fs::write(place.join("etc/nsswitch.conf"), "hosts: nothing\n")?;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let url = format!("https://{NAME}:{}", address.port());
    fs::write(place.join("names-adapter.md"), adapter(&url))?;
    let visitors = std::thread::spawn(move || is_visited(&listener));
    let call = ["call", "/names-adapter.md", "get_thing", "--state-dir", "none", "--base-url", &url];
    let outcome = start().args(call).env_remove("SSL_CERT_FILE").env_remove("SSL_CERT_DIR").output()?;
    TcpStream::connect(address)?.write_all(&[END])?;
    match visitors.join() {
        Ok(Ok(true)) => Ok(()),
        _ => bail!("nobody came to {url}; the call said: {}", String::from_utf8_lossy(&outcome.stdout)),
    }
}

/// Whether somebody begins TLS with the name, before the end is told.
fn is_visited(listener: &TcpListener) -> Result<bool> {
    let mut is_seen = false;
    for stream in listener.incoming() {
        let mut first = [0; 1024];
        let length = stream?.read(&mut first)?;
        match first[..length].first() {
            Some(&END) => break,
            Some(&HANDSHAKE) => is_seen |= first.windows(NAME.len()).any(|part| part == NAME.as_bytes()),
            _ => {}
        }
    }
    Ok(is_seen)
}

fn adapter(url: &str) -> String {
    format!(
        r#"---
name: names
type: adapter
version: "1.0.0"
description: "An API that is found by its name"
target: {{ base_url: "{url}", transport: http, protocol: rest, serialization: json, retries: 0 }}
operations:
  read:
    - {{ name: get_thing, maps_to: "GET /thing", description: "Get the thing" }}
---
"#
    )
}
