//! Other MCP servers, over stdio and streamable HTTP: started, connected to, listed, called, restarted, and never left
//! behind.
//!
//! `McpClients` holds them all. What a server offers is given as it came; its tools are run through
//! `operations::handler::Handler`, so that nothing else in the program knows of this protocol's client side. `DirectClient` is for who examines a server.

mod child;
mod clients;
mod connect;
mod connection;
mod direct;
mod environment;
mod event;
mod handler;
mod http;
mod in_flight;
mod lines;
mod list;
mod pins;
mod process_guard;
mod raw_results;
mod server;
mod server_events;
mod server_secrets;
mod settings;
mod tool_result;

pub use aqueduct_egress::backoff::Backoff;
pub use aqueduct_egress::environment::{Environment, ProcessEnvironment};
pub use clients::{LoadedServers, McpClient, McpClients, NotConnected, OnFailure};
pub use direct::{DirectCallError, DirectClient};
pub use event::ClientEvent;
pub use handler::{ToolCall, ToolCheck};
pub use pins::{
    ChangeKind, KnownServer, PendingPin, PinChange, Pins, PinsError, ReviewedListing, SERVER_WORDS, mark_of,
};
pub use process_guard::guard_main;
pub use raw_results::StrayLines;
pub use settings::{ClientSettings, OwnOrigins};
