//! What clients connect to. The only crate that knows the MCP SDK's server side.
//!
//! `stdio` reads lines and hands requests to `mcp/server`; `mcp/tools` and `mcp/describe` say what the tools are.

pub mod mcp;
pub mod stdio;
