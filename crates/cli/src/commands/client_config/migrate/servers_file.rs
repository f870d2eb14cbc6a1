//! The file of servers that were moved: `mcpServers`, as this program serves it, and how to move them back.
//!
//! A path in; the file's servers, more of them, and what was noted about the last move out.

use crate::commands::client_config::json_file::{JsonFile, JsonValue, json_value};
use crate::commands::client_config::merge::MergeRefusal;
use crate::commands::client_config::{file, read, unwritable};
use crate::report::CommandError;
use aqueduct_operations::digest::Digest;
use serde_json::json;
use std::path::{Path, PathBuf};

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
    file: JsonFile,
    /// What it was before.
    old: Option<Vec<u8>>,
}

/// What has to be known to move servers back.
#[derive(Debug, Clone)]
pub struct MoveRecord {
    /// The client's file as it was.
    pub backup: PathBuf,
    /// A digest of what was left there.
    left: String,
    /// This file as it was, when there was one.
    servers: Option<PathBuf>,
}

impl MoveRecord {
    /// A move that leaves this text in the client's file.
    pub fn new(backup: &Path, left: &str) -> MoveRecord {
        MoveRecord { backup: backup.to_owned(), left: digest(left.as_bytes()), servers: None }
    }

    /// True when this is what was left.
    pub fn left(&self, now: &[u8]) -> bool {
        digest(now) == self.left
    }
}

impl ServersFile {
    /// Opens the file, or begins one.
    pub fn open(place: &Path) -> Result<ServersFile, CommandError> {
        ServersFile::new(read(place)?).map_err(|_| {
            let message = format!("{} is not valid JSON; nothing was written", place.display());
            CommandError::invalid(message)
        })
    }

    /// The file that holds this, or a new one.
    pub fn new(old: Option<Vec<u8>>) -> Result<ServersFile, MergeRefusal> {
        Ok(ServersFile { file: JsonFile::read(old.as_deref().unwrap_or_default(), false)?, old })
    }

    /// Adds a server, under a name of its own.
    pub fn add(&self, name: &str, server: JsonValue) {
        let Some(servers) = self.file.object().object_value_or_create("mcpServers") else { return };
        servers.append(&super::free_name(name, |name| servers.get(name).is_some()), server);
    }

    /// Notes a move, and keeps the file as it was.
    pub fn note(&self, last: &MoveRecord, place: &Path) -> std::io::Result<()> {
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
        match self.file.object().get(NOTE) {
            Some(earlier) => earlier.set_value(json_value(&note)),
            None => drop(self.file.object().append(NOTE, json_value(&note))),
        }
        Ok(())
    }

    /// The last move.
    pub fn last_move(&self) -> Option<MoveRecord> {
        let note = self.file.object().object_value(NOTE)?.to_serde_value()?;
        let text = |key: &str| note[key].as_str().map(str::to_owned);
        Some(MoveRecord {
            backup: text("backup")?.into(),
            left: text("left")?,
            servers: text("servers").map(PathBuf::from),
        })
    }

    /// The file's text.
    pub fn text(&self) -> String {
        self.file.text()
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
    Digest::of_bytes(bytes).hex()
}
