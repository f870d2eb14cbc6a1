//! Secrets that are made here: shown once, kept as their hash.
//!
//! 256 random bits out, written as a prefix and 64 hexadecimal digits. Nothing prints one.

use crate::error::StoreError;
use aqueduct_operations::digest::Digest;
pub(crate) use aqueduct_operations::digest::hex;
use secrecy::{ExposeSecret, SecretString};
use subtle::ConstantTimeEq;

/// Makes a secret that begins with this prefix.
pub(crate) fn generate(prefix: &str) -> Result<SecretString, StoreError> {
    let bytes = random_bytes()?;
    Ok(SecretString::from(format!("{prefix}{}", hex(&*bytes))))
}

/// 256 bits from the operating system.
pub(crate) fn random_bytes() -> Result<zeroize::Zeroizing<[u8; 32]>, StoreError> {
    let mut bytes = zeroize::Zeroizing::new([0_u8; 32]);
    getrandom::fill(&mut *bytes).map_err(|_| StoreError::NoRandomness)?;
    Ok(bytes)
}

/// What is kept of a secret.
pub(crate) fn hash(secret: &str) -> String {
    Digest::of_text(secret).hex()
}

/// What is kept of a secret that was just made.
pub(crate) fn hash_of(secret: &SecretString) -> String {
    hash(secret.expose_secret())
}

/// Characters of the name of a secret in the audit.
pub(crate) const ID_LENGTH: usize = 12;

/// Names a secret in the audit: enough to find its other lines, of no use otherwise.
pub(crate) fn id_of_hash(hash: &str) -> String {
    hash.chars().take(ID_LENGTH).collect()
}

/// Compares in a time that does not depend on where two texts differ.
pub(crate) fn same(one: &str, other: &str) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
}

/// The bytes behind hexadecimal digits.
pub(crate) fn from_hex(text: &str) -> Option<[u8; 32]> {
    let text = text.trim();
    let mut bytes = [0_u8; 32];
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[index * 2..index * 2 + 2], 16).ok()?;
    }
    Some(bytes)
}
