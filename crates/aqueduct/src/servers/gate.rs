//! What servers offer, held against what was seen first: what is shown, what is withheld, and what may be called.
//!
//! Listings in; what may be offered of them, and every change reported once, out. With quarantine nothing passes that cannot
//! be compared, and each call looks again at what the server offers then.

use aqueduct_mcp_client::{ChangeKind, PinChange, Pins, PinsError, SERVER_WORDS, ToolCheck, mark_of};
use aqueduct_operations::digest::Digest;
use aqueduct_operations::handler::HandlerError;
use aqueduct_operations::mcp::{ServerConfig, ServerListing, ServerTransport};
use aqueduct_sources::mcp_server::{self, ServerOffer};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Holds listings against pins.
#[derive(Debug)]
pub(super) struct PinGate {
    pins: Option<Pins>,
    quarantine: bool,
    /// What was reported already.
    reported: Mutex<BTreeSet<String>>,
    /// Servers with the marks of definitions that are approved.
    approved: Mutex<BTreeSet<(String, String)>>,
}

impl PinGate {
    /// Without pins nothing is remembered, and everything passes.
    pub fn new(pins: Option<Pins>, quarantine: bool) -> PinGate {
        if quarantine && pins.is_none() {
            tracing::warn!(
                target: "aqueduct::load",
                "'quarantine' has no effect: there is no directory for state; name one with --state-dir"
            );
        }
        PinGate { pins, quarantine, reported: Mutex::default(), approved: Mutex::default() }
    }

    /// What may be offered of a listing.
    pub fn reviewed(&self, config: &ServerConfig, listing: &ServerListing) -> Result<ServerOffer, String> {
        let everything = || ServerOffer { listing: listing.clone(), withheld: Vec::new() };
        let Some(pins) = &self.pins else { return Ok(everything()) };
        match pins.review(&key_of(config), listing, self.quarantine) {
            Ok(reviewed) => {
                reviewed.changes.iter().for_each(|change| self.log_change(&config.name, change));
                if let Some(error) = &reviewed.not_kept {
                    self.log_error(error);
                }
                let names = reviewed.changes.into_iter().map(|change| change.name);
                Ok(ServerOffer { listing: reviewed.listing, withheld: self.withheld(names) })
            }
            Err(error) => {
                self.log_error(&error);
                if self.quarantine { Err(uncompared(&config.name)) } else { Ok(everything()) }
            }
        }
    }

    /// What a server offered the last time; nothing when it was never seen.
    pub fn known(&self, config: &ServerConfig) -> Result<Option<ServerOffer>, String> {
        let Some(pins) = &self.pins else { return Ok(None) };
        match pins.known(&key_of(config), self.quarantine) {
            Ok(known) => Ok(known.map(|known| ServerOffer {
                listing: known.listing,
                withheld: self.withheld(known.waiting.into_iter()),
            })),
            Err(error) => {
                self.log_error(&error);
                if self.quarantine { Err(uncompared(&config.name)) } else { Ok(None) }
            }
        }
    }

    /// What looks at a tool of a server before each call; nothing without quarantine.
    pub fn check(self: &Arc<PinGate>, config: &ServerConfig, tool: &str) -> Option<Arc<dyn ToolCheck>> {
        if !self.quarantine || self.pins.is_none() {
            return None;
        }
        let (config, tool) = (config.clone(), tool.to_owned());
        Some(Arc::new(ToolGate { gate: Arc::clone(self), key: key_of(&config), config, tool }))
    }

    /// The names of operations that are not shown, of tools that wait.
    fn withheld(&self, waiting: impl Iterator<Item = String>) -> Vec<String> {
        let named =
            |name: String| if name == SERVER_WORDS { name } else { mcp_server::operation_name(&name) };
        waiting.filter(|_| self.quarantine).map(named).collect()
    }

    fn is_approved(&self, key: &str, definition: &Value) -> Result<bool, PinsError> {
        let Some(pins) = &self.pins else { return Ok(true) };
        let mark = (key.to_owned(), mark_of(definition));
        if self.approved.lock().unwrap_or_else(PoisonError::into_inner).contains(&mark) {
            return Ok(true);
        }
        let is_approved = pins.is_approved(key, definition)?;
        if is_approved {
            self.approved.lock().unwrap_or_else(PoisonError::into_inner).insert(mark);
        }
        Ok(is_approved)
    }

    fn log_change(&self, server: &str, change: &PinChange) {
        let PinChange { name, mark, kind } = change;
        if !self.is_news(format!("{server}/{name}@{mark}")) {
            return;
        }
        let what = match kind {
            ChangeKind::New => "a tool is new since the server was first seen",
            ChangeKind::Changed | ChangeKind::Milder => "it is not what it was when it was first seen",
        };
        let then = match kind {
            _ if self.quarantine => "it is withheld until 'aqueduct pins --approve'",
            ChangeKind::Milder => {
                "it says that it does less harm, which does not count until 'aqueduct pins --approve'"
            }
            ChangeKind::New | ChangeKind::Changed => "see 'aqueduct pins'",
        };
        tracing::warn!(target: "aqueduct::load", server, tool = name, mark, "{what}; {then}");
    }

    fn log_error(&self, error: &PinsError) {
        if !self.is_news(error.to_string()) {
            return;
        }
        let then = match (error, self.quarantine) {
            (PinsError::Unwritable { .. }, true) => "make it writable; what is new is withheld until then",
            (PinsError::Unwritable { .. }, false) => "what servers offer is not remembered",
            (_, true) => "repair it or move it away; what servers offer is withheld until then",
            (_, false) => "repair it or move it away; until then no change of what servers offer is noticed",
        };
        tracing::warn!(target: "aqueduct::load", "{error}; {then}");
    }

    fn is_news(&self, what: String) -> bool {
        self.reported.lock().unwrap_or_else(PoisonError::into_inner).insert(what)
    }
}

/// Why nothing of a server is shown, for clients too.
fn uncompared(server: &str) -> String {
    format!(
        "Everything of the MCP server '{server}' is withheld, because the file of pinned tools is of no use; the operator's \
         log says which file it is"
    )
}

/// Looks at one tool before each call.
#[derive(Debug)]
struct ToolGate {
    gate: Arc<PinGate>,
    key: String,
    config: ServerConfig,
    tool: String,
}

impl ToolCheck for ToolGate {
    fn check(&self, listing: &ServerListing) -> Result<(), HandlerError> {
        let ToolGate { tool, config: ServerConfig { name: server, .. }, .. } = self;
        let definition = listing.tools.iter().find(|each| each.get("name").is_some_and(|name| name == tool));
        let message = match definition.map(|definition| self.gate.is_approved(&self.key, definition)) {
            Some(Ok(true)) => return Ok(()),
            Some(Ok(false)) => {
                // No one else may have looked yet: it is to be found among what waits.
                match self.gate.reviewed(&self.config, listing) {
                    Ok(_) => format!(
                        "The tool '{tool}' of the MCP server '{server}' has changed, and waits for approval: the operator \
                         sees it with 'aqueduct pins'. Nothing was called."
                    ),
                    Err(why) => why,
                }
            }
            Some(Err(error)) => {
                self.gate.log_error(&error);
                uncompared(server)
            }
            None => format!(
                "The MCP server '{server}' does not offer the tool '{tool}' any more. Nothing was called."
            ),
        };
        Err(HandlerError::Withheld { message })
    }
}

/// Two servers with the same name are only the same when they are reached in the same way.
pub(super) fn key_of(config: &ServerConfig) -> String {
    let reach = match &config.reach {
        ServerTransport::Stdio { command, args, .. } => json!([command, args]).to_string(),
        ServerTransport::Http { url, .. } => url.to_string(),
    };
    format!("{}@{}", config.name, &Digest::of_text(&reach).hex()[..8])
}

#[cfg(test)]
mod tests;
