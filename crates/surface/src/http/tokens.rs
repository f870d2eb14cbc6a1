//! Bearer tokens. What a client sent in, whose token it is and what it may do out.
//!
//! Only the SHA-256 of a token is known here, and comparing takes the same time whatever was sent.

use aqueduct_operations::call::{Caller, Scopes};
use sha2::{Digest, Sha256};
use std::fmt;
use std::sync::Arc;
use subtle::{ConditionallySelectable, ConstantTimeEq};

/// A client that may send requests.
#[derive(Clone)]
pub struct Token {
    name: Arc<str>,
    sha256: [u8; 32],
    scopes: Arc<[String]>,
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
        Ok(Token { name: name.into(), sha256: hash, scopes: Arc::default() })
    }

    /// The same token with these scopes.
    pub fn with_scopes(self, scopes: impl IntoIterator<Item = String>) -> Token {
        Token { scopes: scopes.into_iter().collect(), ..self }
    }

    /// Who sends requests with it.
    pub(super) fn caller(&self) -> Caller {
        Caller(Some(Arc::clone(&self.name)))
    }

    /// What those requests may do.
    pub fn scopes(&self) -> Scopes {
        Scopes::only(Arc::clone(&self.scopes))
    }
}

/// Which token this is. Every known one is compared, so that time tells nothing.
pub fn find<'a>(known: &'a [Token], presented: &str) -> Option<&'a Token> {
    let hash: [u8; 32] = Sha256::digest(presented.as_bytes()).into();
    let mut found = 0_u64;
    for (number, token) in (1..).zip(known) {
        found.conditional_assign(&number, token.sha256.ct_eq(&hash));
    }
    let index = usize::try_from(found).ok()?.checked_sub(1)?;
    known.get(index)
}

// A hash is no secret, but of no use in a log either.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Token").field("name", &self.name).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::{BadToken, Token, find};
    use aqueduct_operations::call::Scopes;

    /// The SHA-256 of `one` and of `two`.
    const ONE: &str = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed";
    const TWO: &str = "3FC4CCFE745870E2C0D99F71F30FF0656C8DEDD41CC1D7D3D376B0DBE685E2F3";

    #[test]
    fn owners() {
        let known = [Token::new("ann", ONE).unwrap(), Token::new("bob", TWO).unwrap()];
        let owner = |known: &[Token], sent: &str| find(known, sent).and_then(|token| token.caller().0);
        assert_eq!(owner(&known, "one").as_deref(), Some("ann"));
        assert_eq!(owner(&known, "two").as_deref(), Some("bob"));
        for wrong in ["", "three", "one ", ONE] {
            assert_eq!(owner(&known, wrong), None, "{wrong}");
        }
        assert_eq!(owner(&[], "one"), None);
        assert!(!format!("{known:?}").contains("7692"));
    }

    #[test]
    fn scopes_are_those_given() {
        let token = Token::new("ann", ONE).unwrap();
        let needed = ["a".to_owned(), "b".to_owned()];
        assert_eq!(token.scopes().missing(&needed), Some(&needed[0]), "none are given");
        let token = token.with_scopes(["b".to_owned()]);
        assert_eq!(token.scopes(), Scopes::only(["b".to_owned()]));
        assert_eq!(token.scopes().missing(&needed), Some(&needed[0]));
        assert_eq!(token.scopes().missing(&needed[1..]), None);
    }

    #[test]
    fn hashes_are_checked() {
        let odd = format!("+{}", &ONE[1..]);
        let long = format!("{ONE}0");
        for wrong in ["", "one", &odd, &long, &ONE[1..], &"ä".repeat(32)] {
            assert_eq!(Token::new("ann", wrong).unwrap_err(), BadToken, "{wrong}");
        }
    }
}
