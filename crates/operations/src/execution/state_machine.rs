//! The states of an execution and its transitions: the table of the core specification, section 8.4.2, and nothing else.
//!
//! A state and an event in; the next state out, or a refusal that leaves everything as it is.

use crate::named_enum::named_enum;

named_enum! {
    /// The core states.
    #[derive(Hash, PartialOrd, Ord)]
    pub enum ExecutionState {
        /// Created, and not started.
        Pending = "pending",
        /// Under way.
        Running = "running",
        /// Ended well.
        Completed = "completed",
        /// Ended with an error.
        Failed = "failed",
        /// Ended because somebody wanted it.
        Cancelled = "cancelled",
    }
}

named_enum! {
    /// What happens to an execution.
    pub enum ExecutionEvent {
        /// It starts.
        Start = "start",
        /// It ends well.
        Succeed = "succeed",
        /// It ends with an error.
        Fail = "fail",
        /// Somebody ends it.
        Cancel = "cancel",
        /// It is tried again.
        Retry = "retry",
    }
}

/// An event that the present state does not allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an execution that is {} cannot {}", from.name(), event.name())]
pub struct IllegalTransition {
    /// The state, which stays.
    pub from: ExecutionState,
    /// What was wanted.
    pub event: ExecutionEvent,
}

impl ExecutionEvent {
    /// The state that it leads to.
    pub fn target(self) -> ExecutionState {
        match self {
            ExecutionEvent::Start | ExecutionEvent::Retry => ExecutionState::Running,
            ExecutionEvent::Succeed => ExecutionState::Completed,
            ExecutionEvent::Fail => ExecutionState::Failed,
            ExecutionEvent::Cancel => ExecutionState::Cancelled,
        }
    }
}

impl ExecutionState {
    /// True for an end, which nothing but a supported retry of a failed execution leaves.
    pub fn is_terminal(self) -> bool {
        matches!(self, ExecutionState::Completed | ExecutionState::Failed | ExecutionState::Cancelled)
    }

    /// The state after an event.
    pub fn after(
        self,
        event: ExecutionEvent,
        supports_retry: bool,
    ) -> Result<ExecutionState, IllegalTransition> {
        let is_allowed = match (self, event) {
            (ExecutionState::Pending, ExecutionEvent::Start | ExecutionEvent::Cancel)
            | (
                ExecutionState::Running,
                ExecutionEvent::Succeed | ExecutionEvent::Fail | ExecutionEvent::Cancel,
            ) => true,
            (ExecutionState::Failed, ExecutionEvent::Retry) => supports_retry,
            _ => false,
        };
        if is_allowed { Ok(event.target()) } else { Err(IllegalTransition { from: self, event }) }
    }

    /// The events that lead from here to a state that an API tells of. None where there is no way: an end is final, and a job
    /// that runs is not pending again.
    pub fn events_towards(self, reported: ExecutionState) -> &'static [ExecutionEvent] {
        use ExecutionEvent::{Cancel, Fail, Start, Succeed};
        match (self, reported) {
            (ExecutionState::Pending, ExecutionState::Running) => &[Start],
            (ExecutionState::Pending, ExecutionState::Completed) => &[Start, Succeed],
            (ExecutionState::Pending, ExecutionState::Failed) => &[Start, Fail],
            (ExecutionState::Running, ExecutionState::Completed) => &[Succeed],
            (ExecutionState::Running, ExecutionState::Failed) => &[Fail],
            (ExecutionState::Pending | ExecutionState::Running, ExecutionState::Cancelled) => &[Cancel],
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests;
