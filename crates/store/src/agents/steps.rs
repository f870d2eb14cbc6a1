//! A step that was evaluated: kept, with what follows from it.
//!
//! The verdict in; out, the challenge that was made, if any. All of it is one transaction: a block without its challenge, or a
//! broadcast without a block, cannot be. A report that was overtaken by another one changes nothing.

use super::notices::{self, NewNotice};
use super::status::block_of;
use super::{event, line, new_id, note, releases};
use crate::error::StoreError;
use crate::instances;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::Value;
use aqueduct_operations::clock::later;
use std::time::Duration;

/// What a step does to its agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepEffect {
    /// It goes on.
    Continue,
    /// It waits for a confirmation.
    Pause,
    /// It waits for a code.
    Verify,
    /// It is blocked.
    Block,
}

impl StepEffect {
    fn name(self) -> &'static str {
        match self {
            StepEffect::Continue => "continue",
            StepEffect::Pause => "pause",
            StepEffect::Verify => "verify",
            StepEffect::Block => "block",
        }
    }
}

/// A step to be kept.
#[derive(Debug, Clone)]
pub struct RecordStep {
    /// The run.
    pub run: String,
    /// How many reports it had when this one was evaluated.
    pub reported: i64,
    /// The key of the agent.
    pub agent: String,
    /// Its name.
    pub name: String,
    /// This process.
    pub instance: String,
    /// What it is about to do.
    pub hint: String,
    /// The same for all spellings.
    pub hint_key: String,
    /// How the step before ended.
    pub outcome: Option<String>,
    /// What follows.
    pub effect: StepEffect,
    /// Which stage decided.
    pub stage: String,
    /// Why.
    pub reason: String,
    /// The score.
    pub score: Option<u8>,
    /// The yes that it was evaluated with.
    pub release: Option<String>,
    /// It asks for a permission: the agent is told so as well.
    pub is_permission: bool,
    /// How long a challenge is good.
    pub challenge_ttl: Duration,
}

/// Whether a step was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recorded {
    /// It was; the challenge that it has made.
    Done {
        /// The challenge.
        challenge: Option<String>,
    },
    /// Another report or the end of the run came first: look again.
    Overtaken,
}

impl StoreTask for RecordStep {
    type Output = Recorded;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Recorded, StoreError> {
        let step = &*self;
        let is_blocked = block_of(transaction, &step.agent).await?.is_some();
        if is_blocked || !claim(transaction, step).await? || !count(transaction, step).await? {
            return Ok(Recorded::Overtaken);
        }
        let used = step.release.as_deref();
        if step.effect == StepEffect::Continue {
            releases::use_up(transaction, used, &step.run).await?;
        } else {
            releases::use_up_others(transaction, used, &step.run).await?;
        }
        keep(transaction, step).await?;
        // A block does not answer what the run waited for before.
        if matches!(step.effect, StepEffect::Pause | StepEffect::Verify) {
            notices::clear_pause(transaction, &step.run).await?;
        }
        let challenge = match step.effect {
            StepEffect::Continue => None,
            StepEffect::Pause => {
                pause(transaction, step).await?;
                None
            }
            StepEffect::Verify => Some(verify(transaction, step).await?),
            StepEffect::Block => Some(block(transaction, step).await?),
        };
        if step.effect != StepEffect::Continue {
            transaction.notify().await?;
        }
        Ok(Recorded::Done { challenge })
    }
}

/// Of two reports with one yes, one has it.
async fn claim<T: Transaction>(transaction: &mut T, step: &RecordStep) -> Result<bool, StoreError> {
    match &step.release {
        Some(release) => releases::claim(transaction, release).await,
        None => Ok(true),
    }
}

/// Counts the report, if it is the one that comes next. A block leaves a pause as it is.
async fn count<T: Transaction>(transaction: &mut T, step: &RecordStep) -> Result<bool, StoreError> {
    let goes_on = step.effect == StepEffect::Continue;
    let is_paused = step.effect == StepEffect::Pause;
    let pauses = if step.effect == StepEffect::Block {
        // The same values, so that they have a type.
        "pause = COALESCE(pause, $7), pause_reason = COALESCE(pause_reason, $8), pause_hint = COALESCE(pause_hint, $9)"
    } else {
        "pause = $7, pause_reason = $8, pause_hint = $9, pause_token = NULL"
    };
    let sql = format!(
        "UPDATE agent_runs SET reported = reported + 1, steps = steps + $3, risk = risk + $4, hint = $5, covers = $6, {pauses} \
         WHERE id = $1 AND reported = $2 AND state = 'running'"
    );
    let risk = i64::from(step.score.unwrap_or_default()).saturating_sub(20).max(0);
    let values = [
        (&step.run).into(),
        step.reported.into(),
        // A pause is no step: it is taken when the agent may go on.
        i64::from(goes_on).into(),
        risk.into(),
        if goes_on { Value::from(&step.hint) } else { Value::Null },
        i64::from(goes_on).into(),
        if is_paused { Value::from(&step.stage) } else { Value::Null },
        if is_paused { Value::from(&step.reason) } else { Value::Null },
        if is_paused { Value::from(&step.hint) } else { Value::Null },
    ];
    Ok(transaction.execute(&sql, &values).await? == 1)
}

async fn keep<T: Transaction>(transaction: &mut T, step: &RecordStep) -> Result<(), StoreError> {
    let sql = "INSERT INTO agent_steps (run, number, at, hint, hint_key, outcome, effect, stage, score) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let now = transaction.now();
    let values = [
        (&step.run).into(),
        (step.reported + 1).into(),
        now.into(),
        (&step.hint).into(),
        (&step.hint_key).into(),
        (&step.outcome).into(),
        step.effect.name().into(),
        (&step.stage).into(),
        step.score.map(i64::from).into(),
    ];
    transaction.execute(sql, &values).await?;
    Ok(())
}

async fn pause<T: Transaction>(transaction: &mut T, step: &RecordStep) -> Result<(), StoreError> {
    let notice = NewNotice {
        agent: &step.agent,
        about: Some(&step.run),
        kind: "autonomy_pause",
        message: "The agent is paused until a person confirms",
        operation: Some(&step.hint),
        reason: Some(&step.reason),
        level: None,
        challenge: None,
    };
    notices::add(transaction, notice).await?;
    if step.is_permission {
        let message = "The action waits for a person's confirmation";
        let level = Some("CONFIRM_SINGLE_USE");
        notices::add(transaction, NewNotice { kind: "permission_pending", message, level, ..notice }).await?;
    }
    note(transaction, line(event::PAUSED, &step.stage, &step.agent, step.reason.as_str())).await
}

async fn verify<T: Transaction>(transaction: &mut T, step: &RecordStep) -> Result<String, StoreError> {
    let challenge = challenge(transaction, step, "verify").await?;
    // For the other instances, the pause lasts as long as this one is heard of.
    instances::touch_instance(transaction, &step.instance).await?;
    let notice = NewNotice {
        agent: &step.agent,
        about: Some(&step.run),
        kind: "autonomy_pause",
        message: "The agent is paused until a person enters the code of the challenge, which the operator can see",
        operation: Some(&step.hint),
        reason: Some(&step.reason),
        level: None,
        challenge: Some(&challenge),
    };
    notices::add(transaction, notice).await?;
    note(transaction, line(event::PAUSED, &step.stage, &step.agent, step.reason.as_str())).await?;
    Ok(challenge)
}

async fn block<T: Transaction>(transaction: &mut T, step: &RecordStep) -> Result<String, StoreError> {
    let challenge = challenge(transaction, step, "block").await?;
    let sql = "INSERT INTO agent_blocks (agent, name, challenge, hint, reason, blocked_at) VALUES ($1, $2, $3, $4, $5, $6)";
    let now = transaction.now();
    let values = [
        (&step.agent).into(),
        (&step.name).into(),
        (&challenge).into(),
        (&step.hint).into(),
        (&step.reason).into(),
        now.into(),
    ];
    transaction.execute(sql, &values).await?;
    let message =
        format!("The agent '{}' is blocked until a person enters the code of the challenge", step.name);
    let sql = "SELECT DISTINCT agent FROM agent_runs WHERE state = 'running'";
    for row in transaction.query(sql, &[]).await? {
        let agent = row.text(0)?;
        let is_own = agent == step.agent;
        let notice = NewNotice {
            agent: &agent,
            about: Some(&step.agent),
            kind: "danger_zone",
            message: &message,
            // What one agent was about to do is not for the others.
            operation: is_own.then_some(step.hint.as_str()),
            reason: is_own.then_some(step.reason.as_str()),
            level: None,
            challenge: Some(&challenge),
        };
        notices::add(transaction, notice).await?;
    }
    note(transaction, line(event::BLOCKED, &step.stage, &step.agent, step.reason.as_str())).await?;
    Ok(challenge)
}

async fn challenge<T: Transaction>(
    transaction: &mut T,
    step: &RecordStep,
    kind: &str,
) -> Result<String, StoreError> {
    let (id, now) = (new_id()?, transaction.now());
    let sql = "INSERT INTO agent_challenges (id, agent, run, kind, hint, reason, instance, state, made_at, expires_at) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, 'waiting', $8, $9)";
    let values = [
        (&id).into(),
        (&step.agent).into(),
        (&step.run).into(),
        kind.into(),
        (&step.hint).into(),
        (&step.reason).into(),
        (&step.instance).into(),
        now.into(),
        later(now, step.challenge_ttl).into(),
    ];
    transaction.execute(sql, &values).await?;
    note(transaction, line(event::CHALLENGE_MADE, kind, &step.agent, id.as_str())).await?;
    Ok(id)
}

impl Store {
    /// Keeps a step that was evaluated, and does what follows from it.
    pub async fn record_agent_step(&self, step: RecordStep) -> Result<Recorded, StoreError> {
        self.perform(step).await
    }
}
