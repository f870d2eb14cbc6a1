//! The file of servers that were moved: `mcpServers`, as this program serves it, and how to move them back.
//!
//! A path in; the file's servers, more of them, and what was noted about the last move out.

use super::{Map, PathBuf, Value};
use crate::commands::client_config::{file, read, unwritable};
use crate::report::{CommandError, Exit};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::path::Path;

/// The file's name.
const FILE: &str = "aqueduct-servers.json";

/// Where the last move is noted; other programs pass over it.
const NOTE: &str = "movedByAqueduct";

/// The file beside a client's file, with its whole path: who serves it starts elsewhere.
pub fn beside(path: &Path) -> Result<PathBuf, CommandError> {
    let whole = std::path::absolute(path).map_err(|error| unwritable(path, &error))?;
    Ok(whole.with_file_name(FILE))
}

/// A file of servers.
#[derive(Debug)]
pub struct ServersFile {
    root: Map<String, Value>,
    /// What it was before.
    old: Option<Vec<u8>>,
}

/// What has to be known to move servers back.
#[derive(Debug, Clone)]
pub struct Move {
    /// The client's file as it was.
    pub backup: PathBuf,
    /// A digest of what was left there.
    left: String,
    /// This file as it was, when there was one.
    servers: Option<PathBuf>,
}

impl Move {
    /// A move that leaves this text in the client's file.
    pub fn new(backup: &Path, left: &str) -> Move {
        Move { backup: backup.to_owned(), left: digest(left.as_bytes()), servers: None }
    }

    /// True when this is what was left.
    pub fn left(&self, now: &[u8]) -> bool {
        digest(now) == self.left
    }
}

impl ServersFile {
    /// Opens the file, or begins one.
    pub fn open(place: &Path) -> Result<ServersFile, CommandError> {
        let old = read(place)?;
        let root = match &old {
            None => Map::new(),
            Some(bytes) => serde_json::from_slice(bytes).map_err(|_| {
                let message = format!("{} is not valid JSON; nothing was written", place.display());
                CommandError::new(Exit::Invalid, message)
            })?,
        };
        Ok(ServersFile { root, old })
    }

    /// Adds a server, under a name of its own.
    pub fn add(&mut self, name: String, server: Value) {
        let servers = self.root.entry("mcpServers").or_insert_with(|| json!({}));
        let Value::Object(servers) = servers else { return };
        let later = (2..).map(|number: u32| format!("{name}-{number}"));
        let free = std::iter::once(name.clone()).chain(later).find(|name| !servers.contains_key(name));
        servers.insert(free.unwrap_or(name), server);
    }

    /// Notes a move, and keeps the file as it was.
    pub fn note(&mut self, last: &Move, place: &Path) -> std::io::Result<()> {
        let servers = match &self.old {
            None => None,
            Some(old) => {
                let backup = file::backup_of(place)?;
                file::write_private(&backup, old)?;
                Some(backup.display().to_string())
            }
        };
        let note =
            json!({"backup": last.backup.display().to_string(), "left": last.left, "servers": servers});
        self.root.insert(NOTE.to_owned(), note);
        Ok(())
    }

    /// The last move.
    pub fn last_move(&self) -> Option<Move> {
        let note = self.root.get(NOTE)?;
        let text = |key: &str| note[key].as_str().map(str::to_owned);
        Some(Move {
            backup: text("backup")?.into(),
            left: text("left")?,
            servers: text("servers").map(PathBuf::from),
        })
    }

    /// The file's text.
    pub fn text(&self) -> String {
        format!("{:#}\n", Value::Object(self.root.clone()))
    }

    /// Takes the last move out of the file: what it was before, or nothing.
    pub fn take_back(&self, place: &Path) {
        let earlier = self.last_move().and_then(|last| last.servers);
        let done = match earlier {
            Some(earlier) => std::fs::rename(earlier, place),
            None => std::fs::remove_file(place),
        };
        if let Err(error) = done {
            crate::report::note(&format!("{} is left as it is: {error}", place.display()));
        }
    }
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
