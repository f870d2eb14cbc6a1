//! Agents that work on their own: their runs and steps, blocks, challenges, and what they are told.
//!
//! Everything hangs on the key of an agent's name, so that neither another run, another session nor a restart leads round a block.
//! What a report means is decided by the caller; here it is kept, with a line in the audit. Codes are kept as salted hashes.

mod attempts;
mod challenges;
mod lost_runs;
mod notices;
mod overview;
mod pauses;
mod releases;
mod runs;
mod status;
mod steps;

pub use aqueduct_operations::autonomy::AgentStepView;
pub use challenges::{Opened, OpenedChallenge, Verification};
pub use notices::AgentNotice;
pub use overview::{AgentBlock, AgentsOverview, RunView, WaitingChallenge};
pub use pauses::{ConfirmPause, Confirmation, PauseToken};
pub use releases::{AgentRelease, ReleaseRecipient};
pub use runs::{AgentRun, Ended, RunEnd, StartRun, Started};
pub use status::{AgentState, OpenChallenge, SessionAgent};
pub use steps::{RecordStep, Recorded, StepEffect};

use crate::audit::chain;
use crate::audit::entry::AuditEntry;
use crate::error::StoreError;
use crate::secret;
use crate::transaction::Transaction;
use crate::value::Value;
use aqueduct_operations::digest::Digest;

/// Names of the events of agents in the audit.
pub mod event {
    /// A run began.
    pub const STARTED: &str = "AGENT_STARTED";
    /// A run ended.
    pub const ENDED: &str = "AGENT_ENDED";
    /// An agent waits for a person.
    pub const PAUSED: &str = "AGENT_PAUSED";
    /// A person lets an agent go on.
    pub const RELEASED: &str = "AGENT_RELEASED";
    /// An agent is blocked.
    pub const BLOCKED: &str = "AGENT_BLOCKED";
    /// An agent is blocked no more.
    pub const UNBLOCKED: &str = "AGENT_UNBLOCKED";
    /// A person has to verify something.
    pub const CHALLENGE_MADE: &str = "CHALLENGE_MADE";
    /// The operator was shown a code.
    pub const CHALLENGE_OPENED: &str = "CHALLENGE_OPENED";
    /// A code was right.
    pub const CHALLENGE_PASSED: &str = "CHALLENGE_PASSED";
    /// A code was wrong, late, or for nothing.
    pub const CHALLENGE_FAILED: &str = "CHALLENGE_FAILED";
    /// Too many codes were wrong.
    pub const CHALLENGE_LOCKED: &str = "CHALLENGE_LOCKED";
}

/// Who asks for a confirmation or tries a code: a session and its caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentCaller {
    /// The session.
    pub session: String,
    /// Who it is.
    pub caller: String,
    /// The caller has a token of their own, so that two of them can be told apart.
    pub is_named: bool,
}

/// A line about an agent.
fn line(event: &str, outcome: &str, agent: &str, detail: impl Into<String>) -> AuditEntry {
    AuditEntry { operation: Some(agent.to_owned()), ..AuditEntry::new(event, outcome).because(detail) }
}

async fn note<T: Transaction>(transaction: &mut T, line: AuditEntry) -> Result<(), StoreError> {
    chain::append(transaction, vec![line]).await
}

/// An identifier that says nothing: a random UUID.
fn new_id() -> Result<String, StoreError> {
    let bytes = secret::random_bytes()?;
    let mut id = [0_u8; 16];
    id.copy_from_slice(&bytes[..16]);
    id[6] = (id[6] & 0x0f) | 0x40;
    id[8] = (id[8] & 0x3f) | 0x80;
    let hex = secret::hex(&id);
    Ok(format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]))
}

/// What is kept of a code.
fn salted(salt: &str, code: &str) -> String {
    Digest::of_text(&format!("{salt}\n{code}")).hex()
}

/// Forgets runs that ended before this moment with what was told of them, challenges that are over and failed codes. A block and its challenge stay. A run that
/// has reported nothing since then belongs to a session that was lost, and ends; no one may be there to notice that its process was.
pub(crate) async fn forget<T: Transaction>(transaction: &mut T, before: Value) -> Result<(), StoreError> {
    releases::forget(transaction).await?;
    let before = std::slice::from_ref(&before);
    let sql = "UPDATE agent_runs SET state = 'aborted', ended_at = $1, covers = 0 WHERE state = 'running' AND started_at < $1 \
               AND NOT EXISTS (SELECT 1 FROM agent_steps WHERE agent_steps.run = agent_runs.id AND agent_steps.at >= $1)";
    transaction.execute(sql, before).await?;
    for sql in [
        "DELETE FROM agent_attempts WHERE opened_at < $1 AND locked_until < $1",
        "DELETE FROM agent_notices WHERE made_at < $1 AND kind <> 'danger_zone'",
    ] {
        transaction.execute(sql, before).await?;
    }
    let old = "SELECT id FROM agent_runs WHERE state <> 'running' AND ended_at < $1";
    transaction.execute(&format!("DELETE FROM agent_steps WHERE run IN ({old})"), before).await?;
    transaction.execute("DELETE FROM agent_runs WHERE state <> 'running' AND ended_at < $1", before).await?;
    let sql = "DELETE FROM agent_challenges WHERE expires_at < $1 AND id NOT IN (SELECT challenge FROM agent_blocks)";
    transaction.execute(sql, before).await?;
    Ok(())
}
