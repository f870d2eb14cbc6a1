//! The operator's passphrase: set once, asked for by everything that decides or reveals something.
//!
//! Argon2id here, its text in the store, which counts attempts over all machines. A passphrase in; whether it is the one that is set
//! out. Anyone who reads the store has the hash alone, and guesses at the price of one hash each.

use aqueduct_store::{Store, StoreError};
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};

/// The fewest characters of a passphrase: its hash can be guessed at by anyone who reads the store.
pub const SHORTEST_PASSPHRASE: usize = 12;

/// Memory in KiB and rounds of one hash.
const MEMORY: u32 = 65_536;
const ROUNDS: u32 = 3;

/// Why a passphrase is not taken.
#[derive(Debug, thiserror::Error)]
pub enum PassphraseError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// None is set.
    #[error("there is no passphrase yet")]
    NotSet,
    /// One is set.
    #[error("there is a passphrase already")]
    AlreadySet,
    /// It is another one.
    #[error("this is not the passphrase")]
    Wrong,
    /// It is too easily guessed.
    #[error("a passphrase has {SHORTEST_PASSPHRASE} characters or more")]
    TooShort,
    /// Too many were tried.
    #[error("too many wrong passphrases were given; wait a minute")]
    Limited {
        /// When the next one is taken.
        until: Timestamp,
    },
    /// The hash cannot be made or read.
    #[error("the passphrase cannot be checked")]
    Hash,
}

/// Sets the first passphrase.
pub async fn set_passphrase(store: &Store, passphrase: &SecretString) -> Result<(), PassphraseError> {
    let hash = hash(passphrase).await?;
    if store.set_operator_passphrase(hash).await? { Ok(()) } else { Err(PassphraseError::AlreadySet) }
}

/// Replaces the passphrase, by anyone who knows the one that is set.
pub async fn replace_passphrase(
    store: &Store,
    before: &SecretString,
    passphrase: &SecretString,
) -> Result<(), PassphraseError> {
    let old = checked(store, before).await?;
    let hash = hash(passphrase).await?;
    // Somebody else has replaced it meanwhile.
    if store.replace_operator_passphrase(old, hash).await? { Ok(()) } else { Err(PassphraseError::Wrong) }
}

/// Fails unless this is the passphrase that is set.
pub async fn check_passphrase(store: &Store, passphrase: &SecretString) -> Result<(), PassphraseError> {
    checked(store, passphrase).await.map(|_| ())
}

/// The hash that is set, if this is its passphrase.
async fn checked(store: &Store, passphrase: &SecretString) -> Result<SecretString, PassphraseError> {
    let Some(hash) = store.operator_passphrase().await? else { return Err(PassphraseError::NotSet) };
    if let Some(until) = store.begin_passphrase_attempt().await? {
        return Err(PassphraseError::Limited { until });
    }
    let is_right = is_of(&hash, passphrase).await?;
    store.end_passphrase_attempt(is_right).await?;
    if is_right { Ok(hash) } else { Err(PassphraseError::Wrong) }
}

async fn hash(passphrase: &SecretString) -> Result<SecretString, PassphraseError> {
    if passphrase.expose_secret().chars().count() < SHORTEST_PASSPHRASE {
        return Err(PassphraseError::TooShort);
    }
    let passphrase = passphrase.clone();
    let work = move || {
        let params = Params::new(MEMORY, ROUNDS, 1, None).map_err(|_| PassphraseError::Hash)?;
        let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let hash = argon.hash_password(passphrase.expose_secret().as_bytes());
        hash.map(|hash| SecretString::from(hash.to_string())).map_err(|_| PassphraseError::Hash)
    };
    tokio::task::spawn_blocking(work).await.map_err(|_| PassphraseError::Hash)?
}

async fn is_of(hash: &SecretString, passphrase: &SecretString) -> Result<bool, PassphraseError> {
    let (hash, passphrase) = (hash.clone(), passphrase.clone());
    let work = move || {
        let hash = PasswordHash::new(hash.expose_secret()).map_err(|_| PassphraseError::Hash)?;
        Ok(Argon2::default().verify_password(passphrase.expose_secret().as_bytes(), &hash).is_ok())
    };
    tokio::task::spawn_blocking(work).await.map_err(|_| PassphraseError::Hash)?
}
