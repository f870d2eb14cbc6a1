//! One server's pins against what it offers.
//!
//! Pins and a listing in, the pins with what waits and what is gone out; and what may be offered of a listing. Only
//! `approve` changes what is approved.

use super::{ChangeKind, PinChange, SERVER_WORDS, strict};
use aqueduct_operations::digest::Digest;
use aqueduct_operations::mcp::ServerListing;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::HashSet;

/// The parts of a definition that a model or a policy goes by.
const PINNED: [&str; 6] = ["name", "title", "description", "inputSchema", "outputSchema", "annotations"];

/// The parts of what a server says of itself that a model is shown.
const WORDS: [&str; 4] = ["name", "title", "description", "websiteUrl"];

/// How many digits of a hash people are shown.
const MARK: usize = 8;

/// What is written down of a server.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct PinnedServer {
    /// Who the server said it was, approved.
    #[serde(default)]
    pub server: Map<String, Value>,
    /// Its approved instructions.
    #[serde(default)]
    pub instructions: Option<String>,
    /// Approved definitions.
    #[serde(default)]
    pub tools: Vec<PinnedDefinition>,
    /// Definitions that are new or differ, and wait for approval.
    #[serde(default)]
    pub waiting: Vec<PinnedDefinition>,
    /// Words of the server that differ, and wait for approval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting_words: Option<PinnedDefinition>,
    /// Approved tools that were not offered any more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<String>,
}

/// A definition with its hash.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct PinnedDefinition {
    pub name: String,
    sha256: String,
    pub definition: Value,
}

impl PinnedDefinition {
    fn of(tool: &Value) -> Option<PinnedDefinition> {
        let name = name_of(tool)?.to_owned();
        Some(PinnedDefinition { name, sha256: hash(tool), definition: tool.clone() })
    }

    fn of_words(server: &Map<String, Value>, instructions: Option<&str>) -> PinnedDefinition {
        let parts = WORDS.iter().filter_map(|part| Some(((*part).to_owned(), server.get(*part)?.clone())));
        let mut parts: Map<String, Value> = parts.collect();
        parts.extend(instructions.map(|text| ("instructions".to_owned(), Value::from(text))));
        let definition = json!({"server": server, "instructions": instructions});
        PinnedDefinition { name: SERVER_WORDS.to_owned(), sha256: digest(&parts), definition }
    }

    /// The short hash.
    pub fn mark(&self) -> &str {
        self.sha256.get(..MARK).unwrap_or(&self.sha256)
    }
}

/// The pins after a look at what a server offers; at the first sight of it, all of that.
pub(super) fn compared(before: Option<&PinnedServer>, listing: &ServerListing) -> PinnedServer {
    let offered = pins_of(listing);
    let Some(before) = before else {
        let (server, instructions) = (listing.server.clone(), listing.instructions.clone());
        return PinnedServer { server, instructions, tools: offered, ..PinnedServer::default() };
    };
    let place = |name: &str| offered.iter().position(|pin| pin.name == name);
    let mut tools = before.tools.clone();
    tools.sort_by_key(|pin| place(&pin.name).unwrap_or(usize::MAX));
    let removed = tools.iter().filter(|pin| place(&pin.name).is_none()).map(|pin| pin.name.clone()).collect();
    let words = PinnedDefinition::of_words(&listing.server, listing.instructions.as_deref());
    let waiting_words = (words.sha256 != before.words().sha256).then_some(words);
    let is_approved =
        |pin: &PinnedDefinition| tools.iter().any(|it| it.name == pin.name && it.sha256 == pin.sha256);
    let waiting = offered.iter().filter(|pin| !is_approved(pin)).cloned().collect();
    let (server, instructions) = (before.server.clone(), before.instructions.clone());
    PinnedServer { server, instructions, tools, waiting, waiting_words, removed }
}

impl PinnedServer {
    /// With hashes as they are made today, whatever the file says.
    pub fn hashed_again(mut self) -> PinnedServer {
        for pin in self.tools.iter_mut().chain(&mut self.waiting) {
            pin.sha256 = hash(&pin.definition);
        }
        self.waiting_words = self.waiting_words.map(|pin| {
            let (server, instructions) = parted(&pin.definition);
            PinnedDefinition::of_words(&server, instructions.as_deref())
        });
        self
    }

    /// The approved words of the server.
    pub fn words(&self) -> PinnedDefinition {
        PinnedDefinition::of_words(&self.server, self.instructions.as_deref())
    }

    /// True when this is the approved definition of a tool.
    pub fn has_approved(&self, definition: &Value) -> bool {
        let hash = hash(definition);
        self.tools.iter().any(|pin| Some(pin.name.as_str()) == name_of(definition) && pin.sha256 == hash)
    }

    /// Moves what waits under this name, when it has this mark, to what is approved.
    pub fn approve(&mut self, name: &str, mark: &str) {
        let words = self.waiting_words.take_if(|pin| pin.name == name && pin.mark() == mark);
        if let Some(words) = words {
            (self.server, self.instructions) = parted(&words.definition);
        }
        for pin in self.waiting.extract_if(.., |pin| pin.name == name && pin.mark() == mark) {
            self.tools.retain(|before| before.name != pin.name);
            self.tools.push(pin);
        }
    }

    /// Everything that waits.
    pub fn changes(&self) -> Vec<PinChange> {
        let of = |pin: &PinnedDefinition, kind| PinChange {
            name: pin.name.clone(),
            mark: pin.mark().to_owned(),
            kind,
        };
        let words = self.waiting_words.iter().map(|pin| of(pin, ChangeKind::Changed));
        let tools = self.waiting.iter().map(|pin| {
            let is_known = self.tools.iter().any(|before| before.name == pin.name);
            of(
                pin,
                match self.stricter(&pin.definition) {
                    Some(_) => ChangeKind::Milder,
                    None if is_known => ChangeKind::Changed,
                    None => ChangeKind::New,
                },
            )
        });
        words.chain(tools).collect()
    }

    /// What may be offered of a listing.
    pub fn offered(&self, listing: &ServerListing, quarantine: bool) -> ServerListing {
        let waits =
            |tool: &Value| name_of(tool).is_some_and(|name| self.waiting.iter().any(|pin| pin.name == name));
        if quarantine {
            let tools = listing.tools.iter().filter(|tool| !waits(tool)).cloned().collect();
            let mut server = self.server.clone();
            // A version changes all the time; one that is a number says nothing else.
            let version = listing.server.get("version").filter(|version| is_number(version));
            server.extend(version.map(|version| ("version".to_owned(), version.clone())));
            return ServerListing { server, instructions: self.instructions.clone(), tools };
        }
        let strict = |tool: &Value| {
            let stricter = if waits(tool) { self.stricter(tool) } else { None };
            stricter.unwrap_or_else(|| tool.clone())
        };
        ServerListing { tools: listing.tools.iter().map(strict).collect(), ..listing.clone() }
    }

    /// What the server offered when it was last looked over.
    pub fn remembered(&self) -> ServerListing {
        let is_gone = |pin: &&PinnedDefinition| self.removed.contains(&pin.name);
        let latest = |pin: &PinnedDefinition| {
            let waiting = self.waiting.iter().find(|waiting| waiting.name == pin.name);
            waiting.unwrap_or(pin).definition.clone()
        };
        let is_new = |pin: &&PinnedDefinition| !self.tools.iter().any(|before| before.name == pin.name);
        let new = self.waiting.iter().filter(is_new).map(|pin| pin.definition.clone());
        let tools = self.tools.iter().filter(|pin| !is_gone(pin)).map(latest).chain(new).collect();
        let (server, instructions) = match &self.waiting_words {
            Some(pin) => parted(&pin.definition),
            None => (self.server.clone(), self.instructions.clone()),
        };
        ServerListing { server, instructions, tools }
    }

    /// The definition with the claims of the approved one, where its own are milder. A tool that only spells its name in
    /// another way does not shed what it was.
    fn stricter(&self, tool: &Value) -> Option<Value> {
        let name = name_of(tool)?;
        let same = self.tools.iter().find(|pin| pin.name == name);
        let before = same.or_else(|| self.tools.iter().find(|pin| folded(&pin.name) == folded(name)))?;
        strict::stricter(&before.definition, tool)
    }
}

/// The short hash of a tool's definition.
pub fn mark_of(tool: &Value) -> String {
    hash(tool)[..MARK].to_owned()
}

fn parted(words: &Value) -> (Map<String, Value>, Option<String>) {
    let server = words.get("server").and_then(Value::as_object).cloned().unwrap_or_default();
    (server, words.get("instructions").and_then(Value::as_str).map(str::to_owned))
}

fn is_number(version: &Value) -> bool {
    version.as_str().is_some_and(|text| text.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
}

fn folded(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn name_of(tool: &Value) -> Option<&str> {
    tool.get("name").and_then(Value::as_str)
}

/// A pin for each tool; of two with the same name, the first is the one that is served.
fn pins_of(listing: &ServerListing) -> Vec<PinnedDefinition> {
    let mut seen = HashSet::new();
    listing
        .tools
        .iter()
        .filter_map(PinnedDefinition::of)
        .filter(|pin| seen.insert(pin.name.clone()))
        .collect()
}

/// The hash of what is pinned, whatever the order of keys.
fn hash(tool: &Value) -> String {
    let parts = PINNED.iter().filter_map(|part| Some(((*part).to_owned(), tool.get(*part)?.clone())));
    digest(&parts.collect())
}

fn digest(parts: &Map<String, Value>) -> String {
    Digest::of_values(parts).hex()
}
