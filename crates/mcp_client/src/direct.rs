//! One server, spoken to directly by who examines it: its tools as it lists them, and results as they came.
//!
//! A permit to examine it in. Nothing is fitted, redacted, asked of a person or tried again. Everything runs on the caller's
//! runtime, which has one thread: with several, a result may lose members that the SDK does not know.

use crate::child::ChildProcess;
use crate::clients::NotConnected;
use crate::connect::{self, ConnectError, LiveConnection, ProtocolEra};
use crate::connection::RequestError;
use crate::in_flight::InFlightOrigin;
use crate::list;
use crate::raw_results::StrayLines;
use crate::server_secrets;
use crate::settings::ClientSettings;
use aqueduct_egress::environment::Environment;
use aqueduct_operations::call::{Caller, SessionId};
use aqueduct_operations::gatekeeper::{ConnectPermit, ExaminePermit};
use aqueduct_operations::mcp::ServerListing;
use rmcp::model::CallToolRequestParams;
use serde_json::{Map, Value};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::Instant;

/// The longest wait for a connection to be left in order.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// Why a tool has given no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DirectCallError {
    /// The server answers with an error of JSON-RPC.
    #[error("JSON-RPC error {code}: {message}")]
    JsonRpc {
        /// Its code.
        code: i64,
        /// Its words.
        message: String,
    },
    /// There is no answer.
    #[error("{0}")]
    NoAnswer(String),
}

/// A connection to one server.
pub struct DirectClient {
    link: LiveConnection,
    listing: ServerListing,
    process: Option<ChildProcess>,
    timeout: Duration,
    grace: Duration,
}

impl DirectClient {
    /// Connects, with the handshake that begins a session where the server has one.
    pub async fn connect(
        permit: ExaminePermit,
        settings: ClientSettings,
        environment: &dyn Environment,
    ) -> Result<DirectClient, NotConnected> {
        aqueduct_egress::tls::ready();
        let permit = Arc::new(permit.into_connect());
        // An examination has no person behind it who could be asked.
        let settings = ClientSettings { offers_elicitation: false, ..settings };
        let deadline = Instant::now() + settings.startup;
        let mut outcome = attempt(&permit, &settings, environment, (ProtocolEra::Older, deadline)).await;
        if outcome.as_ref().is_err_and(|error| matches!(error, ConnectError::Handshake(_))) {
            outcome = attempt(&permit, &settings, environment, (ProtocolEra::Newest, deadline)).await;
        }
        outcome.map_err(|error| NotConnected { name: permit.config().name.clone(), why: error.to_string() })
    }

    /// What the server offers.
    pub fn listing(&self) -> &ServerListing {
        &self.listing
    }

    /// What a server that was started wrote on its standard output besides messages; nothing for one with an address.
    pub fn stray_lines(&self) -> Option<StrayLines> {
        self.process.as_ref().map(|_| self.link.connection.results.stray_lines())
    }

    /// Calls a tool.
    pub async fn call(&self, tool: &str, arguments: Map<String, Value>) -> Result<Value, DirectCallError> {
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let person = (SessionId::new("examined"), Caller::local());
        let connection = &self.link.connection;
        let guard = connection.in_flight.enter(InFlightOrigin { person, listener: None, asker: None });
        let result = connection.call(params, &guard, self.timeout).await;
        result.map_err(|error| match error {
            RequestError::Server(error) => DirectCallError::JsonRpc {
                code: i64::from(error.code.0),
                message: error.message.into_owned(),
            },
            other => DirectCallError::NoAnswer(other.to_string()),
        })
    }

    /// Ends the connection, and the program behind it.
    pub async fn close(mut self) {
        self.link.connection.lost.cancel();
        if let Err(error) = self.link.running.close_with_timeout(CLOSE_TIMEOUT).await {
            tracing::debug!(target: "aqueduct::mcp", %error, "a connection was not left in order");
        }
        if let Some(process) = self.process {
            process.end(self.grace).await;
        }
    }
}

async fn attempt(
    permit: &Arc<ConnectPermit>,
    settings: &ClientSettings,
    environment: &dyn Environment,
    (era, deadline): (ProtocolEra, Instant),
) -> Result<DirectClient, ConnectError> {
    let config = permit.config();
    let redactor = Arc::new(server_secrets::redactor(config, environment));
    let (opened, process) = connect::open(permit, settings, environment, &redactor)?;
    let is_greeted = AtomicBool::new(false);
    let handshake = async {
        let link = opened.handshake(era).await?;
        is_greeted.store(true, Ordering::Relaxed);
        let listing = list::list(&config.name, &link.connection, settings.startup).await;
        listing.map(|listing| (link, listing)).map_err(|error| ConnectError::Handshake(error.to_string()))
    };
    let linked = tokio::time::timeout_at(deadline, handshake).await.unwrap_or_else(|_| {
        let wait = settings.startup.as_secs();
        let what = if is_greeted.load(Ordering::Relaxed) { "tools/list" } else { "initialize" };
        Err(ConnectError::Silent(format!("it did not answer '{what}' within {wait} s")))
    });
    match (linked, process) {
        (Ok((link, listing)), process) => {
            Ok(DirectClient { link, listing, process, timeout: config.timeout, grace: settings.grace })
        }
        (Err(error), None) => Err(error),
        (Err(error), Some(process)) => {
            let (_, stderr) = process.end(CLOSE_TIMEOUT.min(settings.grace)).await;
            match (stderr.last(), error) {
                (None, error) => Err(error),
                (Some(line), ConnectError::Silent(why)) => {
                    Err(ConnectError::Silent(format!("{why}; its last words: {line}")))
                }
                (Some(line), error) => {
                    Err(ConnectError::Handshake(format!("{error}; its last words: {line}")))
                }
            }
        }
    }
}
