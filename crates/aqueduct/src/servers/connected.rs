//! The MCP servers that sources connect to; nothing runs until the first one is added.
//!
//! Configurations in; what each server offers, and handlers of its tools, out. What a server offers is held against what
//! it offered when it was first seen: a tool that has changed is told of, and withheld where the operator wants that.

use super::{ServerSettings, is_same, not_there};
use aqueduct_mcp_client::{ClientSettings, Event, McpClient, McpClients, Pins, Variables, Verdict};
use aqueduct_operations::handler::Handler;
use aqueduct_operations::mcp::{Listing, Reach, ServerConfig};
use aqueduct_sources::HandlerFactory;
use aqueduct_upstream::Environment;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tokio::sync::broadcast::error::RecvError;

/// The servers that are connected to.
pub(crate) struct Servers {
    settings: ServerSettings,
    environment: Arc<dyn Environment>,
    clients: OnceLock<Option<McpClients>>,
    /// Changes that were told already.
    told: Mutex<BTreeSet<(String, String)>>,
}

impl Servers {
    /// No server yet.
    pub fn new(settings: ServerSettings, environment: Arc<dyn Environment>) -> Servers {
        Servers { settings, environment, clients: OnceLock::new(), told: Mutex::default() }
    }

    /// Begins to connect to a server; one that is known already goes on.
    pub fn add(&self, config: &ServerConfig) {
        let Some(clients) = self.started() else { return };
        let is_known = clients.client(&config.name).is_some_and(|known| is_same(known.config(), config));
        if !is_known {
            clients.add(config.clone());
        }
    }

    /// Ends a server.
    pub fn remove(&self, name: &str) {
        if let Some(clients) = self.clients() {
            clients.remove(name);
        }
    }

    /// Waits until every server that was never seen has said what it offers, or is known not to; others need no wait.
    pub fn wait_for_listings(&self) {
        let Some(clients) = self.clients() else { return };
        let is_unknown = |client: &McpClient| self.known_listing(client.config()).is_none();
        let unknown: Vec<McpClient> = clients.clients().into_iter().filter(is_unknown).collect();
        for failure in futures::executor::block_on(clients.wait_for(unknown, self.settings.patience)) {
            tracing::warn!(target: "aqueduct::load", "{failure}");
        }
    }

    /// Every server, by name: how many tools it offers now, or why it is not connected. Waits for those that are starting.
    pub fn states(&self) -> Vec<(String, Result<usize, String>)> {
        let Some(clients) = self.clients() else { return Vec::new() };
        let missing = futures::executor::block_on(clients.wait_ready(self.settings.patience));
        let state = |client: &McpClient| match missing.iter().find(|failure| failure.name == client.name()) {
            Some(failure) => Err(failure.why.clone()),
            None => Ok(client.listing().map_or(0, |listing| listing.tools.len())),
        };
        clients.clients().iter().map(|client| (client.name().to_owned(), state(client))).collect()
    }

    /// What a server offers, without what is withheld; before it is connected, what it offered the last time.
    pub fn listing(&self, config: &ServerConfig) -> Result<Listing, String> {
        let client = self.clients().and_then(|clients| clients.client(&config.name));
        let live = client.as_ref().and_then(|client| client.listing());
        match live {
            Some(listing) => Ok(self.reviewed(config, &listing)),
            None => {
                self.known_listing(config).ok_or_else(|| match client.and_then(|client| client.trouble()) {
                    Some(why) => format!("The MCP server '{}' offers nothing yet: {why}", config.name),
                    None => format!("The MCP server '{}' cannot be started", config.name),
                })
            }
        }
    }

    /// The code that calls a tool of a server.
    pub fn handler(&self, server: &str, tool: &str) -> Arc<dyn Handler> {
        match self.clients().and_then(|clients| clients.handler(server, tool)) {
            Some(handler) => handler,
            None => not_there(server),
        }
    }

    /// Makes handlers for adapter files that name a server.
    pub fn factory(self: &Arc<Servers>) -> HandlerFactory {
        let servers = Arc::clone(self);
        HandlerFactory::new(move |config, tool| {
            servers.add(config);
            servers.handler(&config.name, tool)
        })
    }

    /// Calls this whenever a server offers something else than before, for as long as there are servers.
    pub fn on_news(&self, tell: impl Fn() + Send + 'static) {
        let Some(clients) = self.clients() else { return };
        let mut events = clients.events();
        let listen = move || {
            loop {
                match events.blocking_recv() {
                    Ok(Event::Same { .. }) => {}
                    Ok(Event::Lost { name, why, .. }) => {
                        tracing::warn!(target: "aqueduct::load", server = name, why, "the MCP server is not there");
                        tell();
                    }
                    Ok(Event::Listed { .. } | Event::Changed { .. }) => tell(),
                    Err(RecvError::Closed) => return,
                    // Some were missed: whatever they were, there is something to look at.
                    Err(RecvError::Lagged(_)) => tell(),
                }
            }
        };
        if let Err(error) = std::thread::Builder::new().name("mcp-news".to_owned()).spawn(listen) {
            tracing::warn!(target: "aqueduct::load", %error, "changes of MCP servers are not followed");
        }
    }

    /// Ends every server, with time to leave in order.
    pub async fn close(&self) {
        if let Some(clients) = self.clients() {
            clients.close_all().await;
        }
    }

    fn clients(&self) -> Option<&McpClients> {
        self.clients.get().and_then(Option::as_ref)
    }

    fn started(&self) -> Option<&McpClients> {
        let start = || {
            let environment = Arc::clone(&self.environment);
            let variables = Variables::new(move |name| environment.get(name));
            let settings = ClientSettings { guard: self.settings.guard.clone(), ..ClientSettings::default() };
            McpClients::start(settings, variables)
                .inspect_err(
                    |error| tracing::error!(target: "aqueduct::load", %error, "no MCP server can be started"),
                )
                .ok()
        };
        self.clients.get_or_init(start).as_ref()
    }

    /// A listing held against what was seen first.
    fn reviewed(&self, config: &ServerConfig, listing: &Listing) -> Listing {
        let Some(mut pins) = self.pins() else { return listing.clone() };
        match pins.review(&key_of(config), listing, self.settings.quarantine) {
            Ok(reviewed) => {
                for (tool, verdict) in &reviewed.verdicts {
                    if matches!(verdict, Verdict::Changed { .. }) {
                        self.tell(&config.name, tool, reviewed.withheld.contains(tool));
                    }
                }
                reviewed.listing
            }
            Err(error) => {
                tracing::warn!(target: "aqueduct::load", %error, "what servers offer is not remembered");
                listing.clone()
            }
        }
    }

    fn tell(&self, server: &str, tool: &str, is_withheld: bool) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if !told.insert((server.to_owned(), tool.to_owned())) && is_withheld {
            return;
        }
        if is_withheld {
            tracing::warn!(
                target: "aqueduct::load",
                server,
                tool,
                "the tool is not what it was when it was first seen; it is withheld until 'aqueduct pins --approve'"
            );
        } else {
            tracing::warn!(target: "aqueduct::load", server, tool, "the tool is not what it was when it was first seen");
        }
    }

    fn known_listing(&self, config: &ServerConfig) -> Option<Listing> {
        self.pins()?.known_listing(&key_of(config))
    }

    /// Read each time: another process may have approved something.
    fn pins(&self) -> Option<Pins> {
        let path = self.settings.pins.as_ref()?;
        Pins::open(path)
            .inspect_err(
                |error| tracing::warn!(target: "aqueduct::load", %error, "what servers offered is not known"),
            )
            .ok()
    }
}

/// Two servers with the same name are only the same when they are reached in the same way.
fn key_of(config: &ServerConfig) -> String {
    let reach = match &config.reach {
        Reach::Stdio { command, args, .. } => json!([command, args]).to_string(),
        Reach::Http { url, .. } => url.to_string(),
    };
    let digest: [u8; 32] = Sha256::digest(reach.as_bytes()).into();
    let short: String = digest[..4].iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{}@{short}", config.name)
}

impl fmt::Debug for Servers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Servers").field("settings", &self.settings).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::{Servers, key_of};
    use crate::servers::ServerSettings;
    use aqueduct_mcp_client::Pins;
    use aqueduct_operations::mcp::{Listing, Reach, ServerConfig};
    use aqueduct_upstream::ProcessEnvironment;
    use serde_json::json;
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    fn server(name: &str, command: &str, args: &[&str]) -> ServerConfig {
        let args = args.iter().map(|arg| (*arg).to_owned()).collect();
        let reach = Reach::Stdio { command: command.to_owned(), args, env: Vec::new(), cwd: None };
        ServerConfig { name: name.to_owned(), reach, timeout: Duration::from_secs(60) }
    }

    /// What a server of the same name offered is no pin for one that is reached in another way.
    #[test]
    fn pins_are_of_one_way_to_a_server() {
        let mut keys = vec![
            key_of(&server("a", "x", &[])),
            key_of(&server("a", "y", &[])),
            key_of(&server("a", "x", &["z"])),
            key_of(&server("b", "x", &[])),
        ];
        assert!(keys.iter().take(3).all(|key| key.starts_with("a@")), "{keys:?}");
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), 4);
    }

    /// A server that was seen before is not waited for, though another one is new; that one only until it is settled.
    #[cfg(unix)]
    #[test]
    fn only_new_servers_are_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pins.json");
        let silent = server("silent", "sleep", &["1000"]);
        let mut pins = Pins::open(&path).unwrap();
        let tools = vec![json!({"name": "read", "inputSchema": {"type": "object"}})];
        pins.review(&key_of(&silent), &Listing { tools, ..Listing::default() }, false).unwrap();
        let patience = Duration::from_secs(20);
        let settings = ServerSettings { pins: Some(path), patience, ..ServerSettings::default() };
        let servers = Servers::new(settings, Arc::new(ProcessEnvironment));
        servers.add(&silent);
        servers.add(&server("new", "no-such-program-here", &[]));
        let began = Instant::now();
        servers.wait_for_listings();
        assert!(began.elapsed() < patience, "{:?}", began.elapsed());
        assert!(servers.listing(&silent).is_ok());
    }
}
