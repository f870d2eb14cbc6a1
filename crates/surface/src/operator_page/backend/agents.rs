//! What the page shows of agents that work on their own.
//!
//! Names and hints are the agents' own words, and are escaped by the views. No code is in it.

pub use aqueduct_operations::autonomy::AgentStepView;
use jiff::Timestamp;

/// Agents that run, those that are blocked, and challenges that wait for a code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentsView {
    /// Agents that run, paused ones too.
    pub running: Vec<AgentRunView>,
    /// Agents that are blocked.
    pub blocked: Vec<BlockView>,
    /// Challenges of agents that are not blocked.
    pub challenges: Vec<ChallengeView>,
}

/// An agent that runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentRunView {
    /// The id of the run.
    pub id: String,
    /// The agent's name.
    pub name: String,
    /// The key that its name is folded to.
    pub key: String,
    /// Who began it.
    pub caller: String,
    /// When.
    pub started_at: Timestamp,
    /// How many steps it has reported.
    pub reported: u64,
    /// Why it is paused, if it is.
    pub paused: Option<String>,
    /// Its last steps, the oldest first.
    pub steps: Vec<AgentStepView>,
}

/// An agent that is blocked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockView {
    /// The agent's name.
    pub name: String,
    /// The key that its name is folded to.
    pub key: String,
    /// The challenge that lifts the block.
    pub challenge: String,
    /// Until when the code that was shown last is good, if one was.
    pub code_until: Option<Timestamp>,
    /// What the agent was about to do.
    pub hint: String,
    /// Why it was stopped.
    pub reason: String,
    /// When.
    pub blocked_at: Timestamp,
}

/// A challenge that waits for a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChallengeView {
    /// Its id.
    pub id: String,
    /// The agent's name.
    pub agent: String,
    /// What the agent was about to do.
    pub hint: String,
    /// Its code was shown before.
    pub is_shown: bool,
    /// When it ends.
    pub expires_at: Timestamp,
}

impl AgentsView {
    /// How many agents wait for a person.
    pub fn in_need(&self) -> usize {
        self.blocked.len()
            + self.challenges.len()
            + self.running.iter().filter(|run| run.paused.is_some()).count()
    }

    /// No agent runs or is blocked.
    pub fn is_empty(&self) -> bool {
        self.running.is_empty() && self.blocked.is_empty() && self.challenges.is_empty()
    }
}
