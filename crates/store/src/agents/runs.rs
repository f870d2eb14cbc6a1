//! Runs of agents: begun, looked up, ended.
//!
//! A blocked agent begins none. A run belongs to the session that began it, and ends with it and with its process, no matter who its caller
//! is: it is reported to from there alone. Jobs of APIs, which ruling S11 lets go on for callers with a name, are executions, not runs.

use super::lost_runs::end_lost;
use super::status::block_of;
use super::{event, line, new_id, note};
use crate::error::StoreError;
use crate::instances;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::Row;

/// What a run begins with.
#[derive(Debug, Clone)]
pub struct StartRun {
    /// The key of the agent.
    pub agent: String,
    /// Its name.
    pub name: String,
    /// The session.
    pub session: String,
    /// Who asked.
    pub caller: String,
    /// The process.
    pub instance: String,
}

/// Whether a run began.
#[derive(Debug, Clone)]
pub enum Started {
    /// It did; its identifier.
    Run(String),
    /// The agent is blocked; the challenge that lifts it.
    Blocked {
        /// The challenge.
        challenge: String,
    },
    /// The agent runs in this session already; the identifier of that run.
    Running(String),
}

/// A run.
#[derive(Debug, Clone)]
pub struct AgentRun {
    /// Its identifier.
    pub id: String,
    /// The key of the agent.
    pub agent: String,
    /// Its name.
    pub name: String,
    /// The session that began it.
    pub session: String,
    /// Who did.
    pub caller: String,
    /// All reports.
    pub reported: i64,
    /// Steps since a person last looked.
    pub steps: i64,
    /// What its risk adds up to.
    pub risk: i64,
    /// What it last may do.
    pub hint: Option<String>,
    /// The last report stands for a call that was not made yet.
    pub covers: bool,
    /// The stage that paused it.
    pub pause: Option<String>,
    /// Why.
    pub pause_reason: Option<String>,
    /// What it was about to do.
    pub pause_hint: Option<String>,
}

/// The columns of a run, in the order of `from_row`.
pub(super) const RUN: &str = "id, agent, name, session, caller, reported, steps, risk, hint, covers, pause, \
                              pause_reason, pause_hint";

pub(super) fn run_of(row: &Row) -> Result<AgentRun, StoreError> {
    Ok(AgentRun {
        id: row.text(0)?,
        agent: row.text(1)?,
        name: row.text(2)?,
        session: row.text(3)?,
        caller: row.text(4)?,
        reported: row.int(5)?,
        steps: row.int(6)?,
        risk: row.int(7)?,
        hint: row.optional_text(8)?,
        covers: row.int(9)? > 0,
        pause: row.optional_text(10)?,
        pause_reason: row.optional_text(11)?,
        pause_hint: row.optional_text(12)?,
    })
}

pub(super) async fn running<T: Transaction>(
    transaction: &mut T,
    agent: &str,
    session: &str,
) -> Result<Option<AgentRun>, StoreError> {
    let sql = format!("SELECT {RUN} FROM agent_runs WHERE agent = $1 AND session = $2 AND state = 'running'");
    transaction.query_one(&sql, &[agent.into(), session.into()]).await?.as_ref().map(run_of).transpose()
}

impl StoreTask for StartRun {
    type Output = Started;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Started, StoreError> {
        let StartRun { agent, name, session, caller, instance } = &*self;
        if let Some(challenge) = block_of(transaction, agent).await? {
            return Ok(Started::Blocked { challenge });
        }
        end_lost(transaction, Some(agent), instance).await?;
        if let Some(run) = running(transaction, agent, session).await? {
            return Ok(Started::Running(run.id));
        }
        // The run lasts as long as its process is heard of.
        instances::touch_instance(transaction, instance).await?;
        let (id, now) = (new_id()?, transaction.now());
        let sql = "INSERT INTO agent_runs (id, agent, name, session, caller, state, started_at, reported, steps, risk, covers, instance) \
                   VALUES ($1, $2, $3, $4, $5, 'running', $6, 0, 0, 0, 0, $7)";
        let values = [
            (&id).into(),
            agent.into(),
            name.into(),
            session.into(),
            caller.into(),
            now.into(),
            instance.into(),
        ];
        transaction.execute(sql, &values).await?;
        let mut entry = line(event::STARTED, "success", agent, name.as_str());
        entry.session = Some(session.clone());
        entry.caller = Some(caller.clone());
        note(transaction, entry).await?;
        transaction.notify().await?;
        Ok(Started::Run(id))
    }
}

/// How a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEnd {
    /// Well.
    Completed,
    /// Not well.
    Aborted,
}

impl RunEnd {
    pub(super) fn name(self) -> &'static str {
        match self {
            RunEnd::Completed => "completed",
            RunEnd::Aborted => "aborted",
        }
    }
}

/// Whether a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// It did.
    Done {
        /// Its identifier.
        run: String,
        /// How many steps were reported.
        reported: i64,
    },
    /// The agent is blocked and cannot complete anything; the challenge that lifts it.
    Blocked {
        /// The challenge.
        challenge: String,
    },
    /// It does not run in this session.
    NotRunning,
}

struct EndRun {
    agent: String,
    session: String,
    end: RunEnd,
    detail: String,
}

impl StoreTask for EndRun {
    type Output = Ended;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Ended, StoreError> {
        let EndRun { agent, session, end, detail } = &*self;
        if *end == RunEnd::Completed
            && let Some(challenge) = block_of(transaction, agent).await?
        {
            return Ok(Ended::Blocked { challenge });
        }
        let Some(run) = running(transaction, agent, session).await? else { return Ok(Ended::NotRunning) };
        close(transaction, &run.id, agent, *end).await?;
        note(transaction, line(event::ENDED, end.name(), agent, detail.as_str())).await?;
        transaction.notify().await?;
        Ok(Ended::Done { run: run.id, reported: run.reported })
    }
}

/// Ends a run. A block outlives it, and so does a pause, because only a person ends one; what was told of them stays.
pub(super) async fn close<T: Transaction>(
    transaction: &mut T,
    run: &str,
    agent: &str,
    end: RunEnd,
) -> Result<(), StoreError> {
    let sql = "UPDATE agent_runs SET state = $2, ended_at = $3, covers = 0, pause_token = NULL \
               WHERE id = $1 AND state = 'running'";
    let now = transaction.now();
    transaction.execute(sql, &[run.into(), end.name().into(), now.into()]).await?;
    let sql = "DELETE FROM agent_notices WHERE agent = $1 AND kind = 'permission_pending' AND about IS NULL \
               AND NOT EXISTS (SELECT 1 FROM agent_runs WHERE agent = $1 AND state = 'running')";
    transaction.execute(sql, &[agent.into()]).await?;
    Ok(())
}

struct EndSession {
    session: String,
}

impl StoreTask for EndSession {
    type Output = ();

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<(), StoreError> {
        let sql = "SELECT id, agent FROM agent_runs WHERE session = $1 AND state = 'running'";
        for row in transaction.query(sql, &[(&self.session).into()]).await? {
            let agent = row.text(1)?;
            close(transaction, &row.text(0)?, &agent, RunEnd::Aborted).await?;
            note(transaction, line(event::ENDED, RunEnd::Aborted.name(), &agent, "the session ended"))
                .await?;
        }
        Ok(())
    }
}

struct UseReport {
    run: String,
}

impl StoreTask for UseReport {
    type Output = bool;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<bool, StoreError> {
        let sql = "UPDATE agent_runs SET covers = 0 WHERE id = $1 AND covers = 1 AND state = 'running'";
        Ok(transaction.execute(sql, &[(&self.run).into()]).await? == 1)
    }
}

impl Store {
    /// Begins a run.
    pub async fn start_agent(&self, start: StartRun) -> Result<Started, StoreError> {
        self.perform(start).await
    }

    /// Ends a run.
    pub async fn end_agent(
        &self,
        agent: &str,
        session: &str,
        end: RunEnd,
        detail: &str,
    ) -> Result<Ended, StoreError> {
        let text = str::to_owned;
        self.perform(EndRun { agent: text(agent), session: text(session), end, detail: text(detail) }).await
    }

    /// Ends the runs of a session that has ended. No caller waits for it.
    pub fn end_agents_of_session(&self, session: &str) {
        self.perform_detached(EndSession { session: session.to_owned() });
    }

    /// Uses up what the last report of a run stands for; false if that was done already.
    pub async fn use_agent_report(&self, run: &str) -> Result<bool, StoreError> {
        self.perform(UseReport { run: run.to_owned() }).await
    }
}
