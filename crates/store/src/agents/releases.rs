//! What a person has said yes to: kept by agent and action until a report uses it up.
//!
//! A yes is given to the run that was stopped. That run alone loses it by reporting something else; when it has ended, or its process
//! was lost, the yes waits for the next run of the agent, for a day.

use super::new_id;
use crate::error::StoreError;
use crate::transaction::Transaction;
use crate::value::Row;
use aqueduct_operations::clock::earlier;
use std::time::Duration;

/// How long a yes is good that nothing has used up.
const GOOD_FOR: Duration = Duration::from_secs(86_400);

/// Which run a yes was given to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReleaseRecipient {
    /// The one that asks.
    ThisRun,
    /// Another one that goes on, as far as is known.
    AnotherRun,
    /// One that has ended.
    EndedRun,
}

/// A yes that was not used yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentRelease {
    /// Its identifier.
    pub id: String,
    /// To what: `go_on`, `confirmed` or `verified`.
    pub release: String,
    /// What the agent was about to do.
    pub hint: String,
    /// Whose it is.
    pub given_to: ReleaseRecipient,
}

/// A yes to what a run was about to do.
#[derive(Debug, Clone, Copy)]
pub(super) struct NewRelease<'r> {
    pub agent: &'r str,
    pub run: &'r str,
    pub hint: &'r str,
    pub release: &'r str,
}

/// Keeps a yes, in the place of the same one.
pub(super) async fn add<T: Transaction>(
    transaction: &mut T,
    release: NewRelease<'_>,
) -> Result<(), StoreError> {
    let NewRelease { agent, run, hint, release } = release;
    let (id, now) = (new_id()?, transaction.now());
    let sql = "DELETE FROM agent_releases WHERE agent = $1 AND hint = $2 AND release = $3";
    transaction.execute(sql, &[agent.into(), hint.into(), release.into()]).await?;
    let sql =
        "INSERT INTO agent_releases (id, agent, run, hint, release, made_at) VALUES ($1, $2, $3, $4, $5, $6)";
    let values = [id.into(), agent.into(), run.into(), hint.into(), release.into(), now.into()];
    transaction.execute(sql, &values).await?;
    Ok(())
}

/// What an agent may use, the oldest first.
pub(super) async fn of<T: Transaction>(
    transaction: &mut T,
    agent: &str,
    run: Option<&str>,
) -> Result<Vec<AgentRelease>, StoreError> {
    let sql = "SELECT y.id, y.release, y.hint, y.run, COALESCE(r.state, 'ended') FROM agent_releases y \
               LEFT JOIN agent_runs r ON r.id = y.run WHERE y.agent = $1 AND y.made_at > $2 ORDER BY y.made_at, y.id";
    let since = earlier(transaction.now(), GOOD_FOR);
    let release_of = |row: &Row| {
        let given_to = match row.text(4)?.as_str() {
            _ if run == Some(row.text(3)?.as_str()) => ReleaseRecipient::ThisRun,
            "running" => ReleaseRecipient::AnotherRun,
            _ => ReleaseRecipient::EndedRun,
        };
        Ok(AgentRelease { id: row.text(0)?, release: row.text(1)?, hint: row.text(2)?, given_to })
    };
    transaction.query(sql, &[agent.into(), since.into()]).await?.iter().map(release_of).collect()
}

/// Makes a yes one's own until the transaction ends; false when another report has used it.
pub(super) async fn claim<T: Transaction>(transaction: &mut T, id: &str) -> Result<bool, StoreError> {
    let sql = "UPDATE agent_releases SET made_at = made_at WHERE id = $1";
    Ok(transaction.execute(sql, &[id.into()]).await? == 1)
}

/// Uses up the yes by which a run goes on, and whatever else it was given.
pub(super) async fn use_up<T: Transaction>(
    transaction: &mut T,
    id: Option<&str>,
    run: &str,
) -> Result<(), StoreError> {
    let sql = "DELETE FROM agent_releases WHERE id = $1 OR run = $2";
    transaction.execute(sql, &[id.into(), run.into()]).await.map(drop)
}

/// Uses up what a run was given that was stopped again. A yes to the action itself stays, since the action was not taken.
pub(super) async fn use_up_others<T: Transaction>(
    transaction: &mut T,
    id: Option<&str>,
    run: &str,
) -> Result<(), StoreError> {
    let sql = "DELETE FROM agent_releases WHERE (run = $2 AND id <> COALESCE($1, '')) OR (id = $1 AND release = 'go_on')";
    transaction.execute(sql, &[id.into(), run.into()]).await.map(drop)
}

/// Forgets what no one may use any more.
pub(super) async fn forget<T: Transaction>(transaction: &mut T) -> Result<(), StoreError> {
    let since = earlier(transaction.now(), GOOD_FOR);
    transaction.execute("DELETE FROM agent_releases WHERE made_at <= $1", &[since.into()]).await.map(drop)
}
