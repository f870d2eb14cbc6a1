//! Attacks on a running server, one file for each kind of attacker, so that the next one is easy to add. Each has a control
//! beside it: the honest use that looks most like the attack, and must go on working.

mod api;
mod bomb;
mod client;
mod document;
mod file;
mod mcp_server;
