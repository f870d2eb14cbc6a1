//! Making a token for a call, or one for all calls of a plan.
//!
//! Who asks too often gets none. A source keeps a bounded number of live tokens, half of them for one caller: beyond it, the oldest
//! of the session that asks makes room, or it waits. No one loses a token to another session, and no caller keeps others out.

use crate::audit::chain;
use crate::audit::entry::{AuditEntry, event};
use crate::call::{CallKey, CountedCall, Requester, counted};
use crate::error::StoreError;
use crate::rates::{self, Counted, Rate};
use crate::secret;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::Value;
use aqueduct_operations::clock::later;
use aqueduct_operations::gatekeeper::{CONFIRMATION_TOKEN, QUOTA_TOKEN};
use jiff::Timestamp;
use secrecy::SecretString;
use std::time::Duration;

/// Why a token was taken back that no one has used.
const MADE_ROOM: &str = "the session has asked for more tokens than there is room for";
/// What a token is for. It begins with its kind, so that one is never taken for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// To confirm a call: `conf_…`.
    Confirmation,
    /// To go on after a paused quota: `quota_continue_…`.
    QuotaContinue,
}

impl TokenKind {
    fn prefix(self) -> &'static str {
        match self {
            TokenKind::Confirmation => CONFIRMATION_TOKEN,
            TokenKind::QuotaContinue => QUOTA_TOKEN,
        }
    }
}

/// What a token is wanted for.
#[derive(Debug, Clone)]
pub struct IssueRequest {
    /// What the token is for.
    pub kind: TokenKind,
    /// Who asks.
    pub asker: Requester,
    /// The call, or the calls of a plan; never none.
    pub calls: Vec<CallKey>,
    /// The rule that asks for a confirmation.
    pub rule: Option<String>,
    /// How long the token lives.
    pub lifetime: Duration,
    /// How long it cannot be used yet, so that a person has time to think.
    pub cooldown: Duration,
}

/// Whether there is a token.
#[derive(Debug)]
pub enum Issue {
    /// Here it is.
    Issued(StoredToken),
    /// The session has asked too often, or there is no room.
    Limited {
        /// When it may ask again.
        until: Timestamp,
    },
}

/// A token that has just been made. The only place where it exists in clear.
#[derive(Debug, Clone)]
pub struct StoredToken {
    /// The token: what its kind begins with, and 64 hexadecimal digits.
    pub token: SecretString,
    /// When it can be used.
    pub usable_at: Timestamp,
    /// When it stops working.
    pub expires_at: Timestamp,
}

struct IssueNow {
    request: IssueRequest,
    token: SecretString,
}

impl StoreTask for IssueNow {
    type Output = Issue;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Issue, StoreError> {
        let IssueRequest { kind: _, asker, calls, rule, lifetime, cooldown } = &self.request;
        let hash = secret::hash_of(&self.token);
        let rejected = |why: &str| AuditEntry::new(event::TOKEN_REJECTED, "failure").by(asker).because(why);
        if let Counted::Over { until, is_first } =
            rates::count(transaction, Rate::Issued, &asker.session).await?
        {
            // One line a window: a client that asks without end does not fill the audit.
            let lines = is_first.then(|| rejected("too many tokens were asked for"));
            chain::append(transaction, lines.into_iter().collect()).await?;
            return Ok(Issue::Limited { until });
        }
        let now = transaction.now();
        let usable_at = later(now, *cooldown);
        let expires_at = later(usable_at, *lifetime);
        let mut lines = Vec::new();
        let calls = counted(calls, transaction.context().key()?);
        // Before any of them is there, so that a plan takes no room of its own.
        for CountedCall { call, .. } in &calls {
            match make_room(transaction, asker, &call.source).await? {
                TokenCapacity::Free => {}
                TokenCapacity::Made(hash) => lines.push(AuditEntry {
                    token: Some(secret::id_of_hash(&hash)),
                    source: Some(call.source.clone()),
                    ..AuditEntry::new(event::TOKEN_REVOKED, "success").by(asker).because(MADE_ROOM)
                }),
                TokenCapacity::FullUntil(until) => {
                    if rates::is_first_in_window(transaction, Rate::FullLists, &asker.session).await? {
                        lines.push(rejected("too many tokens of the source are out"));
                    }
                    chain::append(transaction, lines).await?;
                    return Ok(Issue::Limited { until });
                }
            }
        }
        for CountedCall { call, times } in calls {
            let sql = "INSERT INTO confirmations (source, operation, params, resolved, token, session, caller, \
                       allowed, used, issued_at, usable_at, expires_at) \
                       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, $10, $11)";
            let mut values = call.values().to_vec();
            values.extend([
                Value::from(&hash),
                Value::from(&asker.session),
                Value::from(&asker.caller),
                times.into(),
                now.into(),
                usable_at.into(),
                expires_at.into(),
            ]);
            transaction.execute(sql, &values).await?;
            lines.push(AuditEntry {
                rule: rule.clone(),
                token: Some(secret::id_of_hash(&hash)),
                ..AuditEntry::new(event::TOKEN_ISSUED, "success").by(asker).about_kept(&call)
            });
        }
        chain::append(transaction, lines).await?;
        Ok(Issue::Issued(StoredToken { token: self.token.clone(), usable_at, expires_at }))
    }
}

/// Whether there is room for one more token of a source.
enum TokenCapacity {
    Free,
    /// The token with this hash, the oldest of the session, has made room.
    Made(String),
    FullUntil(Timestamp),
}

/// Makes room for a token of this session, at no one else's cost.
async fn make_room<T: Transaction>(
    transaction: &mut T,
    asker: &Requester,
    source: &str,
) -> Result<TokenCapacity, StoreError> {
    let most = i64::try_from(transaction.context().limits.live_tokens_per_source).unwrap_or(i64::MAX);
    let now = transaction.now();
    let sql = "SELECT count(*), count(CASE WHEN caller = $3 THEN 1 END), min(expires_at) FROM confirmations \
               WHERE source = $1 AND expires_at > $2 AND used < allowed AND revoked_at IS NULL";
    let values = [Value::from(source), now.into(), Value::from(&asker.caller)];
    let Some(in_use) = transaction.query_one(sql, &values).await? else { return Ok(TokenCapacity::Free) };
    if in_use.int(0)? < most && in_use.int(1)? < most / 2 + most % 2 {
        return Ok(TokenCapacity::Free);
    }
    let sql = "DELETE FROM confirmations WHERE token = (SELECT token FROM confirmations \
               WHERE source = $1 AND session = $2 AND expires_at > $3 AND used < allowed AND revoked_at IS NULL \
               ORDER BY expires_at, token LIMIT 1) RETURNING token";
    let values = [Value::from(source), Value::from(&asker.session), now.into()];
    Ok(match transaction.query_one(sql, &values).await? {
        Some(row) => TokenCapacity::Made(row.text(0)?),
        None => TokenCapacity::FullUntil(in_use.optional_moment(2)?.unwrap_or(now)),
    })
}

impl Store {
    /// Makes a token.
    pub async fn issue_token(&self, request: IssueRequest) -> Result<Issue, StoreError> {
        let token = secret::generate(request.kind.prefix())?;
        self.perform(IssueNow { request, token }).await
    }
}
