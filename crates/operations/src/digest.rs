//! SHA-256 digests: of a text, or of the values of a call in a canonical form in which key order does not count.
//!
//! The same values in any order give the same digest, others do not. Printing one shows its first two bytes.

use crate::canonical::canonical;
use serde_json::{Map, Value};
use sha2::Sha256;
use std::fmt;

/// A SHA-256 digest.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of a text.
    pub fn of_text(text: &str) -> Digest {
        Digest(<Sha256 as sha2::Digest>::digest(text.as_bytes()).into())
    }

    /// Its hexadecimal digits.
    pub fn hex(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The digest of values by name.
    pub fn of_values(values: &Map<String, Value>) -> Digest {
        Digest::of_text(&canonical(values))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({:02x}{:02x}..)", self.0[0], self.0[1])
    }
}

#[cfg(test)]
mod tests;
