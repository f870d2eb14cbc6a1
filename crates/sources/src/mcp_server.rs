//! Other MCP servers as sources: their configuration as the popular clients write it, and their tools as operations
//! (operation sources, section on MCP).
//!
//! `config` reads files and addresses of servers, `operator_settings` adds what the operator sets for them, `classify` finds the
//! category of a tool, `lower` makes the operations, `bundle` writes down what was seen, `adapter_target` how an adapter file
//! reaches the same server. Nothing here connects anywhere: that is done by a `ServerConnector`, which `connection` uses.

mod adapter_target;
mod bundle;
mod classify;
mod config;
mod connection;
mod kind;
mod lower;
mod operator_settings;
mod servers_file;

#[cfg(test)]
pub(crate) use adapter_target::adapter_target;
pub use config::{
    LeftOutServer, OneServerProblem, OpenQuote, ServerList, USUAL_TIMEOUT, looks_like_servers, one_server,
    read_servers,
};
pub use connection::{ServerConnector, ServerOffer};
pub use kind::McpServerKind;
pub use lower::{ImportedServer, load, operation_name};
pub use servers_file::ServersFileKind;

#[cfg(test)]
mod tests;
