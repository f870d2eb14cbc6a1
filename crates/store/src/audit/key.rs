//! The key that holds the audit together: 256 bits, written as 64 hexadecimal digits.
//!
//! For SQLite it is a file beside the database, for PostgreSQL a setting, so that anyone who has the database alone has no key.

use crate::error::StoreError;
use crate::secret;
use ring::hmac;
use secrecy::{ExposeSecret, SecretString};
use std::fmt;

/// The key of an audit.
#[derive(Clone)]
pub struct AuditKey {
    hmac: hmac::Key,
}

impl AuditKey {
    /// Reads a key as it is written.
    pub fn parse(text: &SecretString) -> Result<AuditKey, StoreError> {
        let bytes = secret::from_hex(text.expose_secret()).ok_or_else(|| {
            StoreError::Settings("the key of the audit is not 64 hexadecimal digits".to_owned())
        })?;
        let bytes = zeroize::Zeroizing::new(bytes);
        Ok(AuditKey { hmac: hmac::Key::new(hmac::HMAC_SHA256, &*bytes) })
    }

    /// Makes a key, and how it is written.
    pub fn generate() -> Result<(AuditKey, SecretString), StoreError> {
        let text = secret::generate("")?;
        Ok((AuditKey::parse(&text)?, text))
    }

    /// The code of these bytes, which only the key makes.
    pub(crate) fn code(&self, parts: &[&str]) -> String {
        let mut context = hmac::Context::with_key(&self.hmac);
        for part in parts {
            // Lengths keep two lists of parts apart that read the same in a row.
            context.update(&(part.len() as u64).to_be_bytes());
            context.update(part.as_bytes());
        }
        secret::hex(context.sign().as_ref())
    }

    /// What is kept of a digest of parameters.
    pub(crate) fn params_code(&self, digest: &str) -> String {
        self.code(&["params", digest])
    }

    /// Tells two keys apart without giving either away.
    pub(crate) fn check(&self) -> String {
        self.code(&["aqueduct audit key"])
    }
}

impl fmt::Debug for AuditKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AuditKey([REDACTED])")
    }
}
