//! Calls of agents, held against what they have reported (core specification, section 8.6.5).
//!
//! A call in; out, the report that covers it, or why it does not run. The agent is the one that the request names, else the only
//! one that runs in its session. A report covers one call of the operation that it names; a READ may be repeated until the next one.
//! Where none runs in the session, an agent of the same caller that is paused or blocked in another one keeps it from calling.

use super::handlers::LoopOperation;
use super::served::HintWords;
use super::{SafetyLoop, blocked_message};
use crate::agents::agent_name::AgentName;
use aqueduct_operations::autonomy::SafetyMode;
use aqueduct_operations::call::SessionId;
use aqueduct_operations::category::Category;
use aqueduct_operations::gatekeeper::{AgentRefusal, AgentWatch, CoveredBy, SelfConfirmation, WatchedCall};
use aqueduct_operations::handler::Boxed;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::target::{BuiltIn, Target};
use aqueduct_store::StoreError;
use aqueduct_store::agents::SessionAgent;
use serde_json::Value;
use std::sync::Arc;

/// Watches calls for a loop.
#[derive(Debug)]
pub struct LoopWatch {
    safety_loop: Arc<SafetyLoop>,
    own: Vec<Arc<RegistryEntry>>,
}

impl LoopWatch {
    /// Watches all calls but those of the loop's own operations, and those that only read what this server knows.
    pub fn new(safety_loop: Arc<SafetyLoop>, own: Vec<Arc<RegistryEntry>>) -> LoopWatch {
        LoopWatch { safety_loop, own }
    }

    fn is_own(&self, entry: &RegistryEntry) -> bool {
        // The caller that has started a job may see how far it is, also while its agent waits.
        let reads_here = matches!(
            entry.operation.target,
            Target::BuiltIn(BuiltIn::Introspect | BuiltIn::GetExecution | BuiltIn::ListExecutions)
        );
        reads_here || self.own.iter().any(|own| Arc::ptr_eq(&own.operation, &entry.operation))
    }

    /// The agents of a session: those that run, and those whose run has ended while they may not go on. Of a caller who is known by
    /// name, those of other sessions that may not go on come after them.
    async fn agents_of(&self, call: &WatchedCall<'_>) -> Result<Vec<SessionAgent>, AgentRefusal> {
        let caller = call.caller.token().map(|_| call.caller.name());
        let SafetyLoop { store, instance, .. } = &*self.safety_loop;
        store.agents_of_session(call.session.as_str(), caller, instance).await.map_err(lost)
    }

    /// An agent that is blocked begins nothing, so that no person is asked to confirm it. And a session whose agent may not go on does not
    /// confirm for itself that it goes on under another name: it gets no
    /// token for that, nor may it use one.
    async fn cover_start(&self, call: WatchedCall<'_>) -> Result<Option<CoveredBy>, AgentRefusal> {
        let name = call.values.get("element_name").and_then(Value::as_str).unwrap_or_default();
        if let Ok(name) = AgentName::parse(name)
            && let Some(challenge) = self.safety_loop.store.agent_block(name.key()).await.map_err(lost)?
        {
            let (message, reason) = (blocked_message(&name), "agent_blocked");
            return Err(AgentRefusal { message, reason, verification_id: Some(challenge) });
        }
        if call.self_confirmation == SelfConfirmation::No {
            return Ok(None);
        }
        let agents = self.agents_of(&call).await?;
        let Some(agent) = agents.iter().find(|agent| agent.is_paused || agent.block.is_some()) else {
            return Ok(None);
        };
        let message = format!(
            "The agent '{}' is paused or blocked, so whoever runs it cannot confirm the start of an agent. A person confirms \
             it: through a client that asks its user, or the operator with --confirmation operator.",
            agent.run.name
        );
        let reason = if agent.block.is_some() { "agent_blocked" } else { "self_approval" };
        Err(AgentRefusal { message, reason, verification_id: agent.block.clone() })
    }

    async fn cover_call(&self, call: WatchedCall<'_>) -> Result<Option<CoveredBy>, AgentRefusal> {
        let agents = self.agents_of(&call).await?;
        let here = agents.partition_point(|agent| !agent.is_elsewhere);
        let agent = match agents.split_at(here) {
            ([], [held, ..]) => held,
            (here, _) => match chosen(here, call.agent)? {
                Some(agent) => agent,
                None => return Ok(None),
            },
        };
        let name = &agent.run.name;
        if let Some(challenge) = &agent.block {
            let message = format!(
                "The agent '{name}' is blocked and may call nothing until a person enters the code of its challenge, which only the \
                 operator can see."
            );
            return Err(AgentRefusal {
                message,
                reason: "agent_blocked",
                verification_id: Some(challenge.clone()),
            });
        }
        let operation = &call.entry.public_name;
        let refused = |message: String, reason| Err(AgentRefusal { message, reason, verification_id: None });
        if agent.is_paused {
            return refused(
                format!(
                    "The agent '{name}' is paused and may call nothing until a person lets it go on. Report this to the user."
                ),
                "agent_paused",
            );
        }
        let served = self.safety_loop.served();
        let hint = agent.run.hint.as_deref().map(HintWords::of);
        let is_named = hint.is_some_and(|hint| served.is_named(&hint, call.entry));
        if !is_named {
            return refused(
                format!(
                    "The agent '{name}' has not reported this call. Send record_execution_step with a next_action_hint that names \
                     '{operation}', and call it when the directive says continue: true."
                ),
                "unreported_action",
            );
        }
        if call.self_confirmation == SelfConfirmation::Is {
            return refused(
                format!(
                    "The agent '{name}' cannot confirm its own call. A person confirms it: through a client that asks its user, or the \
                     operator with --confirmation operator."
                ),
                "self_approval",
            );
        }
        let is_used_up = call.entry.operation.category != Category::Read;
        if is_used_up && !agent.run.covers {
            return refused(
                format!(
                    "The report of '{operation}' was used for a call before. Report the next call of it too."
                ),
                "unreported_action",
            );
        }
        Ok(Some(CoveredBy { run: agent.run.id.clone(), agent: agent.run.agent.clone(), is_used_up }))
    }
}

/// A store that is lost lets nothing run.
fn lost(error: StoreError) -> AgentRefusal {
    tracing::warn!(target: "aqueduct::agents", %error, "the safety loop cannot reach its store");
    let message = "What is known of agents cannot be reached now, so nothing runs. Try again later.";
    AgentRefusal { message: message.to_owned(), reason: "store_unavailable", verification_id: None }
}

/// The agent that makes a call, of those that run in its session.
fn chosen<'r>(
    running: &'r [SessionAgent],
    named: Option<&str>,
) -> Result<Option<&'r SessionAgent>, AgentRefusal> {
    let refused =
        |message: String| Err(AgentRefusal { message, reason: "unknown_agent", verification_id: None });
    match (named, running) {
        (Some(name), _) => {
            let key = AgentName::parse(name).map(|name| name.key().to_owned()).unwrap_or_default();
            let found = running.iter().find(|agent| agent.run.agent == key);
            match found {
                Some(agent) => Ok(Some(agent)),
                None => refused(
                    "No agent of the name in '_agent' runs in this session. Start it with execute_agent."
                        .to_owned(),
                ),
            }
        }
        (None, []) => Ok(None),
        (None, [only]) => Ok(Some(only)),
        (None, several) => {
            let names: Vec<&str> = several.iter().map(|agent| agent.run.name.as_str()).collect();
            refused(format!(
                "Several agents run in this session. Say which one calls with '_agent': {}.",
                names.join(", ")
            ))
        }
    }
}

impl AgentWatch for LoopWatch {
    fn check<'a>(&'a self, call: WatchedCall<'a>) -> Boxed<'a, Result<Option<CoveredBy>, AgentRefusal>> {
        Box::pin(async move {
            let mode = self.safety_loop.mode();
            if !matches!(mode, SafetyMode::Enforcing | SafetyMode::Monitoring) {
                return Ok(None);
            }
            let cover = if !self.is_own(call.entry) {
                self.cover_call(call).await
            } else if call.entry.public_name == LoopOperation::ExecuteAgent.name() {
                self.cover_start(call).await
            } else {
                Ok(None)
            };
            match cover {
                Err(refusal) if mode == SafetyMode::Monitoring => {
                    let operation = call.entry.public_name.as_str();
                    tracing::info!(target: "aqueduct::agents", operation, reason = refusal.reason, "a call would be refused");
                    Ok(None)
                }
                cover => cover,
            }
        })
    }

    fn admitted<'a>(
        &'a self,
        covered: &'a CoveredBy,
        operation: &'a str,
    ) -> Boxed<'a, Result<(), AgentRefusal>> {
        Box::pin(async move {
            let store = &self.safety_loop.store;
            store.note_agent_permission(&covered.agent, operation, true);
            if !covered.is_used_up || !self.safety_loop.is_enforcing() {
                return Ok(());
            }
            // Of two calls under one report, one runs.
            if matches!(store.use_agent_report(&covered.run).await, Ok(true)) {
                return Ok(());
            }
            let message = format!(
                "The report of '{operation}' was used for a call before. Report the next call of it too."
            );
            Err(AgentRefusal { message, reason: "unreported_action", verification_id: None })
        })
    }

    fn waits(&self, covered: &CoveredBy, operation: &str) {
        self.safety_loop.store.note_agent_permission(&covered.agent, operation, false);
    }

    fn end_session(&self, session: &SessionId) {
        self.safety_loop.store.end_agents_of_session(session.as_str());
    }
}
