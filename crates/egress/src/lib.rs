//! Everything that calls out stands on this, for HTTP APIs and MCP servers alike. Nothing here knows what is called or why.
//!
//! Connections: `client` makes HTTP clients whose `resolver` hands out checked addresses only; `response` is
//! what comes back. `destination` says how far a request may reach, and which redirects are followed. Secrets: `environment` is where they come in, `basic_auth` encodes
//! pairs of them, `redact` takes them out of whatever comes back. Reading and waiting: `lines`, `sse`, `backoff`.

pub mod backoff;
pub mod basic_auth;
pub mod client;
pub mod destination;
pub mod environment;
pub mod lines;
pub mod redact;
pub mod resolver;
pub mod response;
pub mod sse;
pub mod tls;
