//! What is known of an agent, and which agents a session has: their runs, blocks and pauses.
//!
//! The key of an agent or a session in; what a report or the gate has to know out. What is due by then ends first.

use super::lost_runs::{end_lost, forget_lost_pauses, is_alive_condition};
use super::notices::{self, AgentNotice};
use super::releases::{self, AgentRelease};
use super::runs::{AgentRun, RUN, run_of, running};
use crate::error::StoreError;
use crate::instances::SILENCE;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::Row;
use aqueduct_operations::clock::earlier;
use jiff::Timestamp;

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
    let runs = is_alive_condition("c.instance", instance, heard_since);
    format!("c.kind = 'verify' AND c.state IN ('waiting', 'open') AND c.expires_at > {now} AND {runs}")
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

impl Store {
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
}
