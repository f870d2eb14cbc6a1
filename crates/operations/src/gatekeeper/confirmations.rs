//! The contract for confirmations: a person says yes to one call, by a token that the same call brings back, or as an operator.
//!
//! The gatekeeper asks and does not know how a yes is kept; a store may have to be waited for, and may be lost. Whatever fails is a
//! no. A confirmed call is finished by the code that runs it, so that its end is known too.

use super::request_digest::RequestDigest;
use crate::call::{Caller, SessionId};
use crate::danger::DangerLevel;
use crate::digest::Digest;
use crate::handler::Boxed;
use crate::named_enum::named_enum;
use crate::operation::RegistryEntry;
use jiff::Timestamp;
use serde_json::Value;
use std::fmt::{self, Debug};
use std::future::ready;

/// The person behind a client who was asked, as the audit names them.
pub const PERSON: &str = "person";

/// What a token begins with by which a call is confirmed.
pub const CONFIRMATION_TOKEN: &str = "conf_";

/// What a token begins with by which a call goes on after a pause (confirmation-token document, section 2).
pub const QUOTA_TOKEN: &str = "quota_continue_";

/// Asks for confirmations, and takes them. A token is for one of both: it is redeemed only where what it begins with is asked for.
pub trait Confirmations: Debug + Send + Sync {
    /// Asks for a yes to one call: makes a token for it, or puts it before an operator, who may have answered already.
    fn ask<'a>(&'a self, question: &'a Question<'a>) -> Boxed<'a, Result<AskOutcome, AskFailure>>;

    /// True where the yes to a call is a token that whoever asks is handed, unless it needs an operator.
    fn gives_tokens(&self) -> bool;

    /// Uses a token up, or says why not.
    fn redeem<'a>(
        &'a self,
        token: &'a str,
        question: &'a Question<'a>,
    ) -> Boxed<'a, Result<ConfirmedCall, TokenRefusal>>;

    /// Asks whether a call goes on that has come to a paused quota: makes a token for it, which begins with [`QUOTA_TOKEN`]. Nothing
    /// where only an operator lets it go on.
    fn ask_to_continue<'a>(
        &'a self,
        question: &'a Question<'a>,
    ) -> Boxed<'a, Result<Option<IssuedToken>, AskFailure>>;

    /// Asks for one yes to all calls of a plan, which are never none: each runs as often as it is in it, and nothing runs now.
    fn ask_plan<'a>(&'a self, calls: &'a [Question<'a>]) -> Boxed<'a, Result<PlanAskOutcome, AskFailure>>;

    /// Says whether a token covers all of these calls, each as often as it is in them. It is not used up.
    fn check_plan<'a>(
        &'a self,
        token: &'a str,
        calls: &'a [Question<'a>],
    ) -> Boxed<'a, Result<(), TokenRefusal>>;

    /// Forgets the tokens and questions of a session.
    fn end_session(&self, session: &SessionId);
}

/// What somebody has to say yes to.
pub struct Question<'a> {
    /// The call.
    pub scope: TokenScope,
    /// Who asks.
    pub caller: &'a Caller,
    /// The rule that asks for a confirmation.
    pub rule: String,
    /// How dangerous the operation is.
    pub danger: DangerLevel,
    /// How long a token, or a yes, cannot be used yet, so that a person has time to think.
    pub cooldown_seconds: u64,
    /// Only an operator, who signs in for it, can say yes.
    pub needs_operator: bool,
    /// What the audit says of the call besides, because its adapter asks for it.
    pub audit_context: Option<String>,
    /// Why it needs a confirmation.
    pub reasons: &'a [String],
    /// What to ask the person, in the adapter's own words.
    pub message: Option<&'a str>,
    /// Who said yes to it already, where this server has asked.
    pub approver: Option<&'a str>,
    /// What an operator is shown of the call, with secrets hidden; made when somebody looks.
    pub shown: &'a (dyn Fn() -> Value + Sync),
}

// Scopes hold digests; what is shown of the call is left out.
impl Debug for Question<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Question")
            .field("scope", &self.scope)
            .field("rule", &self.rule)
            .finish_non_exhaustive()
    }
}

/// What became of a question.
#[derive(Debug)]
pub enum AskOutcome {
    /// The same call runs with this token.
    Token(IssuedToken),
    /// An operator is asked.
    Waiting(PendingApproval),
    /// An operator has said yes, and the call runs now.
    Approved(ConfirmedCall),
    /// An operator has said yes, and the call may not run yet.
    CoolingDown {
        /// Seconds until it may.
        retry_after_seconds: u64,
    },
    /// An operator has said no.
    Denied {
        /// What they said.
        reason: Option<String>,
    },
}

/// What became of the question about a plan.
#[derive(Debug)]
pub enum PlanAskOutcome {
    /// Its calls run with this token.
    Token(IssuedToken),
    /// An operator is asked.
    Waiting(PendingApproval),
    /// An operator has said yes: each call that is asked about by itself runs.
    Approved,
    /// An operator has said yes, and its calls may not run yet.
    CoolingDown {
        /// Seconds until they may.
        retry_after_seconds: u64,
    },
    /// An operator has said no.
    Denied {
        /// What they said.
        reason: Option<String>,
    },
}

named_enum! {
    /// How far a question to an operator is.
    pub enum ApprovalState {
        /// No one has answered.
        Waiting = "waiting",
        /// The operator said yes, and the call has not run.
        Approved = "approved",
        /// The operator said no.
        Denied = "denied",
        /// Too late for an answer, or for the call; or the session has ended.
        Expired = "expired",
        /// Every call that it covers has run.
        Used = "used",
    }
}

/// A question that waits for an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingApproval {
    /// Its id, which is no secret and of no use without the operator.
    pub id: String,
    /// Until when it can be answered.
    pub expires_at: Timestamp,
}

/// Why no person could be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskFailure {
    /// No safe token can be made.
    NoRandomness(NoRandomness),
    /// The session has asked too often.
    RateLimited {
        /// Seconds until it may ask again.
        retry_after_seconds: u64,
    },
    /// The store of confirmations failed: why, in words that name no path or host.
    Unavailable(String),
    /// Only an operator can say yes, and there is no place where one could.
    NoOperator,
}

/// A call that was confirmed. Its caller reports how it ended; one that is dropped counts as abandoned.
#[must_use = "whoever runs the call reports its end"]
#[derive(Debug)]
pub struct ConfirmedCall(Option<Box<dyn TrackedCall>>);

/// Notes the end of a confirmed call.
pub trait TrackedCall: Debug + Send + Sync {
    /// Notes how the call ended.
    fn finish(self: Box<Self>, end: CallEnd) -> Boxed<'static, ()>;
}

/// How a confirmed call ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallEnd {
    /// It did what was asked.
    Succeeded,
    /// It failed, with this code.
    Failed(String),
}

impl ConfirmedCall {
    /// One whose end no one keeps.
    pub fn untracked() -> ConfirmedCall {
        ConfirmedCall(None)
    }

    /// One whose end is kept.
    pub fn tracked(call: impl TrackedCall + 'static) -> ConfirmedCall {
        ConfirmedCall(Some(Box::new(call)))
    }

    /// Reports how the call ended.
    pub fn finish(self, end: CallEnd) -> Boxed<'static, ()> {
        match self.0 {
            Some(call) => call.finish(end),
            None => Box::pin(ready(())),
        }
    }
}

/// What a token is good for: one call of one operation by one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenScope {
    /// The session.
    pub session: SessionId,
    /// The name of the source.
    pub source: String,
    /// The operation's name within its source.
    pub operation: String,
    /// The values of the call.
    pub params: Digest,
    /// What the call would send.
    pub resolved: RequestDigest,
}

impl TokenScope {
    /// The scope of one call of this operation with values of this digest, as it is resolved now.
    pub fn new(
        session: &SessionId,
        entry: &RegistryEntry,
        params: Digest,
        resolved: RequestDigest,
    ) -> TokenScope {
        TokenScope {
            session: session.clone(),
            source: entry.source.name.clone(),
            operation: entry.operation.name.clone(),
            params,
            resolved,
        }
    }

    /// True for the same call, whatever the operation is resolved to.
    pub fn is_for_the_same_call(&self, other: &TokenScope) -> bool {
        (&self.session, &self.source, &self.operation, &self.params)
            == (&other.session, &other.source, &other.operation, &other.params)
    }
}

/// A token that has just been made. The only place where it exists in clear.
#[derive(Clone)]
pub struct IssuedToken {
    /// The token, `conf_` and 64 hexadecimal digits.
    pub token: String,
    /// When it stops working.
    pub expires_at: Timestamp,
}

impl fmt::Debug for IssuedToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IssuedToken").field("token", &masked(&self.token)).finish_non_exhaustive()
    }
}

/// The operating system gave no randomness, so no safe token can be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the operating system gave no randomness")]
pub struct NoRandomness;

/// Why a token is no good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenRefusal {
    /// Unknown, malformed or of another session.
    Invalid {
        /// The token, masked.
        token: String,
    },
    /// Too old.
    Expired {
        /// The token, masked.
        token: String,
        /// When it expired.
        expired_at: Timestamp,
        /// What time it is.
        now: Timestamp,
    },
    /// Used before.
    AlreadyUsed {
        /// The token, masked.
        token: String,
        /// When.
        consumed_at: Timestamp,
    },
    /// Given for another call.
    ScopeMismatch {
        /// The token, masked.
        token: String,
        /// The operation it was given for.
        token_operation: String,
        /// The operation it was sent with.
        requested_operation: String,
    },
    /// Taken back.
    Revoked {
        /// The token, masked.
        token: String,
    },
    /// Not to be used yet.
    CoolingDown {
        /// Seconds until it can be.
        retry_after_seconds: u64,
    },
    /// Too many tokens of the session were refused.
    RateLimited {
        /// Seconds until it may try again.
        retry_after_seconds: u64,
    },
    /// The store of confirmations failed, and so the answer is unknown: why, in words that name no path or host.
    Unavailable(String),
    /// Given for this call, when the operation would have sent something else, or elsewhere.
    OperationChanged {
        /// The token, masked.
        token: String,
        /// The operation.
        operation: String,
    },
}

/// The first characters of a token: enough to distinguish two, not to use one.
pub fn masked(token: &str) -> String {
    let prefixes = [CONFIRMATION_TOKEN, QUOTA_TOKEN];
    let random_part = prefixes.iter().find_map(|prefix| token.strip_prefix(prefix)).unwrap_or(token);
    if random_part.chars().count() < 16 {
        return "[REDACTED]".to_owned();
    }
    let shown: String = random_part.chars().take(4).collect();
    let prefix = &token[..token.len() - random_part.len()];
    format!("{prefix}{shown}...")
}
