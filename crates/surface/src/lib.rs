//! What clients connect to. The only crate that knows the MCP SDK's server side.
//!
//! `stdio` reads lines, `http` takes requests, and both hand them to `mcp/server`; `mcp/tools` and `mcp/describe` say
//! what the tools are. `metrics` counts. `operator_page` is for the operator alone, on a listener of its own.
//! `workers` are the threads that calls run on.

mod accept;
mod headers;
pub mod http;
pub mod mcp;
pub mod metrics;
pub mod operator_page;
mod shutdown;
pub mod stdio;
mod workers;

#[cfg(test)]
mod test_dispatcher;
