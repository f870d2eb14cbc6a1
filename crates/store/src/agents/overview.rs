//! What the operator sees of agents: who runs and what they did, who is blocked, what waits for a code.
//!
//! Nothing in, one state of all agents out, for commands and pages alike. No code is in it, nor anything that leads to one.

use crate::error::StoreError;
use crate::instances::SILENCE;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use aqueduct_operations::autonomy::AgentStepView;
use aqueduct_operations::clock::earlier;
use jiff::Timestamp;

/// Steps of a run that are shown.
const LAST_STEPS: i64 = 50;

/// Everything at once.
#[derive(Debug, Clone, Default)]
pub struct AgentsOverview {
    /// Agents that run in a process that is heard of, and those whose run has ended while they waited for a person, who still can let them go on.
    pub running: Vec<RunView>,
    /// Agents that are blocked.
    pub blocked: Vec<AgentBlock>,
    /// Challenges that wait for a code.
    pub challenges: Vec<WaitingChallenge>,
}

/// A run.
#[derive(Debug, Clone)]
pub struct RunView {
    /// Its identifier.
    pub id: String,
    /// The agent's name.
    pub name: String,
    /// Who began it.
    pub caller: String,
    /// When.
    pub started_at: Timestamp,
    /// All reports.
    pub reported: i64,
    /// Steps since a person last looked.
    pub steps: i64,
    /// Why it is paused.
    pub paused: Option<String>,
    /// Its last steps, the oldest first.
    pub last_steps: Vec<AgentStepView>,
}

/// A block.
#[derive(Debug, Clone)]
pub struct AgentBlock {
    /// The agent's name.
    pub name: String,
    /// The challenge that lifts it.
    pub challenge: String,
    /// What the agent was about to do.
    pub hint: String,
    /// Why it was stopped.
    pub reason: String,
    /// When.
    pub blocked_at: Timestamp,
}

/// A challenge that waits.
#[derive(Debug, Clone)]
pub struct WaitingChallenge {
    /// Its identifier.
    pub id: String,
    /// The agent's name.
    pub agent: String,
    /// `verify` or `block`.
    pub kind: String,
    /// What the agent was about to do.
    pub hint: String,
    /// `waiting`, or `open` when somebody has seen its code.
    pub state: String,
    /// When it ends.
    pub expires_at: Timestamp,
}

struct ReadOverview;

impl StoreTask for ReadOverview {
    type Output = AgentsOverview;
    const READS_ONLY: bool = true;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<AgentsOverview, StoreError> {
        let now = transaction.now();
        let mut overview = AgentsOverview::default();
        let sql = "SELECT id, name, caller, started_at, reported, steps, pause_reason FROM agent_runs \
                   WHERE state = 'running' AND instance IN (SELECT id FROM instances WHERE seen_at >= $1) OR pause IS NOT NULL \
                   ORDER BY started_at";
        for row in transaction.query(sql, &[earlier(now, SILENCE).into()]).await? {
            overview.running.push(RunView {
                id: row.text(0)?,
                name: row.text(1)?,
                caller: row.text(2)?,
                started_at: row.moment(3)?,
                reported: row.int(4)?,
                steps: row.int(5)?,
                paused: row.optional_text(6)?,
                last_steps: Vec::new(),
            });
        }
        let sql = "SELECT number, at, hint, effect, score FROM agent_steps WHERE run = $1 ORDER BY number DESC LIMIT $2";
        for run in &mut overview.running {
            for row in transaction.query(sql, &[(&run.id).into(), LAST_STEPS.into()]).await?.iter().rev() {
                run.last_steps.push(AgentStepView {
                    number: row.int(0)?,
                    at: row.moment(1)?,
                    hint: row.text(2)?,
                    effect: row.text(3)?,
                    score: row.optional_int(4)?,
                });
            }
        }
        let sql = "SELECT name, challenge, hint, reason, blocked_at FROM agent_blocks ORDER BY blocked_at";
        for row in transaction.query(sql, &[]).await? {
            overview.blocked.push(AgentBlock {
                name: row.text(0)?,
                challenge: row.text(1)?,
                hint: row.text(2)?,
                reason: row.text(3)?,
                blocked_at: row.moment(4)?,
            });
        }
        let sql = "SELECT c.id, COALESCE(r.name, c.agent), c.kind, c.hint, c.state, c.expires_at FROM agent_challenges c \
                   LEFT JOIN agent_runs r ON r.id = c.run \
                   WHERE c.state IN ('waiting', 'open') AND c.expires_at > $1 ORDER BY c.made_at";
        for row in transaction.query(sql, &[now.into()]).await? {
            overview.challenges.push(WaitingChallenge {
                id: row.text(0)?,
                agent: row.text(1)?,
                kind: row.text(2)?,
                hint: row.text(3)?,
                state: row.text(4)?,
                expires_at: row.moment(5)?,
            });
        }
        Ok(overview)
    }
}

impl Store {
    /// What the operator sees of agents.
    pub async fn agents_overview(&self) -> Result<AgentsOverview, StoreError> {
        self.perform(ReadOverview).await
    }
}
