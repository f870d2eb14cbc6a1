//! `_protocol`: the facts of this server, published in the operations list alone. Small, and nothing per operation.
//!
//! Registry, exposure and limits in, one JSON object out (ruling W2). Only the session differs from client to client.

use aqueduct_operations::call::SessionId;
use aqueduct_operations::concurrency::Concurrency;
use aqueduct_operations::exposure::Exposure;
use aqueduct_operations::limits::Limits;
use aqueduct_operations::registry::Registry;
use aqueduct_operations::registry::introspect_entry::QUERIES;
use serde_json::{Value, json};

/// The version of the protocol that this server speaks.
const VERSION: &str = "1.0.0-draft";

/// The facts, without the session.
#[derive(Debug)]
pub struct Protocol(Value);

impl Protocol {
    /// The facts of a server with these operations and settings.
    pub fn of(registry: &Registry, exposure: &Exposure, limits: &Limits, hidden: usize) -> Protocol {
        let concurrency = registry
            .sources()
            .iter()
            .map(|source| source.concurrency)
            .fold(Concurrency::FullyConcurrent, Concurrency::stricter);
        let limits = json!({
            "max_request_size": limits.max_request_size,
            "max_response_size": limits.max_response_size,
            "max_string_length": limits.max_string_length,
            "max_array_elements": limits.max_array_elements,
            "max_nesting_depth": limits.max_nesting_depth,
        });
        Protocol(json!({
            "version": VERSION,
            "conformance": "level-1",
            "mode": exposure.mode.name(),
            "profile": exposure.profile.name,
            "limits": limits,
            "concurrency": concurrency.name(),
            "capabilities": {"confirmation": true, "dangerous_operations": true, "warnings": true},
            "extensions": QUERIES[2..],
            "hidden": hidden,
        }))
    }

    /// The facts as one session sees them.
    pub fn with_session(&self, session: &SessionId) -> Value {
        let mut protocol = self.0.clone();
        protocol["session_id"] = session.as_str().into();
        protocol
    }

    /// What this server can do, as the answer to its own query.
    pub fn capabilities(&self) -> Value {
        json!({"capabilities": self.0["capabilities"], "limits": self.0["limits"], "mode": self.0["mode"],
               "profile": self.0["profile"], "concurrency": self.0["concurrency"]})
    }
}
