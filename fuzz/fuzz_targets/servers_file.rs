//! A client's file of MCP servers.

#![no_main]

use libfuzzer_sys::fuzz_target;

use aqueduct_sources::mcp_server::{looks_like_servers, read_servers};

fuzz_target!(|text: &str| {
    looks_like_servers(text);
    read_servers("servers.json", text);
});
