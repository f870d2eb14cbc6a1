//! What is seen from outside: the real binary over stdio and on the command line, and the library's public interface where
//! something must be put in its place.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, reason = "these are tests")]
#![allow(clippy::disallowed_methods, reason = "the test's own files and variables")]

/// One subject a module, and the harness that they share.
mod outside {
    mod agents;
    mod asking;
    mod attacks;
    mod authors;
    mod bodies;
    mod cli;
    mod cli_call;
    mod cli_config;
    mod client_config;
    #[cfg(feature = "mcp-servers")]
    mod conformance;
    mod demo;
    mod discovery;
    mod docs;
    mod doctor;
    mod edits;
    mod errors;
    mod executions;
    mod faults;
    mod first_use;
    mod fleet;
    mod github;
    mod handshake;
    mod harness;
    mod hosted;
    mod http;
    mod imports;
    mod json_rpc_batches;
    mod lifecycle;
    mod list_questions;
    mod logs;
    mod malformed;
    mod openapi;
    mod operator;
    mod operator_page;
    #[cfg(unix)]
    mod pins;
    mod policy;
    mod profiles;
    mod query;
    mod records;
    mod reload;
    mod secrets;
    mod server_lists;
    mod servers;
    mod several;
    #[cfg(unix)]
    mod standard_streams;
    mod state;
    mod store;
    #[cfg(unix)]
    mod store_outages;
    #[cfg(unix)]
    mod terminal;
    mod tools;
    mod toy_kind;
    mod watch;
    mod wire;
}
