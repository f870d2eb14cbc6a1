//! From the configuration of a server to a connection on which the handshake is done.
//!
//! The newest protocol is tried first and the older handshake next; which of them a server speaks is remembered for
//! its restarts. A server that falls silent or ends over the first question is asked the older way the next time.

use crate::child::{self, ChildProcess, ChildProgram, StartError};
use crate::connection::ServerConnection;
use crate::http::{self, AddressError, RecordingClient};
use crate::lines::LineTransport;
use crate::raw_results::RawResults;
use crate::server_events::ServerEvents;
use crate::settings::ClientSettings;
use aqueduct_egress::destination::named_scope;
use aqueduct_egress::environment::Environment;
use aqueduct_egress::redact::Redactor;
use aqueduct_operations::gatekeeper::ConnectPermit;
use aqueduct_operations::mcp::ServerTransport;
use rmcp::RoleClient;
use rmcp::model::{ProtocolVersion, SubscriptionFilter};
use rmcp::service::{ClientInitializeError, ClientLifecycleMode, ClientServiceExt, Peer, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// A connection and what keeps it alive.
pub(crate) struct LiveConnection {
    /// For requests.
    pub(crate) connection: Arc<ServerConnection>,
    /// Notified that the tools have changed.
    pub(crate) changed: Arc<Notify>,
    /// The SDK's loop.
    pub(crate) running: RunningService<RoleClient, ServerEvents>,
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConnectError {
    /// The child did not start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The address is not usable.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// The handshake failed.
    #[error("{0}")]
    Handshake(String),
    /// There was no answer in time.
    #[error("{0}")]
    Silent(String),
}

impl ConnectError {
    /// True when only a change of settings helps.
    pub(crate) fn is_lasting(&self) -> bool {
        matches!(
            self,
            ConnectError::Start(StartError::Unset(_))
                | ConnectError::Address(
                    AddressError::Unset(_)
                        | AddressError::Header(_)
                        | AddressError::PlainHttp
                        | AddressError::Refused(_)
                )
        )
    }
}

/// Which handshake to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProtocolEra {
    /// The newest, then the older one; nothing is known of the server.
    First,
    /// The same, for a server that is known or was tried before.
    Newest,
    /// `initialize`.
    Older,
}

impl ProtocolEra {
    fn lifecycle(self) -> ClientLifecycleMode {
        match self {
            ProtocolEra::First | ProtocolEra::Newest => ClientLifecycleMode::Auto {
                preferred_versions: vec![ProtocolVersion::V_2026_07_28],
                legacy_version: Some(ProtocolVersion::LATEST_WITH_INITIALIZE),
            },
            ProtocolEra::Older => ClientLifecycleMode::Initialize,
        }
    }

    /// What to try after a failure.
    pub(crate) fn other(self) -> ProtocolEra {
        match self {
            ProtocolEra::First | ProtocolEra::Newest => ProtocolEra::Older,
            ProtocolEra::Older => ProtocolEra::Newest,
        }
    }

    /// What a connection that was made tells about the server.
    pub(crate) fn of(connection: &ServerConnection) -> ProtocolEra {
        if is_newest(&connection.peer) { ProtocolEra::Newest } else { ProtocolEra::Older }
    }
}

/// Starts or opens what the server is reached by; a child is given back at once, so that it can be ended whatever
/// becomes of the handshake.
pub(crate) fn open(
    permit: &Arc<ConnectPermit>,
    settings: &ClientSettings,
    environment: &dyn Environment,
    redactor: &Arc<Redactor>,
) -> Result<(OpenTransport, Option<ChildProcess>), ConnectError> {
    let config = permit.config();
    let results = Arc::new(RawResults::of(Arc::clone(redactor)));
    let lost = CancellationToken::new();
    let (transport, process) = match &config.reach {
        ServerTransport::Stdio { command, args, env, cwd } => {
            let program =
                ChildProgram { server: &config.name, command, args, env, cwd: cwd.as_deref(), redactor };
            let (process, (stdout, stdin)) = child::start(program, settings, environment)?;
            let lines = LineTransport::new(stdout, stdin, Arc::clone(&results), lost.clone());
            (TransportKind::Streams(lines), Some(process))
        }
        ServerTransport::Http { url, headers } => {
            let scope = named_scope(url, settings.own_origins.contains(url));
            let settings = http::settings(url, headers, environment)?;
            let client =
                RecordingClient::new(permit, url, scope, Arc::clone(&results), Arc::clone(redactor))?;
            (TransportKind::Http(StreamableHttpClientTransport::with_client(client, settings)), None)
        }
    };
    let mut events = ServerEvents::new(&config.name, Arc::clone(redactor));
    events.offers_elicitation = settings.offers_elicitation;
    Ok((OpenTransport { transport, results, lost, events }, process))
}

/// An open transport, before the handshake.
pub(crate) struct OpenTransport {
    transport: TransportKind,
    results: Arc<RawResults>,
    lost: CancellationToken,
    events: ServerEvents,
}

enum TransportKind {
    Streams(LineTransport<tokio::process::ChildStdout, tokio::process::ChildStdin>),
    Http(StreamableHttpClientTransport<RecordingClient>),
}

impl OpenTransport {
    /// Completes the handshake.
    pub(crate) async fn handshake(self, era: ProtocolEra) -> Result<LiveConnection, ConnectError> {
        let events = self.events;
        let (in_flight, changed) = (Arc::clone(&events.in_flight), Arc::clone(&events.changed));
        let running = match self.transport {
            TransportKind::Streams(lines) => events.serve_with_lifecycle(lines, era.lifecycle()).await,
            TransportKind::Http(transport) => events.serve_with_lifecycle(transport, era.lifecycle()).await,
        };
        let running = running.map_err(|error| ConnectError::Handshake(explain(&error)))?;
        let (peer, has_served) = (running.peer().clone(), AtomicBool::new(false));
        let connection =
            ServerConnection { peer, in_flight, results: self.results, lost: self.lost, has_served };
        Ok(LiveConnection { connection: Arc::new(connection), changed, running })
    }
}

/// A child that has ended, noticed while reading or while writing.
const ENDED: &str = "it ended before it answered";

/// The error in words, without the SDK's types in them.
fn explain(error: &ClientInitializeError) -> String {
    if error.is_authorization_required() {
        return http::UNAUTHORIZED.to_owned();
    }
    match error {
        ClientInitializeError::ConnectionClosed(_) => ENDED.to_owned(),
        ClientInitializeError::JsonRpcError(error) => format!("it refuses the handshake: {}", error.message),
        ClientInitializeError::TransportError { error, .. } => {
            let error: &(dyn std::error::Error + 'static) = error.error.as_ref();
            let is_gone =
                error.downcast_ref::<io::Error>().is_some_and(|it| it.kind() == ErrorKind::BrokenPipe);
            match http::find_failure(error) {
                Some(failure) => http::describe(failure),
                None if is_gone => ENDED.to_owned(),
                None => format!("it cannot be reached: {error}"),
            }
        }
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => explain(fallback),
        ClientInitializeError::NoCompatibleProtocolVersion { .. } => {
            "it speaks no version of the protocol known here".to_owned()
        }
        _ => "its answer to the handshake is not understood".to_owned(),
    }
}

fn is_newest(peer: &Peer<RoleClient>) -> bool {
    peer.peer_info().is_some_and(|info| !info.protocol_version.has_initialize())
}

/// Subscribes to changes of the tools where the protocol needs a subscription; elsewhere notifications come without one.
pub(crate) async fn watch_tool_changes(connection: &ServerConnection, changed: &Notify) {
    let announces = |peer: &Peer<RoleClient>| {
        let info = peer.peer_info();
        let tools = info.as_ref().and_then(|info| info.capabilities.tools.as_ref());
        tools.is_some_and(|tools| tools.list_changed == Some(true))
    };
    if !is_newest(&connection.peer) || !announces(&connection.peer) {
        return std::future::pending().await;
    }
    loop {
        let filter = SubscriptionFilter::builder().tools_list_changed().build();
        match connection.peer.listen(filter).await {
            Ok(mut subscription) => {
                while let Ok(Some(_)) = subscription.next().await {
                    changed.notify_one();
                }
                // What changed while no one listened is not announced again.
                changed.notify_one();
            }
            Err(error) => {
                tracing::debug!(target: "aqueduct::mcp", %error, "an MCP server does not tell of changes")
            }
        }
        tokio::time::sleep(Duration::from_secs(5)).await;
    }
}
