//! Agents as the page shows them, from what the store knows of them.
//!
//! Rows of the store in; views out. A challenge of a block is shown with its block.

use aqueduct_safety::agents::agent_name::AgentName;
use aqueduct_store::agents::{AgentBlock, AgentsOverview, Opened, PauseToken, RunView, WaitingChallenge};
use aqueduct_surface::operator_page::{AgentRunView, AgentsView, BlockView, ChallengeView, RevealedSecret};

/// All of them.
pub fn view(overview: AgentsOverview) -> AgentsView {
    let AgentsOverview { running, blocked, challenges } = overview;
    let of_blocks: Vec<&str> = blocked.iter().map(|block| block.challenge.as_str()).collect();
    let others = challenges.iter().filter(|challenge| !of_blocks.contains(&challenge.id.as_str()));
    AgentsView {
        challenges: others.map(challenge_view).collect(),
        blocked: blocked.iter().map(|block| block_view(block, &challenges)).collect(),
        running: running.into_iter().map(run_view).collect(),
    }
}

/// The code of a challenge that was opened.
pub fn revealed_code(opened: Opened) -> Option<RevealedSecret> {
    let Opened::Done(opened) = opened else { return None };
    Some(RevealedSecret {
        agent: opened.agent,
        challenge: Some(opened.id),
        stopped: Some((opened.hint, opened.reason)),
        secret: opened.code,
        expires_at: opened.expires_at,
    })
}

/// A token for the pause of an agent.
pub fn revealed_token(agent: String, token: PauseToken) -> RevealedSecret {
    let PauseToken { token: secret, expires_at } = token;
    RevealedSecret { agent, challenge: None, stopped: None, secret, expires_at }
}

/// The key that a name is folded to. Names in the store were checked; one that is none leads nowhere.
fn key(name: &str) -> String {
    AgentName::parse(name).map(|name| name.key().to_owned()).unwrap_or_default()
}

fn run_view(run: RunView) -> AgentRunView {
    AgentRunView {
        key: key(&run.name),
        id: run.id,
        name: run.name,
        caller: run.caller,
        started_at: run.started_at,
        reported: u64::try_from(run.reported).unwrap_or_default(),
        paused: run.paused,
        steps: run.last_steps,
    }
}

fn block_view(block: &AgentBlock, challenges: &[WaitingChallenge]) -> BlockView {
    let open = challenges.iter().find(|each| each.id == block.challenge && each.state == "open");
    BlockView {
        name: block.name.clone(),
        key: key(&block.name),
        challenge: block.challenge.clone(),
        code_until: open.map(|challenge| challenge.expires_at),
        hint: block.hint.clone(),
        reason: block.reason.clone(),
        blocked_at: block.blocked_at,
    }
}

fn challenge_view(challenge: &WaitingChallenge) -> ChallengeView {
    ChallengeView {
        id: challenge.id.clone(),
        agent: challenge.agent.clone(),
        hint: challenge.hint.clone(),
        is_shown: challenge.state == "open",
        expires_at: challenge.expires_at,
    }
}
