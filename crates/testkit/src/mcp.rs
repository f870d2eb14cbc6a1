//! Fake MCP servers: one over standard streams that writes its JSON by hand, odd where servers are odd, and one over
//! HTTP that speaks the newest protocol and the older one; and one that stands before a right server and breaks one rule.

pub mod faults;
pub mod people;
pub mod proxy;
pub mod stdio;
pub mod web;
