//! Every kind of source that there is, behind one table: text or a listing in, operations and diagnostics out.
//!
//! A kind has the same anatomy everywhere: read, check all of it, lower it to operations. Adapter files and OpenAPI
//! documents are crates of their own. What an operator changes in a source, of whatever kind, is here too.

pub mod filter;
pub mod kind_table;
pub mod mcp_server;
pub mod native;
pub mod overrides;
pub mod scan;

#[cfg(test)]
mod tests;
