//! Fake MCP servers: one over standard streams that writes its JSON by hand, odd where servers are odd, and one over
//! HTTP that speaks the newest protocol and the older one.

pub mod people;
pub mod stdio;
pub mod web;
