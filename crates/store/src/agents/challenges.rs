//! Challenges: opened by the operator, who alone sees the code; passed by anyone who enters it.
//!
//! One attempt each: a wrong or late code is the end of a challenge. The operator may open the challenge of a block again, which
//! makes another one. Only a right code, or the operator's override, lifts a block.

use super::releases::{self, NewRelease};
use super::{AgentCaller, attempts, event, line, new_id, note, salted};
use crate::error::StoreError;
use crate::secret;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::Row;
use aqueduct_operations::clock::later;
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use std::time::Duration;
use zeroize::Zeroizing;

/// Signs of a code: no letter in it looks like a digit.
const SIGNS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Signs of five bits each: 130 bits.
const SIGNS_OF_CODE: usize = 26;

/// A challenge that was opened. The only place where its code exists in clear.
#[derive(Debug)]
pub struct OpenedChallenge {
    /// Its identifier.
    pub id: String,
    /// The agent's name.
    pub agent: String,
    /// What the agent was about to do.
    pub hint: String,
    /// Why it was stopped.
    pub reason: String,
    /// The code, for the operator's eyes.
    pub code: SecretString,
    /// When it ends.
    pub expires_at: Timestamp,
}

/// Whether a challenge was opened.
#[derive(Debug)]
pub enum Opened {
    /// It was.
    Done(Box<OpenedChallenge>),
    /// There is none that waits.
    Unknown,
}

/// What became of a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verification {
    /// It was right: the agent of this name may go on.
    Passed {
        /// The key of the agent.
        agent: String,
    },
    /// It was wrong, too late, or for nothing that waits.
    Failed {
        /// Why, in a few words that say nothing of the code.
        why: &'static str,
        /// Another challenge that lifts the block, where the operator has opened one.
        current: Option<String>,
    },
    /// Nothing is taken until this moment.
    Locked {
        /// The moment.
        until: Timestamp,
    },
}

/// Ends challenges of an agent whose time is over. A pause ends with its challenge, a block does not.
pub(super) async fn expire<T: Transaction>(transaction: &mut T, agent: &str) -> Result<(), StoreError> {
    let now = transaction.now();
    let sql = "SELECT id, kind FROM agent_challenges WHERE agent = $1 AND state IN ('waiting', 'open') AND expires_at <= $2";
    for row in transaction.query(sql, &[agent.into(), now.into()]).await? {
        end(transaction, &row.text(0)?, &row.text(1)?, "expired").await?;
    }
    Ok(())
}

/// Ends a challenge, and what is told of it, unless the agent is blocked by it.
async fn end<T: Transaction>(
    transaction: &mut T,
    id: &str,
    kind: &str,
    state: &str,
) -> Result<(), StoreError> {
    let sql = "UPDATE agent_challenges SET state = $2, code = NULL, salt = NULL WHERE id = $1";
    transaction.execute(sql, &[id.into(), state.into()]).await?;
    if kind == "verify" {
        transaction.execute("DELETE FROM agent_notices WHERE challenge = $1", &[id.into()]).await?;
    }
    Ok(())
}

struct Open {
    /// A challenge, or the key of an agent.
    which: String,
    ttl: Duration,
    code: SecretString,
    salt: String,
}

impl StoreTask for Open {
    type Output = Opened;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Opened, StoreError> {
        let Open { which, ttl, code, salt } = &*self;
        let sql = "SELECT c.id, c.agent, c.kind, c.hint, c.reason, c.state, c.expires_at, COALESCE(r.name, c.agent) \
                   FROM agent_challenges c LEFT JOIN agent_blocks b ON b.agent = c.agent LEFT JOIN agent_runs r ON r.id = c.run \
                   WHERE (c.id = $1 OR c.agent = $1) AND (b.challenge = c.id OR (c.kind = 'verify' AND c.state IN ('waiting', 'open'))) \
                   ORDER BY CASE WHEN b.challenge = c.id THEN 0 ELSE 1 END, c.made_at DESC";
        let Some(row) = transaction.query_one(sql, &[which.into()]).await? else {
            return Ok(Opened::Unknown);
        };
        let now = transaction.now();
        let (old, agent, kind, hint, reason) =
            (row.text(0)?, row.text(1)?, row.text(2)?, row.text(3)?, row.text(4)?);
        let is_alive = matches!(row.text(5)?.as_str(), "waiting" | "open") && row.moment(6)? > now;
        if !is_alive && kind == "verify" {
            return Ok(Opened::Unknown);
        }
        let expires_at = later(now, *ttl);
        let id = if is_alive { old } else { renew(transaction, &old, &agent).await? };
        let sql =
            "UPDATE agent_challenges SET state = 'open', salt = $2, code = $3, expires_at = $4 WHERE id = $1";
        let hash = salted(salt, code.expose_secret());
        transaction.execute(sql, &[(&id).into(), salt.into(), hash.into(), expires_at.into()]).await?;
        note(transaction, line(event::CHALLENGE_OPENED, "success", &agent, id.as_str())).await?;
        transaction.notify().await?;
        let (agent, code) = (row.text(7)?, code.clone());
        Ok(Opened::Done(Box::new(OpenedChallenge { id, agent, hint, reason, code, expires_at })))
    }
}

/// Makes a challenge in the place of one that is over, for the same block.
async fn renew<T: Transaction>(transaction: &mut T, old: &str, agent: &str) -> Result<String, StoreError> {
    let (id, now) = (new_id()?, transaction.now());
    let sql = "INSERT INTO agent_challenges (id, agent, run, kind, hint, reason, instance, state, made_at, expires_at) \
               SELECT $1, agent, run, kind, hint, reason, instance, 'waiting', $3, $3 FROM agent_challenges WHERE id = $2";
    transaction.execute(sql, &[(&id).into(), old.into(), now.into()]).await?;
    let sql = "UPDATE agent_blocks SET challenge = $2 WHERE agent = $1";
    transaction.execute(sql, &[agent.into(), (&id).into()]).await?;
    let sql = "UPDATE agent_notices SET challenge = $2 WHERE challenge = $1";
    transaction.execute(sql, &[old.into(), (&id).into()]).await?;
    Ok(id)
}

struct VerifyChallenge {
    id: String,
    code: SecretString,
    by: AgentCaller,
}

struct FoundChallenge {
    agent: String,
    run: Option<String>,
    kind: String,
    hint: String,
    state: String,
    salt: Option<String>,
    code: Option<String>,
    expires_at: Timestamp,
}

fn found(row: &Row) -> Result<FoundChallenge, StoreError> {
    Ok(FoundChallenge {
        agent: row.text(0)?,
        run: row.optional_text(1)?,
        kind: row.text(2)?,
        hint: row.text(3)?,
        state: row.text(4)?,
        salt: row.optional_text(5)?,
        code: row.optional_text(6)?,
        expires_at: row.moment(7)?,
    })
}

impl StoreTask for VerifyChallenge {
    type Output = Verification;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Verification, StoreError> {
        let VerifyChallenge { id, code, by } = &*self;
        let sql = "SELECT agent, run, kind, hint, state, salt, code, expires_at FROM agent_challenges WHERE id = $1";
        let found = transaction.query_one(sql, &[id.into()]).await?.as_ref().map(found).transpose()?;
        // Codes for challenges that no one made count against anyone who tries them.
        let subject =
            found.as_ref().map_or_else(|| format!("session:{}", by.session), |found| found.agent.clone());
        if let Some(until) = attempts::locked_until(transaction, &subject).await? {
            return Ok(Verification::Locked { until });
        }
        let now = transaction.now();
        let is_right = match &found {
            Some(FoundChallenge { state, salt: Some(salt), code: Some(hash), expires_at, .. })
                if state == "open" =>
            {
                // Compared in any case, so that a late code takes as long as a wrong one.
                secret::same(&salted(salt, code.expose_secret()), hash) && *expires_at > now
            }
            _ => false,
        };
        match found {
            Some(found) if is_right => self.pass(transaction, found).await,
            found => self.fail(transaction, &subject, found).await,
        }
    }
}

impl VerifyChallenge {
    async fn pass<T: Transaction>(
        &self,
        transaction: &mut T,
        found: FoundChallenge,
    ) -> Result<Verification, StoreError> {
        let sql = "UPDATE agent_challenges SET state = 'passed', code = NULL, salt = NULL WHERE id = $1 AND state = 'open'";
        if transaction.execute(sql, &[(&self.id).into()]).await? != 1 {
            return Ok(Verification::Failed { why: "the challenge is over", current: None });
        }
        let FoundChallenge { agent, run, kind, hint, .. } = found;
        if kind == "block" {
            lift(transaction, &agent).await?;
        } else {
            transaction
                .execute("DELETE FROM agent_notices WHERE challenge = $1", &[(&self.id).into()])
                .await?;
        }
        // It is a yes to that action alone: whatever else the agent waits for, it goes on waiting for.
        let run = run.unwrap_or_default();
        let verified = NewRelease { agent: &agent, run: &run, hint: &hint, release: "verified" };
        releases::add(transaction, verified).await?;
        let mut passed = line(event::CHALLENGE_PASSED, "success", &agent, self.id.as_str());
        passed.session = Some(self.by.session.clone());
        passed.caller = Some(self.by.caller.clone());
        note(transaction, passed).await?;
        transaction.notify().await?;
        Ok(Verification::Passed { agent })
    }

    async fn fail<T: Transaction>(
        &self,
        transaction: &mut T,
        subject: &str,
        found: Option<FoundChallenge>,
    ) -> Result<Verification, StoreError> {
        let now = transaction.now();
        let why = match &found {
            None => "there is no such challenge",
            Some(found) if found.state == "passed" => "the challenge was passed before",
            Some(found) if found.state == "failed" => "the challenge ended with a wrong code",
            Some(found) if found.state == "expired" || found.expires_at <= now => "the challenge has expired",
            Some(found) if found.state == "waiting" => "the operator has not opened the challenge",
            Some(_) => "the code is wrong",
        };
        if let Some(found) = found.as_ref().filter(|found| found.state == "open") {
            let state = if found.expires_at <= now { "expired" } else { "failed" };
            end(transaction, &self.id, &found.kind, state).await?;
        }
        attempts::failed(transaction, subject).await?;
        let mut failed = line(event::CHALLENGE_FAILED, "failure", subject, why);
        failed.session = Some(self.by.session.clone());
        failed.caller = Some(self.by.caller.clone());
        note(transaction, failed).await?;
        let current = match found {
            Some(found) => {
                super::status::block_of(transaction, &found.agent).await?.filter(|id| *id != self.id)
            }
            None => None,
        };
        Ok(Verification::Failed { why, current })
    }
}

/// Lifts a block, and takes back what everybody was told of it.
async fn lift<T: Transaction>(transaction: &mut T, agent: &str) -> Result<bool, StoreError> {
    let lifted =
        transaction.execute("DELETE FROM agent_blocks WHERE agent = $1", &[agent.into()]).await? == 1;
    let sql = "DELETE FROM agent_notices WHERE about = $1 AND kind = 'danger_zone'";
    transaction.execute(sql, &[agent.into()]).await?;
    if lifted {
        note(transaction, line(event::UNBLOCKED, "success", agent, "the agent may run again")).await?;
    }
    Ok(lifted)
}

struct OverrideChallenge {
    agent: String,
    approver: String,
}

impl StoreTask for OverrideChallenge {
    type Output = bool;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<bool, StoreError> {
        let OverrideChallenge { agent, approver } = &*self;
        let lifted = lift(transaction, agent).await?;
        if lifted {
            let sql = "SELECT id, kind FROM agent_challenges WHERE agent = $1 AND kind = 'block' AND state IN ('waiting', 'open')";
            for row in transaction.query(sql, &[agent.into()]).await? {
                end(transaction, &row.text(0)?, &row.text(1)?, "expired").await?;
            }
            let mut entry =
                line(event::UNBLOCKED, "override", agent, "the operator lifted the block without a code");
            entry.approver = Some(approver.clone());
            note(transaction, entry).await?;
            transaction.notify().await?;
        }
        Ok(lifted)
    }
}

fn new_code() -> Result<SecretString, StoreError> {
    let bytes = secret::random_bytes()?;
    let mut code = Zeroizing::new(String::with_capacity(SIGNS_OF_CODE + 5));
    for (index, byte) in bytes.iter().take(SIGNS_OF_CODE).enumerate() {
        if index > 0 && index % 5 == 0 {
            code.push('-');
        }
        code.push(char::from(SIGNS[usize::from(byte & 31)]));
    }
    Ok(SecretString::from(code.as_str()))
}

/// A code as it was typed, written as it was made.
fn typed(code: &SecretString) -> SecretString {
    let signs: Zeroizing<String> = Zeroizing::new(
        code.expose_secret()
            .chars()
            .filter(|c| c.is_ascii_alphanumeric())
            .map(|c| c.to_ascii_uppercase())
            .collect(),
    );
    let mut written = Zeroizing::new(String::with_capacity(signs.len() + 8));
    for (index, sign) in signs.chars().enumerate() {
        if index > 0 && index % 5 == 0 {
            written.push('-');
        }
        written.push(match sign {
            'O' => '0',
            'I' | 'L' => '1',
            sign => sign,
        });
    }
    SecretString::from(written.as_str())
}

impl Store {
    /// Makes the code of a challenge, or of the challenge of an agent, which the operator is shown. A block whose challenge is over
    /// gets another one.
    pub async fn open_challenge(&self, which: &str, ttl: Duration) -> Result<Opened, StoreError> {
        let salt = secret::hex(&secret::random_bytes()?[..16]);
        self.perform(Open { which: which.to_owned(), ttl, code: new_code()?, salt }).await
    }

    /// Tries a code.
    pub async fn verify_challenge(
        &self,
        id: &str,
        code: &SecretString,
        by: AgentCaller,
    ) -> Result<Verification, StoreError> {
        self.perform(VerifyChallenge { id: id.to_owned(), code: typed(code), by }).await
    }

    /// Lifts the block of an agent without a code; false if there is none.
    pub async fn unblock_agent(&self, agent: &str, approver: &str) -> Result<bool, StoreError> {
        self.perform(OverrideChallenge { agent: agent.to_owned(), approver: approver.to_owned() }).await
    }
}
