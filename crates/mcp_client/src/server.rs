//! Supervises one server: connects, watches its tools, restarts it when it ends, closes it on request.
//!
//! Invariant: a caller gets a connection or the reason why there is none at once; only the first start is waited for.

use crate::child::ChildProcess;
use crate::connect::{self, ConnectError, LiveConnection, ProtocolEra};
use crate::connection::{RequestError, ServerConnection};
use crate::event::ClientEvent;
use crate::settings::ClientSettings;
use crate::{list, server_secrets};
use aqueduct_egress::environment::Environment;
use aqueduct_egress::redact::Redactor;
use aqueduct_operations::gatekeeper::ConnectPermit;
use aqueduct_operations::handler::HandlerError;
use aqueduct_operations::mcp::{ServerConfig, ServerListing};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{broadcast, watch};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// How long the SDK may take to close a connection.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(500);

/// The wait between a change of the tools and reading them again, so that several changes are read once.
const SETTLE_TIME: Duration = Duration::from_millis(50);

/// How many different failures are reported before it runs again.
const MAX_REPORTED: usize = 8;

/// A server.
#[derive(Debug)]
pub(crate) struct ServerSupervisor {
    /// The permit to reach it, with how it is reached.
    permit: Arc<ConnectPermit>,
    /// The settings of all.
    pub(crate) settings: Arc<ClientSettings>,
    /// What it must not give away.
    pub(crate) redactor: Arc<Redactor>,
    environment: Arc<dyn Environment>,
    events: broadcast::Sender<ClientEvent>,
    state: watch::Sender<ServerState>,
    listing: Mutex<Option<Arc<ServerListing>>>,
    stop: CancellationToken,
    force: CancellationToken,
}

/// The state of a server.
#[derive(Debug, Clone)]
pub(crate) enum ServerState {
    /// Being started for the first time.
    Starting,
    /// It takes calls.
    Ready(Arc<ServerConnection>),
    /// It has ended or could not be started, and will be tried again.
    Down {
        /// Why, in words.
        why: Arc<str>,
        /// The last line of its standard error, for the operator's eyes.
        last_stderr: Option<Arc<str>>,
        /// When.
        next: Instant,
    },
    /// It cannot be started with these settings.
    Broken {
        /// Why, in words.
        why: Arc<str>,
    },
    /// Closed for good.
    Closed,
}

/// How an attempt ended.
enum AttemptEnd {
    Stopped,
    Lost {
        why: String,
        stderr: Vec<String>,
    },
    Broken {
        why: String,
    },
    /// The first handshake of its life failed: it may know only the older one.
    TryOlder,
}

impl ServerSupervisor {
    /// A server that is not yet supervised.
    pub(crate) fn new(
        permit: ConnectPermit,
        settings: Arc<ClientSettings>,
        environment: Arc<dyn Environment>,
        events: broadcast::Sender<ClientEvent>,
    ) -> ServerSupervisor {
        let redactor = Arc::new(server_secrets::redactor(permit.config(), &*environment));
        ServerSupervisor {
            permit: Arc::new(permit),
            settings,
            redactor,
            environment,
            events,
            state: watch::Sender::new(ServerState::Starting),
            listing: Mutex::new(None),
            stop: CancellationToken::new(),
            force: CancellationToken::new(),
        }
    }

    /// How it is reached.
    pub(crate) fn config(&self) -> &ServerConfig {
        self.permit.config()
    }

    /// What it offers, as last reported.
    pub(crate) fn listing(&self) -> Option<Arc<ServerListing>> {
        self.listing.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Its state.
    pub(crate) fn state(&self) -> ServerState {
        self.state.borrow().clone()
    }

    /// Waits until it is connected, or known not to be.
    pub(crate) async fn settled(&self) -> ServerState {
        let mut states = self.state.subscribe();
        match states.wait_for(|state| !matches!(state, ServerState::Starting)).await {
            Ok(state) => state.clone(),
            Err(_) => ServerState::Closed,
        }
    }

    /// Waits until it is closed.
    pub(crate) async fn closed(&self) {
        let mut states = self.state.subscribe();
        states.wait_for(|state| matches!(state, ServerState::Closed)).await.ok();
    }

    /// Stops it; with `force`, without a grace period.
    pub(crate) fn stop(&self, force: bool) {
        if force {
            self.force.cancel();
        }
        self.stop.cancel();
    }

    /// The connection, or why there is none.
    pub(crate) async fn connection(&self) -> Result<Arc<ServerConnection>, HandlerError> {
        let settled = tokio::time::timeout(self.config().timeout, self.settled()).await;
        let name = &self.config().name;
        let message = match settled {
            Ok(ServerState::Ready(connection)) => return Ok(connection),
            Ok(ServerState::Down { why, next, .. }) => {
                let wait = next.saturating_duration_since(Instant::now()).as_secs_f64();
                format!(
                    "The MCP server '{name}' is not running: {why}. It is being restarted, in about {wait:.1} s; \
                     try again after this time."
                )
            }
            Ok(ServerState::Broken { why }) => {
                format!("The MCP server '{name}' cannot be used: {why}. Its settings have to be changed.")
            }
            Ok(ServerState::Closed) => format!("The MCP server '{name}' has been closed."),
            Ok(ServerState::Starting) | Err(_) => {
                format!("The MCP server '{name}' is still starting; try again in some seconds.")
            }
        };
        Err(HandlerError::Unavailable { message })
    }

    /// Keeps it running until it is stopped.
    pub(crate) async fn supervise(self: Arc<Self>) {
        let (mut waits, mut era) = (self.settings.backoff.waits(), ProtocolEra::First);
        let (mut reported, mut was_ready) = (BTreeSet::new(), false);
        let server = self.config().name.as_str();
        loop {
            let began = Instant::now();
            let (why, stderr) = match self.attempt(&mut era).await {
                AttemptEnd::Stopped => break,
                AttemptEnd::TryOlder => continue,
                AttemptEnd::Broken { why } => {
                    self.state.send_replace(ServerState::Broken { why: why.as_str().into() });
                    if was_ready {
                        tracing::warn!(target: "aqueduct::mcp", server, why, "the MCP server cannot be used");
                    } else {
                        // The caller that waits for it reports the failure.
                        tracing::debug!(target: "aqueduct::mcp", server, why, "the MCP server cannot be used");
                    }
                    self.send(ClientEvent::Lost {
                        name: self.name(),
                        why,
                        stderr: Vec::new(),
                        retry_in: None,
                    });
                    self.stop.cancelled().await;
                    break;
                }
                AttemptEnd::Lost { why, stderr } => (why, stderr),
            };
            if self.stop.is_cancelled() {
                break;
            }
            if self.was_healthy(began) {
                waits = self.settings.backoff.waits();
            }
            let wait = waits.next().unwrap_or(self.settings.backoff.longest);
            if matches!(&*self.state.borrow(), ServerState::Ready(_)) {
                reported.clear();
                was_ready = true;
            }
            let last_stderr = stderr.last().map(|line| self.redactor.line(line).into());
            let next = Instant::now() + wait;
            self.state.send_replace(ServerState::Down { why: why.as_str().into(), last_stderr, next });
            // The same failure is reported once, and different ones up to a limit, until it has run again.
            if reported.len() < MAX_REPORTED && reported.insert(why.clone()) {
                if was_ready {
                    tracing::warn!(target: "aqueduct::mcp", server, why, ?stderr, ?wait, "the MCP server is restarted");
                } else {
                    // The caller that waits for the first start reports the failure.
                    tracing::debug!(target: "aqueduct::mcp", server, why, ?stderr, ?wait, "the MCP server did not start");
                }
                self.send(ClientEvent::Lost { name: self.name(), why, stderr, retry_in: Some(wait) });
            } else {
                tracing::debug!(target: "aqueduct::mcp", server, why, ?wait, "the MCP server is tried again");
            }
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = self.stop.cancelled() => break,
            }
        }
        self.state.send_replace(ServerState::Closed);
    }

    /// A server that worked restarts with the first wait; for one that dies unused the waits grow.
    fn was_healthy(&self, began: Instant) -> bool {
        let has_served = match &*self.state.borrow() {
            ServerState::Ready(connection) => connection.has_served.load(Ordering::Relaxed),
            _ => false,
        };
        has_served || began.elapsed() >= self.settings.healthy_after
    }

    /// Runs the server once, from start to end.
    async fn attempt(&self, era: &mut ProtocolEra) -> AttemptEnd {
        let (opened, mut process) =
            match connect::open(&self.permit, &self.settings, &*self.environment, &self.redactor) {
                Ok(opened) => opened,
                Err(error) => return self.ended_by(&error),
            };
        let handshake = async {
            let link = opened.handshake(*era).await?;
            let listing = self.list(&link.connection, self.settings.startup).await;
            listing.map(|listing| (link, listing)).map_err(|error| ConnectError::Handshake(error.to_string()))
        };
        let linked = tokio::select! {
            linked = tokio::time::timeout(self.settings.startup, handshake) => Some(linked),
            () = self.stop.cancelled() => None,
        };
        let ended = match linked {
            None => AttemptEnd::Stopped,
            Some(Ok(Ok((link, listing)))) => {
                *era = ProtocolEra::of(&link.connection);
                self.live(link, listing, process.as_mut()).await
            }
            Some(Ok(Err(error))) => {
                let is_first = *era == ProtocolEra::First;
                *era = era.other();
                if is_first { AttemptEnd::TryOlder } else { self.ended_by(&error) }
            }
            Some(Err(_)) => {
                let wait = self.settings.startup.as_secs();
                lost(&format!("it did not start within {wait} s"))
            }
        };
        self.end(process, ended).await
    }

    /// Serves calls until the connection is lost or stopped.
    async fn live(
        &self,
        link: LiveConnection,
        listing: ServerListing,
        process: Option<&mut ChildProcess>,
    ) -> AttemptEnd {
        let LiveConnection { connection, changed, mut running } = link;
        self.offer(listing);
        self.state.send_replace(ServerState::Ready(Arc::clone(&connection)));
        let why = if process.is_some() { "it ended" } else { "it cannot be reached any more" };
        let ended = tokio::select! {
            () = self.stop.cancelled() => AttemptEnd::Stopped,
            () = connection.lost.cancelled() => lost(why),
            () = process_ended(process, &connection) => lost(why),
            () = closed(&connection) => lost(why),
            () = connect::watch_tool_changes(&connection, &changed) => lost(why),
            () = self.follow(&connection, &changed) => lost(why),
        };
        connection.lost.cancel();
        if let Err(error) = running.close_with_timeout(CLOSE_TIMEOUT).await {
            tracing::debug!(target: "aqueduct::mcp", %error, "a connection was not left in order");
        }
        ended
    }

    /// Lists the tools again whenever they have changed.
    async fn follow(&self, connection: &ServerConnection, changed: &tokio::sync::Notify) {
        loop {
            changed.notified().await;
            tokio::time::sleep(SETTLE_TIME).await;
            match self.list(connection, self.config().timeout).await {
                Ok(listing) => self.offer(listing),
                Err(error) => {
                    let (server, error) = (&self.config().name, self.redactor.line(&error.to_string()));
                    tracing::warn!(target: "aqueduct::mcp", server, error, "the changed tools were not told");
                }
            }
        }
    }

    /// What the server offers now, without its secrets.
    async fn list(
        &self,
        connection: &ServerConnection,
        timeout: Duration,
    ) -> Result<ServerListing, RequestError> {
        let mut listing = list::list(&self.config().name, connection, timeout).await?;
        self.redactor.object(&mut listing.server);
        listing.instructions.iter_mut().for_each(|text| self.redactor.string(text));
        listing.tools.iter_mut().for_each(|tool| self.redactor.value(tool));
        Ok(listing)
    }

    fn ended_by(&self, error: &ConnectError) -> AttemptEnd {
        let why = self.redactor.line(&error.to_string());
        if error.is_lasting() { AttemptEnd::Broken { why } } else { lost(&why) }
    }

    /// Stores what the server offers, and sends an event.
    fn offer(&self, listing: ServerListing) {
        let listing = Arc::new(listing);
        let before =
            self.listing.lock().unwrap_or_else(PoisonError::into_inner).replace(Arc::clone(&listing));
        let name = self.name();
        self.send(match before {
            None => ClientEvent::Listed { name, listing },
            Some(before) if before != listing => ClientEvent::Changed { name, listing },
            Some(_) => ClientEvent::Same { name },
        });
    }

    async fn end(&self, process: Option<ChildProcess>, ended: AttemptEnd) -> AttemptEnd {
        let Some(process) = process else { return ended };
        // A server that is lost has no calls to finish.
        let grace = match &ended {
            AttemptEnd::Stopped => self.settings.grace,
            _ => CLOSE_TIMEOUT.min(self.settings.grace),
        };
        let grace = if self.force.is_cancelled() { Duration::ZERO } else { grace };
        let (status, stderr) = process.end(grace).await;
        let AttemptEnd::Lost { mut why, .. } = ended else { return ended };
        if let Some(status) = status.filter(|status| !status.success()) {
            why = format!("{why} ({status})");
        }
        AttemptEnd::Lost { why, stderr }
    }

    fn name(&self) -> String {
        self.config().name.clone()
    }

    fn send(&self, event: ClientEvent) {
        // No one has to listen.
        self.events.send(event).ok();
    }
}

/// Waits until the child has ended and its last responses are read; descendants may hold its streams open.
async fn process_ended(process: Option<&mut ChildProcess>, connection: &ServerConnection) {
    let Some(process) = process else { return std::future::pending().await };
    process.ended().await.ok();
    tokio::time::timeout(CLOSE_TIMEOUT, connection.lost.cancelled()).await.ok();
}

/// Waits until the SDK has left a connection of its own accord; it has no other way to tell.
async fn closed(connection: &ServerConnection) {
    while !connection.peer.is_transport_closed() {
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

fn lost(why: &str) -> AttemptEnd {
    AttemptEnd::Lost { why: why.to_owned(), stderr: Vec::new() }
}
