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
mod tests {
    use super::hash_of_params;
    use serde_json::{Value, json};

    fn hash(value: Value) -> super::Digest32 {
        hash_of_params(value.as_object().unwrap())
    }

    /// X-token-5: the canonical form ignores key order, at any depth, and nothing else.
    #[test]
    fn key_order_does_not_count() {
        assert_eq!(
            hash(json!({"a": 1, "b": {"c": 2, "d": 3}})),
            hash(json!({"b": {"d": 3, "c": 2}, "a": 1}))
        );
        for other in [json!({"a": 2}), json!({"a": "1"}), json!({"a": [1]}), json!({"b": 1}), json!({})] {
            assert_ne!(hash(json!({"a": 1})), hash(other));
        }
        assert_ne!(hash(json!({"a": [1, 2]})), hash(json!({"a": [2, 1]})));
        assert_ne!(hash(json!({"a": "x\",\"b\":\"y"})), hash(json!({"a": "x", "b": "y"})));
    }
}
