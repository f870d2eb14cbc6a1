//! The MCP side of the server: tools, their descriptions, and calls of them.

pub(crate) mod batch;
pub(crate) mod call_response;
mod changes;
mod describe;
mod elicitation;
pub(crate) mod encoded;
pub(crate) mod inner_ids;
pub(crate) mod plain_call;
pub(crate) mod progress;
pub mod server;
pub(crate) mod session;
mod tasks;
mod tools;
pub(crate) mod unreadable;

pub use server::AqlServer;
pub use tools::{ToolSet, tool_set};
