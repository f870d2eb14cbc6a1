//! `_protocol`: the facts of this server, published in the operations list alone. Small, and nothing per operation.
//!
//! Registry, exposure and limits in, one JSON object out (ruling W2). Only the session differs from client to client.

use aqueduct_operations::call::SessionId;
use aqueduct_operations::concurrency::Concurrency;
use aqueduct_operations::exposure::Exposure;
use aqueduct_operations::limits::Limits;
use aqueduct_operations::registry::Registry;
use aqueduct_operations::registry::introspect_entry::QUERIES;
use serde_json::{Map, Value, json};

/// The version of the protocol that this server speaks.
const VERSION: &str = "1.0.0-draft";

/// The facts, without the session.
#[derive(Debug)]
pub struct ProtocolFacts {
    facts: Value,
    /// Limits that are shown only when requested: `_protocol` stays small.
    more_limits: Value,
    /// How far agents may go, where they are watched.
    autonomy: Option<Value>,
}

/// Names that are shown of states that are no core states.
const MOST_STATES: usize = 10;

/// The states that sources have besides the core ones, each with the core state that it stands for (core specification, section
/// 8.4.4).
fn custom_states(registry: &Registry) -> Map<String, Value> {
    let rules = registry.entries().iter().filter_map(|entry| entry.operation.lifecycle.as_ref());
    let states = rules.flat_map(|rule| rule.custom_states());
    let mut shown = Map::new();
    for (name, state) in states {
        if shown.len() < MOST_STATES {
            shown.entry(name).or_insert_with(|| state.name().into());
        }
    }
    shown
}

impl ProtocolFacts {
    /// The facts of a server with these operations and settings.
    pub fn of(registry: &Registry, exposure: &Exposure, limits: &Limits) -> ProtocolFacts {
        let concurrency = registry
            .sources()
            .iter()
            .map(|source| source.concurrency)
            .fold(Concurrency::FullyConcurrent, Concurrency::stricter);
        let more_limits = json!({
            "max_response_tokens": limits.max_response_tokens,
            "max_batch_items": limits.max_batch_items,
            "max_gathered_items": limits.max_gathered_items,
            "max_work_steps": limits.max_work_steps,
        });
        let limits = json!({
            "max_request_size": limits.max_request_size,
            "max_response_size": limits.max_response_size,
            "max_string_length": limits.max_string_length,
            "max_array_elements": limits.max_array_elements,
            "max_nesting_depth": limits.max_nesting_depth,
        });
        let safety = registry.safety();
        let facts = json!({
            "version": VERSION,
            "conformance": "level-2",
            "mode": exposure.mode.name(),
            "modes": ["semantic", "single"],
            "profile": exposure.profile.name,
            "limits": limits,
            "concurrency": concurrency.name(),
            "capabilities": {
                "batch": true, "confirmation": true, "dangerous_operations": true, "field_selection": true,
                "warnings": true, "execution_safety_loop": safety.mode.name(),
            },
            "extensions": QUERIES[2..],
        });
        let mut facts = facts;
        let custom = custom_states(registry);
        if !custom.is_empty() {
            facts["execution_states"] = Value::Object(custom);
        }
        ProtocolFacts { facts, more_limits, autonomy: safety.settings.clone() }
    }

    /// The facts as one session sees them, with how many operations are not shown to it.
    pub fn with_session(&self, session: &SessionId, hidden: usize) -> Value {
        let mut protocol = self.facts.clone();
        protocol["hidden"] = hidden.into();
        protocol["session_id"] = session.as_str().into();
        protocol
    }

    /// The same beside the first page of a long list, which needs the room: what the server can do is left to its own query.
    pub fn beside_page(&self, session: &SessionId, hidden: usize) -> Value {
        let mut protocol = self.with_session(session, hidden);
        if let Some(facts) = protocol.as_object_mut() {
            facts.remove("capabilities");
            facts.remove("execution_states");
        }
        protocol
    }

    /// The least: what a later page of the list has, and what is found by a search.
    pub fn least(&self, session: &SessionId, hidden: usize) -> Value {
        json!({"version": VERSION, "session_id": session.as_str(), "hidden": hidden})
    }

    /// What this server can do, as the response to its own query.
    pub fn capabilities(&self) -> Value {
        let mut limits = self.facts["limits"].as_object().cloned().unwrap_or_default();
        limits.extend(self.more_limits.as_object().cloned().unwrap_or_default());
        let facts = &self.facts;
        let mut shown = json!({"capabilities": facts["capabilities"], "limits": limits, "mode": facts["mode"],
                               "profile": facts["profile"], "concurrency": facts["concurrency"]});
        if let Some(autonomy) = &self.autonomy {
            shown["autonomy"] = autonomy.clone();
        }
        if let Some(states) = facts.get("execution_states") {
            shown["execution_states"] = states.clone();
        }
        shown
    }
}
