//! What servers offer, pinned: whether it is what was seen first, or approved since.
//!
//! A listing in; what may be offered, and everything that differs from the pins, out. The first listing of a server pins
//! all of it. From then on nothing moves a pin but an approval: what is new or different waits, with quarantine unseen,
//! without it in use but never milder than what was approved. The definitions themselves are kept, so that a server's
//! tools can be shown before it is connected.

mod compare;
mod file;
mod strict;

pub use compare::mark_of;
pub use file::PinsError;

use aqueduct_operations::mcp::ServerListing;
use compare::{PinnedDefinition, PinnedServer};
use file::PinsFile;
use serde_json::Value;
use std::path::PathBuf;

/// The name under which the words of the server itself wait: its instructions, name, title and description.
pub const SERVER_WORDS: &str = "(instructions)";

/// Pinned definitions, in a file that several processes may use at once.
#[derive(Debug)]
pub struct Pins {
    file: PinsFile,
}

/// Something that is not what was approved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PinChange {
    /// The tool, or `SERVER_WORDS`.
    pub name: String,
    /// The short hash of what it is now.
    pub mark: String,
    /// In which way it differs.
    pub kind: ChangeKind,
}

/// How something differs from what was approved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// It was not there.
    New,
    /// It is different.
    Changed,
    /// It is different, and would count as less dangerous than what was approved.
    Milder,
}

/// A listing that has been looked over.
#[derive(Debug, Clone, PartialEq)]
pub struct ReviewedListing {
    /// What may be offered.
    pub listing: ServerListing,
    /// Everything that waits for approval.
    pub changes: Vec<PinChange>,
    /// Why that could not be written down.
    pub not_kept: Option<PinsError>,
}

/// What is known of a server before it is connected.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownServer {
    /// What may be offered.
    pub listing: ServerListing,
    /// The names of what waits for approval.
    pub waiting: Vec<String>,
}

/// Something that waits for approval.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingPin {
    /// The server, with the mark of how it is reached.
    pub server: String,
    /// The tool, or `SERVER_WORDS`.
    pub name: String,
    /// The short hash of the new definition.
    pub mark: String,
    /// The approved definition; null for what is new.
    pub before: Value,
    /// The new definition.
    pub now: Value,
}

impl Pins {
    /// Pins in this file, which need not be there yet.
    pub fn new(path: impl Into<PathBuf>) -> Pins {
        Pins { file: PinsFile::new(path.into()) }
    }

    /// Looks a listing over and writes down what waits; the first listing of a server is pinned as it is. With
    /// `quarantine` what waits is not offered.
    pub fn review(
        &self,
        server: &str,
        listing: &ServerListing,
        quarantine: bool,
    ) -> Result<ReviewedListing, PinsError> {
        let all = self.file.read()?;
        let before = all.get(server);
        let mut after = compare::compared(before, listing);
        let mut not_kept = None;
        if before != Some(&after) {
            let stored = self.file.change(|all| {
                // Another process may have been here in between.
                let after = compare::compared(all.get(server), listing);
                all.insert(server.to_owned(), after.clone());
                after
            });
            match stored {
                Ok(stored) => after = stored,
                Err(error @ PinsError::Unwritable { .. }) if before.is_some() => not_kept = Some(error),
                Err(error) => return Err(error),
            }
        }
        Ok(ReviewedListing {
            listing: after.offered(listing, quarantine),
            changes: after.changes(),
            not_kept,
        })
    }

    /// Approves what is chosen of what is waiting now, exactly as it is written down; gives what that was.
    pub fn approve(&self, is_chosen: impl Fn(&PendingPin) -> bool) -> Result<Vec<PendingPin>, PinsError> {
        if !self.waiting()?.iter().any(&is_chosen) {
            return Ok(Vec::new());
        }
        self.file.change(|all| {
            let mut approved = Vec::new();
            for (server, pinned) in all {
                for waiting in waiting_of(server, pinned).into_iter().filter(&is_chosen) {
                    pinned.approve(&waiting.name, &waiting.mark);
                    approved.push(waiting);
                }
            }
            approved
        })
    }

    /// Everything that waits for approval.
    pub fn waiting(&self) -> Result<Vec<PendingPin>, PinsError> {
        let all = self.file.read()?;
        Ok(all.iter().flat_map(|(server, pinned)| waiting_of(server, pinned)).collect())
    }

    /// What a server offered when it was last looked over.
    pub fn known(&self, server: &str, quarantine: bool) -> Result<Option<KnownServer>, PinsError> {
        let all = self.file.read()?;
        Ok(all.get(server).map(|pinned| KnownServer {
            listing: pinned.offered(&pinned.remembered(), quarantine),
            waiting: pinned.changes().into_iter().map(|change| change.name).collect(),
        }))
    }

    /// True when this is the approved definition of a tool.
    pub fn is_approved(&self, server: &str, definition: &Value) -> Result<bool, PinsError> {
        let all = self.file.read()?;
        Ok(all.get(server).is_some_and(|pinned| pinned.has_approved(definition)))
    }
}

fn waiting_of(server: &str, pinned: &PinnedServer) -> Vec<PendingPin> {
    let one = |name: &str, pin: &PinnedDefinition, before: Value| PendingPin {
        server: server.to_owned(),
        name: name.to_owned(),
        mark: pin.mark().to_owned(),
        before,
        now: pin.definition.clone(),
    };
    let words = pinned.waiting_words.iter().map(|pin| one(SERVER_WORDS, pin, pinned.words().definition));
    let tools = pinned.waiting.iter().map(|pin| {
        let before = pinned.tools.iter().find(|before| before.name == pin.name);
        one(&pin.name, pin, before.map_or(Value::Null, |before| before.definition.clone()))
    });
    words.chain(tools).collect()
}

#[cfg(test)]
mod tests;
