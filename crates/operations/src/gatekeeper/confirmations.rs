//! The contract for confirmations: a token is issued for one call, and redeemed once by the same call.
//!
//! The gatekeeper asks for both and does not know how tokens are stored; a store may have to be waited for.

use super::request_digest::RequestDigest;
use crate::call::SessionId;
use crate::danger::DangerLevel;
use crate::digest::Digest;
use crate::handler::Boxed;
use crate::operation::RegistryEntry;
use jiff::Timestamp;
use std::fmt::{self, Debug};

/// Issues and redeems confirmation tokens.
pub trait Confirmations: Debug + Send + Sync {
    /// Makes a token for one call.
    fn issue<'a>(
        &'a self,
        scope: &'a TokenScope,
        danger: DangerLevel,
    ) -> Boxed<'a, Result<IssuedToken, NoRandomness>>;

    /// Uses a token up, or says why not.
    fn redeem<'a>(&'a self, token: &'a str, scope: &'a TokenScope) -> Boxed<'a, Result<(), TokenRefusal>>;

    /// Forgets the tokens of a session.
    fn end_session(&self, session: &SessionId);
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
    let random_part = token.strip_prefix("conf_").unwrap_or(token);
    if random_part.chars().count() < 16 {
        return "[REDACTED]".to_owned();
    }
    let shown: String = random_part.chars().take(4).collect();
    let prefix = &token[..token.len() - random_part.len()];
    format!("{prefix}{shown}...")
}
