//! The hash that binds a token to its parameters: SHA-256 over a canonical form, in which key order does not count.
//!
//! The values of a call in, 32 bytes out: the same values in any order give the same hash, others do not.

use aqueduct_operations::canonical::canonical;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::fmt;

/// A SHA-256 digest.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Digest32([u8; 32]);

impl fmt::Debug for Digest32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest32({:02x}{:02x}..)", self.0[0], self.0[1])
    }
}

pub(crate) fn hash_of_text(text: &str) -> Digest32 {
    Digest32(Sha256::digest(text.as_bytes()).into())
}

pub(crate) fn hash_of_params(params: &Map<String, Value>) -> Digest32 {
    hash_of_text(&canonical(params))
}

#[cfg(test)]
mod tests;
