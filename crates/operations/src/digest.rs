//! SHA-256 digests: of bytes, of several parts, or of the values of a call in a canonical form in which key order does not
//! count.
//!
//! The same values in any order give the same digest, others do not. Printing one shows its first two bytes.

use crate::canonical::canonical;
use ring::digest::{Context, SHA256};
use serde_json::{Map, Value};
use std::fmt;

/// A SHA-256 digest.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of a text.
    pub fn of_text(text: &str) -> Digest {
        Digest::of_bytes(text.as_bytes())
    }

    /// The digest of bytes.
    pub fn of_bytes(bytes: &[u8]) -> Digest {
        let mut hash = Sha256::new();
        hash.update(bytes);
        hash.finish()
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Its hexadecimal digits.
    pub fn hex(&self) -> String {
        hex(&self.0)
    }

    /// The digest of values by name.
    pub fn of_values(values: &Map<String, Value>) -> Digest {
        Digest::of_text(&canonical(values))
    }
}

/// Hexadecimal digits of bytes.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 0xf]);
    let mut text = String::with_capacity(2 * bytes.len());
    text.extend(digits.map(|digit| DIGITS[usize::from(digit)]));
    text
}

/// A digest of bytes that come in pieces.
#[derive(Clone)]
pub struct Sha256(Context);

impl Sha256 {
    /// Of nothing yet.
    #[expect(clippy::new_without_default, reason = "a digest of nothing is no default of anything")]
    pub fn new() -> Sha256 {
        Sha256(Context::new(&SHA256))
    }

    /// Adds bytes. Where one piece ends and the next begins makes no difference.
    pub fn update(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.update(bytes.as_ref());
    }

    /// Adds a part with its length, so that it cannot run into the next one.
    pub fn update_part(&mut self, part: impl AsRef<[u8]>) {
        let part = part.as_ref();
        self.0.update(&(part.len() as u64).to_be_bytes());
        self.0.update(part);
    }

    /// The digest of all of it.
    pub fn finish(self) -> Digest {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(self.0.finish().as_ref());
        Digest(bytes)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({:02x}{:02x}..)", self.0[0], self.0[1])
    }
}

#[cfg(test)]
mod tests;
