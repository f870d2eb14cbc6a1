//! Calls that wait for their client to come back with an answer (MCP 2026-07-28).
//!
//! A conversation in, the response to the client out: the questions, and a state by which the conversation is found again,
//! once, by the caller it belongs to. The state is a name that cannot be guessed and says nothing; all else stays here.
//! Those who do not come back in time, or before the server stops, have ended their call.

use super::{ANSWER_TIMEOUT, CallRounds};
use aqueduct_operations::call::{Caller, SessionId};
use rmcp::model::InputRequiredResult;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;
use uuid::Uuid;

/// Calls of one session that may wait together.
pub const MAX_PARKED: usize = 64;

/// All calls that wait.
#[derive(Default)]
pub struct ParkedCalls {
    parked: Mutex<HashMap<String, ParkedCall>>,
}

/// To whom a call belongs, and by which tool it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallOwner {
    /// The session.
    pub session: SessionId,
    /// Who sends requests.
    pub caller: Caller,
    /// The tool.
    pub tool: String,
}

struct ParkedCall {
    owner: CallOwner,
    conversation: CallRounds,
    watch: AbortOnDropHandle<()>,
}

impl ParkedCalls {
    /// Parks a conversation with open questions. It is given back when there is no room for it, when `closing` says that
    /// no one comes back any more, or when none of its questions can be put.
    pub fn park(
        self: &Arc<ParkedCalls>,
        owner: &CallOwner,
        mut conversation: CallRounds,
        closing: &CancellationToken,
    ) -> Result<InputRequiredResult, Box<CallRounds>> {
        let requests = conversation.requests();
        let mut parked = self.lock();
        let waiting = parked.values().filter(|each| each.owner.session == owner.session).count();
        if closing.is_cancelled() || waiting >= MAX_PARKED || requests.is_empty() {
            return Err(Box::new(conversation));
        }
        conversation.detach();
        let state = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
        let watch =
            AbortOnDropHandle::new(tokio::spawn(watch(Arc::downgrade(self), state.clone(), closing.clone())));
        parked.insert(state.clone(), ParkedCall { owner: owner.clone(), conversation, watch });
        Ok(InputRequiredResult::new(Some(requests), Some(state)))
    }

    /// The conversation of this state, which is worth nothing from now on; none when it is not this owner's.
    pub fn take(&self, state: &str, owner: &CallOwner) -> Option<CallRounds> {
        let mut parked = self.lock();
        if parked.get(state)?.owner != *owner {
            return None;
        }
        parked.remove(state).map(|parked| parked.conversation)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, ParkedCall>> {
        self.parked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends a call whose client does not come back: after a while as if no one had answered, with the server at once.
async fn watch(parking: std::sync::Weak<ParkedCalls>, state: String, closing: CancellationToken) {
    let timed_out = closing.run_until_cancelled(tokio::time::sleep(ANSWER_TIMEOUT)).await;
    let Some(parked) = parking.upgrade().and_then(|parking| parking.lock().remove(&state)) else { return };
    // This very task is what `watch` would end, so it is kept to the last.
    let ParkedCall { conversation, watch: _kept, .. } = parked;
    if timed_out.is_some() {
        closing.run_until_cancelled(conversation.run_to_end()).await;
    }
}

// What is asked and answered stays out of logs.
impl fmt::Debug for ParkedCalls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parking").field("parked", &self.lock().len()).finish()
    }
}
