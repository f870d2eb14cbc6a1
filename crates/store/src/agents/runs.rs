//! Runs of agents: begun, looked up, ended.
//!
//! A blocked agent begins none. A run belongs to the session that began it, and ends with it and with its process, whoever its caller
//! is: it is reported to from there alone. Jobs of APIs, which ruling S11 lets go on for callers with a name, are executions, not runs.

use super::notices::{self, AgentNotice};
use super::releases::{self, AgentRelease};
use super::{event, line, new_id, note};
use crate::error::StoreError;
use crate::instances::{self, SILENCE};
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::{Row, Value};
use aqueduct_operations::clock::earlier;
use jiff::Timestamp;

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

/// A challenge that nobody has passed yet.
#[derive(Debug, Clone)]
pub struct OpenChallenge {
    /// Its identifier.
    pub id: String,
    /// When it ends.
    pub expires_at: Timestamp,
}

/// What is known of an agent when it reports.
#[derive(Debug, Clone)]
pub struct AgentState {
    /// Its run in this session.
    pub run: Option<AgentRun>,
    /// The challenge of its block.
    pub block: Option<String>,
    /// A challenge that pauses it.
    pub verification: Option<OpenChallenge>,
    /// Why it waits for a person: this run does, or another one of it, whether it goes on or not.
    pub pause: Option<String>,
    /// What a person has said yes to.
    pub releases: Vec<AgentRelease>,
    /// The same hint was reported so often in this run.
    pub repeated: i64,
    /// What it is told.
    pub notices: Vec<AgentNotice>,
}

pub(super) async fn block_of<T: Transaction>(
    transaction: &mut T,
    agent: &str,
) -> Result<Option<String>, StoreError> {
    let sql = "SELECT challenge FROM agent_blocks WHERE agent = $1";
    transaction.query_one(sql, &[agent.into()]).await?.map(|row| row.text(0)).transpose()
}

/// The challenge that pauses an agent: one of this instance, or of another one that has not ended.
async fn verification_of<T: Transaction>(
    transaction: &mut T,
    agent: &str,
    instance: &str,
) -> Result<Option<OpenChallenge>, StoreError> {
    let now = transaction.now();
    let sql = format!(
        "SELECT id, expires_at FROM agent_challenges c WHERE agent = $1 AND {} ORDER BY made_at DESC",
        pending("$2", "$3", "$4")
    );
    let values = [agent.into(), instance.into(), now.into(), earlier(now, SILENCE).into()];
    let open = |row: Row| Ok(OpenChallenge { id: row.text(0)?, expires_at: row.moment(1)? });
    transaction.query_one(&sql, &values).await?.map(open).transpose()
}

/// The condition on a challenge `c` that pauses its agent: it waits for a code, and the instance that made it runs.
fn pending(instance: &str, now: &str, heard_since: &str) -> String {
    let runs = is_heard_of("c.instance", instance, heard_since);
    format!("c.kind = 'verify' AND c.state IN ('waiting', 'open') AND c.expires_at > {now} AND {runs}")
}

/// The condition that an instance runs: it is this one, or one that was heard of.
pub(super) fn is_heard_of(column: &str, instance: &str, heard_since: &str) -> String {
    format!(
        "({column} = {instance} OR {column} IN (SELECT id FROM instances WHERE seen_at >= {heard_since}))"
    )
}

/// Ends runs, of one agent or of all, whose process is not heard of any more.
async fn end_lost<T: Transaction>(
    transaction: &mut T,
    agent: Option<&str>,
    instance: &str,
) -> Result<(), StoreError> {
    let sql = format!(
        "SELECT id, agent FROM agent_runs WHERE state = 'running' AND (instance IS NULL OR NOT {}) {}",
        is_heard_of("instance", "$1", "$2"),
        agent.map_or("", |_| "AND agent = $3")
    );
    let mut values = vec![instance.into(), earlier(transaction.now(), SILENCE).into()];
    values.extend(agent.map(Value::from));
    for row in transaction.query(&sql, &values).await? {
        let agent = row.text(1)?;
        close(transaction, &row.text(0)?, &agent, RunEnd::Aborted).await?;
        note(
            transaction,
            line(event::ENDED, RunEnd::Aborted.name(), &agent, "its process is not heard of any more"),
        )
        .await?;
    }
    Ok(())
}

/// Takes back what an agent was told of pauses for a code that have ended with their process.
async fn forget_lost_pauses<T: Transaction>(
    transaction: &mut T,
    agent: &str,
    instance: &str,
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM agent_notices WHERE agent = $1 AND kind = 'autonomy_pause' AND challenge IN \
         (SELECT c.id FROM agent_challenges c WHERE c.agent = $1 AND c.kind = 'verify' AND NOT {})",
        is_heard_of("c.instance", "$2", "$3")
    );
    let heard_since = earlier(transaction.now(), SILENCE);
    transaction.execute(&sql, &[agent.into(), instance.into(), heard_since.into()]).await.map(drop)
}

struct EndLost {
    instance: String,
}

impl StoreTask for EndLost {
    type Output = ();

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<(), StoreError> {
        instances::heard_of(transaction, &self.instance).await?;
        end_lost(transaction, None, &self.instance).await
    }
}

pub(super) async fn running<T: Transaction>(
    transaction: &mut T,
    agent: &str,
    session: &str,
) -> Result<Option<AgentRun>, StoreError> {
    let sql = format!("SELECT {RUN} FROM agent_runs WHERE agent = $1 AND session = $2 AND state = 'running'");
    transaction.query_one(&sql, &[agent.into(), session.into()]).await?.as_ref().map(run_of).transpose()
}

struct Start(StartRun);

impl StoreTask for Start {
    type Output = Started;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Started, StoreError> {
        let StartRun { agent, name, session, caller, instance } = &self.0;
        if let Some(challenge) = block_of(transaction, agent).await? {
            return Ok(Started::Blocked { challenge });
        }
        end_lost(transaction, Some(agent), instance).await?;
        if let Some(run) = running(transaction, agent, session).await? {
            return Ok(Started::Running(run.id));
        }
        // The run lasts as long as its process is heard of.
        instances::heard_of(transaction, instance).await?;
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

struct State {
    agent: String,
    session: String,
    instance: String,
    hint_key: String,
}

impl StoreTask for State {
    type Output = AgentState;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<AgentState, StoreError> {
        let State { agent, session, instance, hint_key } = &*self;
        super::challenges::expire(transaction, agent).await?;
        end_lost(transaction, Some(agent), instance).await?;
        forget_lost_pauses(transaction, agent, instance).await?;
        let run = running(transaction, agent, session).await?;
        let sql = "SELECT pause_reason FROM agent_runs WHERE agent = $1 AND pause IS NOT NULL \
                   ORDER BY CASE WHEN session = $2 THEN 0 ELSE 1 END, started_at DESC LIMIT 1";
        let pause = transaction.query_one(sql, &[agent.into(), session.into()]).await?;
        let mut repeated = 0;
        if let Some(run) = &run {
            let sql = "SELECT count(*) FROM agent_steps WHERE run = $1 AND hint_key = $2";
            let row = transaction.query_one(sql, &[(&run.id).into(), hint_key.into()]).await?;
            repeated = row.map(|row| row.int(0)).transpose()?.unwrap_or_default();
        }
        let releases = releases::of(transaction, agent, run.as_ref().map(|run| run.id.as_str())).await?;
        Ok(AgentState {
            run,
            releases,
            block: block_of(transaction, agent).await?,
            verification: verification_of(transaction, agent, instance).await?,
            pause: pause.map(|row| Ok(row.optional_text(0)?.unwrap_or_default())).transpose()?,
            repeated,
            notices: notices::of(transaction, agent).await?,
        })
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
    fn name(self) -> &'static str {
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
async fn close<T: Transaction>(
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

/// An agent of a session, as the gate sees it.
#[derive(Debug, Clone)]
pub struct SessionAgent {
    /// Its run.
    pub run: AgentRun,
    /// The challenge of its block.
    pub block: Option<String>,
    /// It waits for a person.
    pub is_paused: bool,
    /// Its run is of another session of the same caller.
    pub is_elsewhere: bool,
}

struct AgentsOfSession {
    session: String,
    caller: Option<String>,
    instance: String,
}

impl StoreTask for AgentsOfSession {
    type Output = Vec<SessionAgent>;
    const READS_ONLY: bool = true;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Vec<SessionAgent>, StoreError> {
        let AgentsOfSession { session, caller, instance } = &*self;
        // Ending a run is no way to go on: what keeps its agent from going on keeps the session from it, and whoever is known by name.
        let sql = format!(
            "SELECT {RUN} FROM agent_runs WHERE (session = $1 OR caller = $2) AND (state = 'running' OR pause IS NOT NULL \
             OR ended_at >= (SELECT blocked_at FROM agent_blocks WHERE agent_blocks.agent = agent_runs.agent) \
             OR EXISTS (SELECT 1 FROM agent_challenges c WHERE c.agent = agent_runs.agent AND c.made_at <= ended_at AND {})) \
             ORDER BY CASE WHEN session = $1 THEN 0 ELSE 1 END, CASE WHEN state = 'running' THEN 0 ELSE 1 END, started_at",
            pending("$3", "$4", "$5")
        );
        let now = transaction.now();
        let values =
            [session.into(), caller.into(), instance.into(), now.into(), earlier(now, SILENCE).into()];
        let mut agents: Vec<SessionAgent> = Vec::new();
        for row in transaction.query(&sql, &values).await? {
            let run = run_of(&row)?;
            if let Some(known) = agents.iter_mut().find(|known| known.run.agent == run.agent) {
                known.is_paused |= run.pause.is_some();
                continue;
            }
            let block = block_of(transaction, &run.agent).await?;
            let is_paused =
                run.pause.is_some() || verification_of(transaction, &run.agent, instance).await?.is_some();
            let is_elsewhere = run.session != *session;
            agents.push(SessionAgent { run, block, is_paused, is_elsewhere });
        }
        // What runs elsewhere and may go on is not of this session.
        agents.retain(|agent| !agent.is_elsewhere || agent.is_paused || agent.block.is_some());
        Ok(agents)
    }
}

struct FindBlock {
    agent: String,
}

impl StoreTask for FindBlock {
    type Output = Option<String>;
    const READS_ONLY: bool = true;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Option<String>, StoreError> {
        block_of(transaction, &self.agent).await
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
        self.perform(Start(start)).await
    }

    /// What is known of an agent. Challenges that only pause are those of this instance, and of others that run.
    pub async fn agent_state(
        &self,
        agent: &str,
        session: &str,
        instance: &str,
        hint_key: &str,
    ) -> Result<AgentState, StoreError> {
        let text = str::to_owned;
        let state = State {
            agent: text(agent),
            session: text(session),
            instance: text(instance),
            hint_key: text(hint_key),
        };
        self.perform(state).await
    }

    /// Says that this process runs, and ends the runs of those that are not heard of any more.
    pub async fn keep_agents(&self, instance: &str) -> Result<(), StoreError> {
        self.perform(EndLost { instance: instance.to_owned() }).await
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

    /// Ends the runs of a session that has ended. Nobody waits for it.
    pub fn end_agents_of_session(&self, session: &str) {
        self.perform_detached(EndSession { session: session.to_owned() });
    }

    /// The agents that run in a session, and those whose run there has ended while they were paused or blocked, and still are. Of a
    /// caller with a name, those that are paused or blocked in any session.
    pub async fn agents_of_session(
        &self,
        session: &str,
        caller: Option<&str>,
        instance: &str,
    ) -> Result<Vec<SessionAgent>, StoreError> {
        let text = str::to_owned;
        let agents =
            AgentsOfSession { session: text(session), caller: caller.map(text), instance: text(instance) };
        self.perform(agents).await
    }

    /// The challenge that lifts the block of an agent, if it is blocked.
    pub async fn agent_block(&self, agent: &str) -> Result<Option<String>, StoreError> {
        self.perform(FindBlock { agent: agent.to_owned() }).await
    }

    /// Uses up what the last report of a run stands for; false if that was done already.
    pub async fn use_agent_report(&self, run: &str) -> Result<bool, StoreError> {
        self.perform(UseReport { run: run.to_owned() }).await
    }
}
