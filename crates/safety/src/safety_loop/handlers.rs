//! What the operations of the loop do, besides reports: begin, end, confirm, verify.
//!
//! Checked values in, an envelope out. Whose session it is comes with the permit, never from the values.

use super::{SafetyLoop, agent_of, blocked, denied, lost, text_of};
use crate::agents::agent_name::AgentName;
use aqueduct_operations::handler::{Boxed, Envelope, Handler, HandlerCall, HandlerError};
use aqueduct_store::agents::{
    AgentCaller, ConfirmPause, Confirmation, Ended, RunEnd, StartRun, Started, Verification,
};
use jiff::Timestamp;
use secrecy::SecretString;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// An operation of the loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LoopOperation {
    ExecuteAgent,
    RecordStep,
    Complete,
    Abort,
    Confirm,
    Verify,
}

impl LoopOperation {
    pub(super) const ALL: [LoopOperation; 6] = [
        LoopOperation::ExecuteAgent,
        LoopOperation::RecordStep,
        LoopOperation::Complete,
        LoopOperation::Abort,
        LoopOperation::Confirm,
        LoopOperation::Verify,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            LoopOperation::ExecuteAgent => "execute_agent",
            LoopOperation::RecordStep => "record_execution_step",
            LoopOperation::Complete => "complete_execution",
            LoopOperation::Abort => "abort_execution",
            LoopOperation::Confirm => "confirm_operation",
            LoopOperation::Verify => "verify_challenge",
        }
    }

    pub(super) fn returns(self) -> &'static str {
        match self {
            LoopOperation::ExecuteAgent => "MonitoredRun",
            LoopOperation::RecordStep => "AutonomyDirective",
            LoopOperation::Complete | LoopOperation::Abort => "EndedRun",
            LoopOperation::Confirm => "Confirmation",
            LoopOperation::Verify => "Verification",
        }
    }
}

/// Runs one of them.
#[derive(Debug)]
pub(super) struct LoopHandler {
    pub safety_loop: Arc<SafetyLoop>,
    pub operation: LoopOperation,
}

impl Handler for LoopHandler {
    fn run<'a>(&'a self, run: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        Box::pin(async move {
            let by = AgentCaller {
                session: run.session().as_str().to_owned(),
                caller: run.caller().name().to_owned(),
                is_named: run.caller().token().is_some(),
            };
            let (safety_loop, values) = (&*self.safety_loop, run.values);
            let data = match self.operation {
                LoopOperation::ExecuteAgent => safety_loop.start(values, by).await,
                LoopOperation::RecordStep => safety_loop.report(values, &by.session).await,
                LoopOperation::Complete => safety_loop.end(values, by, RunEnd::Completed).await,
                LoopOperation::Abort => safety_loop.end(values, by, RunEnd::Aborted).await,
                LoopOperation::Confirm => safety_loop.confirm(values, by).await,
                LoopOperation::Verify => safety_loop.verify(values, by).await,
            };
            data.map(|data| Envelope::local(self.operation.name(), data))
        })
    }

    fn preview(&self, _values: &Map<String, Value>) -> Value {
        json!({"operation": self.operation.name()})
    }
}

impl SafetyLoop {
    pub(super) async fn start(
        &self,
        values: &Map<String, Value>,
        by: AgentCaller,
    ) -> Result<Value, HandlerError> {
        let agent = agent_of(values)?;
        let settings = self.settings_of(&agent)?;
        let start = StartRun {
            agent: agent.key().to_owned(),
            name: agent.shown().to_owned(),
            session: by.session,
            caller: by.caller,
            instance: self.instance.clone(),
        };
        match self.store.start_agent(start).await.map_err(lost)? {
            Started::Run(id) => {
                self.keep_alive();
                Ok(json!({
                    "execution_id": id,
                    "element_name": agent.shown(),
                    "mode": self.mode().name(),
                    "max_autonomous_steps": settings.max_autonomous_steps,
                    "next": "Report every action with record_execution_step before you take it, and go on only at continue: true.",
                }))
            }
            Started::Blocked { challenge } => Err(blocked(&agent, &challenge)),
            Started::Running(_) => Err(HandlerError::conflict(format!(
                "The agent '{}' runs in this session already. Report its next action, or end it with complete_execution or \
                 abort_execution.",
                agent.shown()
            ))),
        }
    }

    pub(super) async fn end(
        &self,
        values: &Map<String, Value>,
        by: AgentCaller,
        end: RunEnd,
    ) -> Result<Value, HandlerError> {
        let agent = agent_of(values)?;
        let detail = text_of(values, "outcome").or_else(|| text_of(values, "reason")).unwrap_or_default();
        let ended = self.store.end_agent(agent.key(), &by.session, end, detail).await.map_err(lost)?;
        let state = if end == RunEnd::Completed { "completed" } else { "aborted" };
        match ended {
            Ended::Done { run, reported } => Ok(json!({
                "execution_id": run, "element_name": agent.shown(), "status": state, "steps": reported,
            })),
            Ended::Blocked { challenge } => Err(blocked(&agent, &challenge)),
            Ended::NotRunning => Err(not_running(&agent)),
        }
    }

    pub(super) async fn confirm(
        &self,
        values: &Map<String, Value>,
        by: AgentCaller,
    ) -> Result<Value, HandlerError> {
        let token = text_of(values, "confirmation_token").map(SecretString::from);
        let agent = match values.get("element_name") {
            Some(_) => Some(agent_of(values)?),
            None => None,
        };
        if token.is_none() && agent.is_none() {
            let message = "Send the confirmation_token that the operator has handed out, or as another caller the element_name.";
            return Err(HandlerError::invalid("confirmation_token", message));
        }
        let confirm = ConfirmPause {
            token,
            agent: agent.map(|agent| agent.key().to_owned()),
            by,
            instance: self.instance.clone(),
        };
        match self.store.confirm_pause(confirm).await.map_err(lost)? {
            Confirmation::Done { name } => Ok(json!({"confirmed": true, "element_name": name,
                "next": "The agent reports its action again, and it is evaluated anew."})),
            Confirmation::SelfApproval => Err(denied(
                "Whoever runs agents cannot confirm what one does. The pause stays; the operator confirms it, or a caller who runs none.",
                "self_approval",
                None,
            )),
            Confirmation::Refused => Err(denied(
                "Nothing was confirmed: the token is not good, or no pause waits for it. Ask the operator for another one.",
                "token_refused",
                None,
            )),
            Confirmation::Locked { until } => Err(self.limited(until)),
        }
    }

    pub(super) async fn verify(
        &self,
        values: &Map<String, Value>,
        by: AgentCaller,
    ) -> Result<Value, HandlerError> {
        let id = text_of(values, "challenge_id").unwrap_or_default();
        let code = SecretString::from(text_of(values, "code").unwrap_or_default());
        match self.store.verify_challenge(id, &code, by).await.map_err(lost)? {
            Verification::Passed { .. } => Ok(json!({"verified": true, "challenge_id": id,
                "next": "Report the action again to go on."})),
            Verification::Failed { why, current } => {
                let message = format!(
                    "The verification failed: {why}. A challenge takes one attempt; the operator can open another one with \
                     aqueduct operator challenge."
                );
                Err(denied(message, "verification_failed", current.as_deref()))
            }
            Verification::Locked { until } => Err(self.limited(until)),
        }
    }

    fn limited(&self, until: Timestamp) -> HandlerError {
        let left = until.duration_since(self.clock.now()).as_secs().saturating_add(1);
        HandlerError::TooOften {
            message: format!("Too many verifications failed. Try again in {left} seconds."),
            retry_after_seconds: u64::try_from(left).unwrap_or(1).max(1),
        }
    }
}

pub(super) fn not_running(agent: &AgentName) -> HandlerError {
    let name = agent.shown();
    denied(
        format!("The agent '{name}' does not run in this session. Start it with execute_agent first."),
        "not_running",
        None,
    )
}
