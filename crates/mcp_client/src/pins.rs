//! Tool definitions pinned by hash: whether a server offers what it offered when it was last looked over.
//!
//! A listing in, a verdict for every tool out. The first sight of a tool pins it; a tool whose name, description,
//! schemas or annotations change is announced, and withheld until approved when the operator wants that. The
//! definitions themselves are kept beside the hashes, so that a server's tools can be shown before it is connected.

use aqueduct_operations::canonical::canonical;
use aqueduct_operations::mcp::Listing;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The parts of a definition that a model or a policy goes by.
const PINNED: [&str; 5] = ["name", "description", "inputSchema", "outputSchema", "annotations"];

/// Pinned definitions, in a file.
#[derive(Debug)]
pub struct Pins {
    path: PathBuf,
    servers: BTreeMap<String, Pinned>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Pinned {
    /// Who the server said it was.
    #[serde(default)]
    server: Map<String, Value>,
    #[serde(default)]
    instructions: Option<String>,
    /// Approved definitions in the order in which they were told.
    #[serde(default)]
    tools: Vec<Pin>,
    /// Definitions that differ and wait for approval.
    #[serde(default)]
    waiting: Vec<Pin>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Pin {
    name: String,
    sha256: String,
    definition: Value,
}

/// How a tool compares with its pin.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Seen for the first time, and pinned now.
    New,
    /// As it was.
    Same,
    /// Different.
    Changed {
        /// As it was.
        before: Value,
    },
    /// Not offered any more.
    Gone,
}

/// A listing that has been looked over.
#[derive(Debug, Clone, PartialEq)]
pub struct Reviewed {
    /// What may be offered.
    pub listing: Listing,
    /// A verdict for every tool.
    pub verdicts: Vec<(String, Verdict)>,
    /// Tools that wait for approval.
    pub withheld: Vec<String>,
}

/// Why pins could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum PinsError {
    /// The file could not be read or written.
    #[error("the pinned tools could not be read or written: {0}")]
    File(#[from] io::Error),
    /// The file is not what was written.
    #[error("the file of pinned tools is damaged: {0}")]
    Damaged(#[from] serde_json::Error),
}

impl Pins {
    /// Opens the file; there are no pins when it is not there.
    #[expect(clippy::disallowed_methods, reason = "the file is this program's own")]
    pub fn open(path: impl Into<PathBuf>) -> Result<Pins, PinsError> {
        let path = path.into();
        let servers = match fs::read(&path) {
            Ok(text) => serde_json::from_slice(&text)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => return Err(error.into()),
        };
        Ok(Pins { path, servers })
    }

    /// Compares a listing with the pins, without changing them.
    pub fn judge(&self, server: &str, listing: &Listing) -> Vec<(String, Verdict)> {
        let pinned = self.servers.get(server).map_or(&[][..], |pinned| &pinned.tools);
        let mut verdicts: Vec<(String, Verdict)> = pins_of(listing)
            .map(|pin| {
                let verdict = match pinned.iter().find(|before| before.name == pin.name) {
                    None => Verdict::New,
                    Some(before) if before.sha256 == pin.sha256 => Verdict::Same,
                    Some(before) => Verdict::Changed { before: before.definition.clone() },
                };
                (pin.name, verdict)
            })
            .collect();
        let gone = pinned.iter().filter(|pin| !verdicts.iter().any(|(name, _)| *name == pin.name));
        let gone: Vec<_> = gone.map(|pin| (pin.name.clone(), Verdict::Gone)).collect();
        verdicts.extend(gone);
        verdicts
    }

    /// Looks a listing over, pins what is new and writes that down. With `quarantine` what has changed is withheld
    /// until approved; without it the changed definition becomes the pin.
    pub fn review(
        &mut self,
        server: &str,
        listing: &Listing,
        quarantine: bool,
    ) -> Result<Reviewed, PinsError> {
        let verdicts = self.judge(server, listing);
        let is_changed = |name: &str| {
            verdicts
                .iter()
                .any(|(other, verdict)| other == name && matches!(verdict, Verdict::Changed { .. }))
        };
        let withheld: Vec<String> = match quarantine {
            true => verdicts.iter().map(|(name, _)| name).filter(|name| is_changed(name)).cloned().collect(),
            false => Vec::new(),
        };
        let before = self.servers.get(server).cloned().unwrap_or_default();
        let mut after = Pinned {
            server: listing.server.clone(),
            instructions: listing.instructions.clone(),
            ..Pinned::default()
        };
        for pin in pins_of(listing) {
            if withheld.contains(&pin.name) {
                after.tools.extend(before.tools.iter().find(|old| old.name == pin.name).cloned());
                after.waiting.push(pin);
            } else {
                after.tools.push(pin);
            }
        }
        // A tool that goes and comes back is held to what it was.
        let gone = verdicts.iter().filter(|(_, verdict)| *verdict == Verdict::Gone).map(|(name, _)| name);
        after
            .tools
            .extend(gone.filter_map(|name| before.tools.iter().find(|pin| pin.name == *name)).cloned());
        if after != before {
            self.servers.insert(server.to_owned(), after);
            self.write()?;
        }
        let mut listing = listing.clone();
        listing
            .tools
            .retain(|tool| name_of(tool).is_none_or(|name| !withheld.iter().any(|held| held == name)));
        Ok(Reviewed { listing, verdicts, withheld })
    }

    /// Approves a tool's changed definition, or all of the server's; gives the names of those that were waiting.
    pub fn approve(&mut self, server: &str, tool: Option<&str>) -> Result<Vec<String>, PinsError> {
        let Some(pinned) = self.servers.get_mut(server) else { return Ok(Vec::new()) };
        let (approved, waiting) =
            pinned.waiting.drain(..).partition::<Vec<Pin>, _>(|pin| tool.is_none_or(|tool| tool == pin.name));
        pinned.waiting = waiting;
        let names: Vec<String> = approved.iter().map(|pin| pin.name.clone()).collect();
        for pin in approved {
            pinned.tools.retain(|before| before.name != pin.name);
            pinned.tools.push(pin);
        }
        if !names.is_empty() {
            self.write()?;
        }
        Ok(names)
    }

    /// What waits for approval: server, tool, the pinned definition and the new one.
    pub fn waiting(&self) -> Vec<(String, String, Value, Value)> {
        let of = |pinned: &Pinned, pin: &Pin| {
            let before = pinned.tools.iter().find(|before| before.name == pin.name);
            before.map_or(Value::Null, |before| before.definition.clone())
        };
        let servers = self.servers.iter().flat_map(|(server, pinned)| {
            pinned
                .waiting
                .iter()
                .map(move |pin| (server.clone(), pin.name.clone(), of(pinned, pin), pin.definition.clone()))
        });
        servers.collect()
    }

    /// What a server offered when it was last looked over, to be shown before it is connected.
    pub fn known_listing(&self, server: &str) -> Option<Listing> {
        let pinned = self.servers.get(server)?;
        let is_waiting = |pin: &Pin| pinned.waiting.iter().any(|waiting| waiting.name == pin.name);
        Some(Listing {
            server: pinned.server.clone(),
            instructions: pinned.instructions.clone(),
            tools: pinned
                .tools
                .iter()
                .filter(|pin| !is_waiting(pin))
                .map(|pin| pin.definition.clone())
                .collect(),
        })
    }

    fn write(&self) -> Result<(), PinsError> {
        let text = serde_json::to_vec(&self.servers)?;
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        let beside = self.path.with_extension(format!("{}.new", std::process::id()));
        let mut file = private_file(&beside)?;
        file.write_all(&text)?;
        file.sync_all()?;
        fs::rename(&beside, &self.path)?;
        Ok(())
    }
}

fn private_file(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn name_of(tool: &Value) -> Option<&str> {
    tool.get("name").and_then(Value::as_str)
}

fn pins_of(listing: &Listing) -> impl Iterator<Item = Pin> {
    listing.tools.iter().filter_map(|tool| {
        let name = name_of(tool)?.to_owned();
        Some(Pin { name, sha256: hash(tool), definition: tool.clone() })
    })
}

/// The hash of what is pinned, whatever the order of keys.
fn hash(tool: &Value) -> String {
    let parts = PINNED.iter().filter_map(|part| Some(((*part).to_owned(), tool.get(*part)?.clone())));
    let digest = Sha256::digest(canonical(&parts.collect()));
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
