//! Pauses: an agent waits until a person says yes, who is never the caller that runs the agent.
//!
//! The operator says so, or hands out a token for it, which is shown to them alone; or another caller does, who is known by a token
//! of their own and runs no agent. The session that runs the agent cannot, whatever it sends.

use super::lost_runs::is_alive_condition;
use super::releases::{self, NewRelease};
use super::runs::{AgentRun, RUN, run_of};
use super::{AgentCaller, attempts, event, line, note, notices};
use crate::error::StoreError;
use crate::instances::SILENCE;
use crate::secret;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use aqueduct_operations::clock::{earlier, later};
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use std::time::Duration;

/// A token that lets a paused agent go on, once.
#[derive(Debug)]
pub struct PauseToken {
    /// The token, for the operator's eyes.
    pub token: SecretString,
    /// When it ends.
    pub expires_at: Timestamp,
}

/// A yes to a pause that comes by a call.
#[derive(Debug, Clone)]
pub struct ConfirmPause {
    /// The token of the operator.
    pub token: Option<SecretString>,
    /// The key of the agent, where another caller speaks for themselves.
    pub agent: Option<String>,
    /// Who says so.
    pub by: AgentCaller,
    /// This process.
    pub instance: String,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Confirmation {
    /// The agent of this name may go on.
    Done {
        /// Its name.
        name: String,
    },
    /// The caller that runs an agent cannot confirm what it does.
    SelfApproval,
    /// The token is not good, or nothing of the agent waits.
    Refused,
    /// Nothing is taken until this moment.
    Locked {
        /// The moment.
        until: Timestamp,
    },
}

struct Confirm(ConfirmPause);

impl StoreTask for Confirm {
    type Output = Confirmation;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Confirmation, StoreError> {
        let ConfirmPause { token, agent, by, instance } = &self.0;
        let subject = format!("session:{}", by.session);
        if let Some(until) = attempts::locked_until(transaction, &subject).await? {
            return Ok(Confirmation::Locked { until });
        }
        let runs = match (token, agent) {
            (Some(token), _) => with_token(transaction, token).await?,
            (None, Some(agent)) => paused(transaction, agent).await?,
            (None, None) => Vec::new(),
        };
        let Some(run) = runs.first() else {
            attempts::failed(transaction, &subject).await?;
            return Ok(Confirmation::Refused);
        };
        // Without a token from the operator, only a caller who is known by name and runs no agent is somebody else.
        let is_agent = match token {
            Some(_) => runs_it(transaction, &run.agent, by, instance).await?,
            None => !by.is_named || runs_any(transaction, by, instance).await?,
        };
        if is_agent {
            let entry =
                line(event::RELEASED, "failure", &run.agent, "an agent cannot confirm what it does itself");
            note(transaction, entry).await?;
            return Ok(Confirmation::SelfApproval);
        }
        let (name, approver) = (run.name.clone(), by.caller.clone());
        for run in &runs {
            release(transaction, run, &approver).await?;
        }
        Ok(Confirmation::Done { name })
    }
}

/// True for the caller that runs an agent, or ran it when it was paused: in any of their runs, since a yes is for all of them.
async fn runs_it<T: Transaction>(
    transaction: &mut T,
    agent: &str,
    by: &AgentCaller,
    instance: &str,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT 1 FROM agent_runs WHERE agent = $1 AND (state = 'running' AND {} OR pause IS NOT NULL) \
         AND (session = $2 OR caller = $3) LIMIT 1",
        is_alive_condition("instance", "$4", "$5")
    );
    let named = by.is_named.then(|| by.caller.clone());
    let heard_since = earlier(transaction.now(), SILENCE);
    let values = [agent.into(), (&by.session).into(), (&named).into(), instance.into(), heard_since.into()];
    Ok(transaction.query_one(&sql, &values).await?.is_some())
}

/// True for a caller that runs some agent, or ran one that still waits for a person or is blocked.
async fn runs_any<T: Transaction>(
    transaction: &mut T,
    by: &AgentCaller,
    instance: &str,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT 1 FROM agent_runs WHERE (session = $1 OR caller = $2) AND (state = 'running' AND {} OR pause IS NOT NULL \
               OR ended_at >= (SELECT blocked_at FROM agent_blocks WHERE agent_blocks.agent = agent_runs.agent) \
               OR EXISTS (SELECT 1 FROM agent_challenges c WHERE c.agent = agent_runs.agent AND c.made_at <= ended_at \
               AND c.kind = 'verify' AND c.state IN ('waiting', 'open') AND c.expires_at > $3)) LIMIT 1",
        is_alive_condition("instance", "$4", "$5")
    );
    let now = transaction.now();
    let heard_since = earlier(now, SILENCE);
    let values = [(&by.session).into(), (&by.caller).into(), now.into(), instance.into(), heard_since.into()];
    Ok(transaction.query_one(&sql, &values).await?.is_some())
}

async fn with_token<T: Transaction>(
    transaction: &mut T,
    token: &SecretString,
) -> Result<Vec<AgentRun>, StoreError> {
    let now = transaction.now();
    let sql = format!(
        "SELECT {RUN} FROM agent_runs WHERE pause_token = $1 AND pause_token_expires > $2 AND pause IS NOT NULL"
    );
    let hash = secret::hash(token.expose_secret());
    let rows = transaction.query(&sql, &[hash.into(), now.into()]).await?;
    rows.iter().map(run_of).collect()
}

async fn paused<T: Transaction>(transaction: &mut T, agent: &str) -> Result<Vec<AgentRun>, StoreError> {
    let sql = format!("SELECT {RUN} FROM agent_runs WHERE agent = $1 AND pause IS NOT NULL");
    let rows = transaction.query(&sql, &[agent.into()]).await?;
    rows.iter().map(run_of).collect()
}

/// Lets a paused agent go on: after the step limit or a failure, without a yes to the action itself.
async fn release<T: Transaction>(
    transaction: &mut T,
    run: &AgentRun,
    approver: &str,
) -> Result<(), StoreError> {
    let is_about_action = !matches!(run.pause.as_deref(), Some("step_limit" | "previous_outcome"));
    let release = if is_about_action { "confirmed" } else { "go_on" };
    let hint = run.pause_hint.as_deref().unwrap_or_default();
    releases::add(transaction, NewRelease { agent: &run.agent, run: &run.id, hint, release }).await?;
    let sql = "UPDATE agent_runs SET pause = NULL, pause_reason = NULL, pause_hint = NULL, pause_token = NULL WHERE id = $1";
    transaction.execute(sql, &[(&run.id).into()]).await?;
    // A person has looked at the agent, whichever of its runs goes on.
    let sql = "UPDATE agent_runs SET steps = 0 WHERE agent = $1 AND state = 'running' AND pause IS NULL";
    transaction.execute(sql, &[(&run.agent).into()]).await?;
    notices::clear_pause(transaction, &run.id).await?;
    let reason = run.pause_reason.clone().unwrap_or_default();
    let mut entry = line(event::RELEASED, "success", &run.agent, reason);
    entry.approver = Some(approver.to_owned());
    note(transaction, entry).await?;
    transaction.notify().await
}

struct ReleasePausedAgent {
    agent: String,
    approver: String,
}

impl StoreTask for ReleasePausedAgent {
    type Output = bool;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<bool, StoreError> {
        let runs = paused(transaction, &self.agent).await?;
        for run in &runs {
            release(transaction, run, &self.approver).await?;
        }
        Ok(!runs.is_empty())
    }
}

struct IssueToken {
    agent: String,
    token: SecretString,
    ttl: Duration,
}

impl StoreTask for IssueToken {
    type Output = Option<Timestamp>;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Option<Timestamp>, StoreError> {
        let IssueToken { agent, token, ttl } = &*self;
        let expires_at = later(transaction.now(), *ttl);
        let sql = "UPDATE agent_runs SET pause_token = $2, pause_token_expires = $3 \
                   WHERE agent = $1 AND pause IS NOT NULL";
        let hash = secret::hash_of(token);
        let changed = transaction.execute(sql, &[agent.into(), hash.into(), expires_at.into()]).await?;
        Ok((changed > 0).then_some(expires_at))
    }
}

impl Store {
    /// Takes a yes to a pause that comes by a call.
    pub async fn confirm_pause(&self, confirm: ConfirmPause) -> Result<Confirmation, StoreError> {
        self.perform(Confirm(confirm)).await
    }

    /// Lets the paused runs of an agent go on; false if there is none.
    pub async fn release_agent(&self, agent: &str, approver: &str) -> Result<bool, StoreError> {
        self.perform(ReleasePausedAgent { agent: agent.to_owned(), approver: approver.to_owned() }).await
    }

    /// Makes a token for the pause of an agent, which the operator is shown; nothing if it is not paused.
    pub async fn issue_pause_token(
        &self,
        agent: &str,
        ttl: Duration,
    ) -> Result<Option<PauseToken>, StoreError> {
        let token = secret::generate("pause_")?;
        let expires_at =
            self.perform(IssueToken { agent: agent.to_owned(), token: token.clone(), ttl }).await?;
        Ok(expires_at.map(|expires_at| PauseToken { token, expires_at }))
    }
}
