//! Bearer tokens. What a client sent in, whose token it is and what it may do out.
//!
//! Only the SHA-256 of a token is known here, and comparing takes the same time whatever was sent.

use aqueduct_operations::call::{Caller, Scopes};
use aqueduct_operations::digest::Digest;
use jiff::Timestamp;
use std::fmt;
use std::sync::Arc;
use subtle::{ConditionallySelectable, ConstantTimeEq};

/// A client that may send requests.
#[derive(Clone)]
pub struct Token {
    name: Arc<str>,
    sha256: [u8; 32],
    scopes: Arc<[String]>,
    expires_at: Option<Timestamp>,
}

/// A hash that is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("sha256 is the SHA-256 of the token, in 64 hexadecimal digits")]
pub struct BadToken;

impl Token {
    /// A token by its name and the hexadecimal SHA-256 of its text. It has no scopes: operations that need some are refused.
    pub fn new(name: impl Into<Arc<str>>, sha256: &str) -> Result<Token, BadToken> {
        let mut hash = [0; 32];
        if sha256.len() != 64 || !sha256.is_ascii() {
            return Err(BadToken);
        }
        for (index, byte) in hash.iter_mut().enumerate() {
            let digits = &sha256[2 * index..2 * index + 2];
            // The parser takes a sign for a digit.
            if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                return Err(BadToken);
            }
            *byte = u8::from_str_radix(digits, 16).map_err(|_| BadToken)?;
        }
        Ok(Token { name: name.into(), sha256: hash, scopes: Arc::default(), expires_at: None })
    }

    /// The same token with these scopes.
    pub fn with_scopes(self, scopes: impl IntoIterator<Item = String>) -> Token {
        Token { scopes: scopes.into_iter().collect(), ..self }
    }

    /// The same token, good until this moment.
    pub fn with_expiry(self, expires_at: Option<Timestamp>) -> Token {
        Token { expires_at, ..self }
    }

    pub(super) fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }

    pub(super) fn is_of(&self, name: &str) -> bool {
        *self.name == *name
    }

    /// Who sends requests with it.
    pub(super) fn caller(&self) -> Caller {
        Caller::named(Arc::clone(&self.name))
    }

    /// What those requests may do.
    pub fn scopes(&self) -> Scopes {
        Scopes::only(Arc::clone(&self.scopes))
    }
}

/// Which token this is. Every known one is compared, so that time tells nothing.
pub fn find<'a>(mut known: impl Iterator<Item = &'a Token> + Clone, presented: &str) -> Option<&'a Token> {
    let presented = Digest::of_text(presented);
    let mut found = 0_u64;
    for (number, token) in (1..).zip(known.clone()) {
        found.conditional_assign(&number, token.sha256.ct_eq(presented.bytes()));
    }
    let index = usize::try_from(found).ok()?.checked_sub(1)?;
    known.nth(index)
}

// A hash is no secret, but of no use in a log either.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Token").field("name", &self.name).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
