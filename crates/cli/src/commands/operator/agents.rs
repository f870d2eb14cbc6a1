//! `operator agents`, `challenge`, `release` and `unblock`: what agents do that work on their own, and what a person says to it.
//!
//! Names in; out, what there is to see, or what was done. A code is made when it is asked for, shown once on the terminal of
//! a person who knows the passphrase, and kept as a hash.

use super::super::pretty;
use super::passphrase::{OPERATOR, unlocked};
use crate::cli::{AgentsArgs, ChallengeArgs, OutputFormat, ReleaseArgs, UnblockArgs};
use crate::config;
use crate::report::{self, CommandError, Exit, terminal_safe};
use crate::store::failed;
use aqueduct::store::agents::{
    AgentBlock, AgentsOverview, Opened, OpenedChallenge, RunView, WaitingChallenge,
};
use aqueduct_operations::clock::iso8601;
use aqueduct_safety::agents::agent_name::AgentName;
use secrecy::ExposeSecret;
use serde_json::{Value, json};

/// Steps that are shown of a run as text.
const SHOWN_STEPS: usize = 5;

/// Shows agents.
pub async fn show(args: &AgentsArgs) -> Result<Exit, CommandError> {
    let store = unlocked(&args.operator).await?;
    let overview = store.agents_overview().await.map_err(failed)?;
    if args.format == OutputFormat::Json {
        report::data(&pretty(&as_json(&overview)));
        return Ok(Exit::Done);
    }
    let AgentsOverview { running, blocked, challenges } = &overview;
    let lines: Vec<String> =
        running.iter().flat_map(run_lines).chain(blocked.iter().flat_map(block_lines)).collect();
    let waiting = challenges.iter().map(challenge_line);
    let lines: Vec<String> = lines.into_iter().chain(waiting).map(|line| terminal_safe(&line)).collect();
    if lines.is_empty() {
        report::note("no agent runs, and none is blocked");
    } else {
        report::data(&lines.join("\n"));
    }
    Ok(Exit::Done)
}

/// Opens a challenge and shows its code.
pub async fn challenge(args: &ChallengeArgs) -> Result<Exit, CommandError> {
    let ttl = config::challenge_ttl(args.operator.store.config.as_deref())?;
    let store = unlocked(&args.operator).await?;
    // Challenges have identifiers that no name of an agent is folded to.
    let opened = match store.open_challenge(&args.which, ttl).await.map_err(failed)? {
        Opened::Unknown => store.open_challenge(&key_of(&args.which)?, ttl).await.map_err(failed)?,
        opened => opened,
    };
    let Opened::Done(opened) = opened else {
        return Err(CommandError::invalid(format!(
            "no challenge of '{}' waits; see 'aqueduct operator agents'",
            terminal_safe(&args.which)
        )));
    };
    let OpenedChallenge { id, hint, reason, code, expires_at, .. } = *opened;
    report::note(&terminal_safe(&format!("the agent was about to: {hint}")));
    report::note(&terminal_safe(&format!("it was stopped because: {reason}")));
    report::data(&format!("challenge  {id}\ncode       {}", code.expose_secret()));
    report::note(&format!("the code works once, until {}", iso8601(expires_at)));
    Ok(Exit::Done)
}

/// Lets a paused agent go on.
pub async fn release(args: &ReleaseArgs) -> Result<Exit, CommandError> {
    let ttl = config::challenge_ttl(args.operator.store.config.as_deref())?;
    let key = key_of(&args.agent)?;
    let store = unlocked(&args.operator).await?;
    let not_paused =
        || CommandError::invalid("no agent of that name is paused; see 'aqueduct operator agents'");
    if args.token {
        let token = store.issue_pause_token(&key, ttl).await.map_err(failed)?.ok_or_else(not_paused)?;
        report::data(token.token.expose_secret());
        report::note(&format!("the token works once, until {}", iso8601(token.expires_at)));
        return Ok(Exit::Done);
    }
    if !store.release_agent(&key, OPERATOR).await.map_err(failed)? {
        return Err(not_paused());
    }
    report::note("the agent may go on; it reports its action again");
    Ok(Exit::Done)
}

/// Lifts a block without a code.
pub async fn unblock(args: &UnblockArgs) -> Result<Exit, CommandError> {
    let key = key_of(&args.agent)?;
    let store = unlocked(&args.operator).await?;
    if !store.unblock_agent(&key, OPERATOR).await.map_err(failed)? {
        return Err(CommandError::invalid(
            "no agent of that name is blocked; see 'aqueduct operator agents'",
        ));
    }
    report::note("the block is lifted; the audit has it");
    Ok(Exit::Done)
}

fn key_of(name: &str) -> Result<String, CommandError> {
    let name = AgentName::parse(name).map_err(|error| CommandError::invalid(error.to_string()))?;
    Ok(name.key().to_owned())
}

fn run_lines(run: &RunView) -> Vec<String> {
    let state = run.paused.as_ref().map_or("running".to_owned(), |why| format!("paused: {why}"));
    let mut lines = vec![format!("{}  {state}, {} steps, caller {}", run.name, run.reported, run.caller)];
    let skipped = run.last_steps.len().saturating_sub(SHOWN_STEPS);
    for step in &run.last_steps[skipped..] {
        let score = step.score.map_or_else(|| "-".to_owned(), |score| score.to_string());
        lines.push(format!("  {} {} risk {score}: {}", step.number, step.effect, step.hint));
    }
    lines
}

fn block_lines(block: &AgentBlock) -> Vec<String> {
    vec![
        format!("{}  blocked since {}: {}", block.name, iso8601(block.blocked_at), block.reason),
        format!("  challenge {}", block.challenge),
    ]
}

fn challenge_line(challenge: &WaitingChallenge) -> String {
    let WaitingChallenge { id, kind, state, hint, expires_at, .. } = challenge;
    format!("challenge {id}  {kind}, {state} until {}: {hint}", iso8601(*expires_at))
}

fn as_json(overview: &AgentsOverview) -> Value {
    let steps = |run: &RunView| -> Vec<Value> {
        let step = |step: &aqueduct::store::agents::AgentStepView| json!({"number": step.number, "at": iso8601(step.at), "hint": step.hint, "effect": step.effect, "score": step.score});
        run.last_steps.iter().map(step).collect()
    };
    let running = overview.running.iter().map(|run| {
        json!({"id": run.id, "name": run.name, "caller": run.caller, "started_at": iso8601(run.started_at),
               "reported": run.reported, "steps": run.steps, "paused": run.paused, "last_steps": steps(run)})
    });
    let blocked = overview.blocked.iter().map(|block| {
        json!({"name": block.name, "challenge": block.challenge, "hint": block.hint, "reason": block.reason,
               "blocked_at": iso8601(block.blocked_at)})
    });
    let challenges = overview.challenges.iter().map(|challenge| {
        json!({"id": challenge.id, "agent": challenge.agent, "kind": challenge.kind, "hint": challenge.hint,
               "state": challenge.state, "expires_at": iso8601(challenge.expires_at)})
    });
    json!({"running": running.collect::<Vec<_>>(), "blocked": blocked.collect::<Vec<_>>(), "challenges": challenges.collect::<Vec<_>>()})
}
