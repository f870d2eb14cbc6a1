//! Cursors: where a page ended, sealed so that clients can neither read nor change it, and bound to the request that it
//! was given for. With the same key they outlive the process.
//!
//! A place and the fingerprint of a request in, URL-safe text out, and back.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// Longer texts are no cursors of ours.
const LONGEST: usize = 16 * 1024;

/// What all cursors of this version are bound to.
const CONTEXT: &[u8] = b"aqueduct cursor 1";

/// The key that cursors are sealed with.
#[derive(Clone)]
pub struct CursorKey(Arc<LessSafeKey>);

/// A key cannot be made: the system has no randomness to give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the system gives no random numbers")]
pub struct NoKey;

/// Where a page of an upstream begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum PageStart {
    /// The first page.
    #[serde(rename = "s")]
    Start,
    /// Where a `Link` header leads.
    #[serde(rename = "l")]
    Link(String),
    /// The upstream's own cursor.
    #[serde(rename = "c")]
    Cursor(String),
    /// Behind so many items.
    #[serde(rename = "o")]
    Offset(u64),
    /// The page with this number.
    #[serde(rename = "p")]
    Page(u64),
}

/// The place of an item in a collection.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CursorPosition {
    /// Its number among the items of the response, from the very first on.
    pub number: u64,
    /// From where to go on behind it; absent when the order was made here.
    pub resume: Option<ResumePoint>,
}

/// From where to go on reading.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ResumePoint {
    /// The page.
    pub page: PageStart,
    /// Items of it to skip.
    pub skip: u64,
    /// The page size that was requested.
    pub size: u64,
    /// Items that the upstream gave before this page.
    pub before: u64,
}

impl ResumePoint {
    /// The beginning of a list, in pages of this size.
    pub fn beginning(size: u64) -> ResumePoint {
        ResumePoint { page: PageStart::Start, skip: 0, size, before: 0 }
    }
}

/// What a cursor is bound to: caller, operation, parameters, filter, sort and query.
#[derive(Clone, PartialEq, Eq)]
pub struct Fingerprint(pub [u8; FINGERPRINT]);

/// Bytes of a fingerprint.
pub const FINGERPRINT: usize = 8;

/// Why a text is not a cursor for a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CursorError {
    /// Not a cursor of ours, or changed on the way.
    NotOurs,
    /// Given for another request.
    OtherRequest,
}

impl CursorKey {
    /// The key of these bytes.
    pub fn new(bytes: [u8; 32]) -> Result<CursorKey, NoKey> {
        UnboundKey::new(&AES_256_GCM, &bytes)
            .map(|key| CursorKey(Arc::new(LessSafeKey::new(key))))
            .map_err(|_| NoKey)
    }

    /// A key for this process alone.
    pub fn random() -> Result<CursorKey, NoKey> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|_| NoKey)?;
        CursorKey::new(bytes)
    }

    /// A cursor for this place.
    #[doc(hidden)]
    pub fn seal(&self, place: &CursorPosition, fingerprint: &Fingerprint) -> Result<String, NoKey> {
        let mut nonce = [0; NONCE_LEN];
        getrandom::fill(&mut nonce).map_err(|_| NoKey)?;
        let mut text = fingerprint.0.to_vec();
        // Cursors are paid for by the letter, so fields are written in their order and without names.
        let resume =
            place.resume.as_ref().map(|resume| (&resume.page, resume.skip, resume.size, resume.before));
        serde_json::to_writer(&mut text, &(place.number, resume)).map_err(|_| NoKey)?;
        self.0
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(CONTEXT), &mut text)
            .map_err(|_| NoKey)?;
        let whole = [nonce.as_slice(), text.as_slice()].concat();
        Ok(URL_SAFE_NO_PAD.encode(whole))
    }

    /// The place that a cursor stands for, when it was given for a request with this fingerprint.
    #[doc(hidden)]
    pub fn open(&self, cursor: &str, fingerprint: &Fingerprint) -> Result<CursorPosition, CursorError> {
        if cursor.len() > LONGEST {
            return Err(CursorError::NotOurs);
        }
        let bytes = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| CursorError::NotOurs)?;
        let (nonce, text) = bytes.split_at_checked(NONCE_LEN).ok_or(CursorError::NotOurs)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| CursorError::NotOurs)?;
        let mut text = text.to_vec();
        let text =
            self.0.open_in_place(nonce, Aad::from(CONTEXT), &mut text).map_err(|_| CursorError::NotOurs)?;
        let (bound, text) = text.split_at_checked(FINGERPRINT).ok_or(CursorError::NotOurs)?;
        let position = serde_json::from_slice(text).map_err(|_| CursorError::NotOurs)?;
        if bound != fingerprint.0 {
            return Err(CursorError::OtherRequest);
        }
        Ok(position)
    }
}

// The key stays out of logs.
impl fmt::Debug for CursorKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CursorKey")
    }
}

#[cfg(test)]
mod tests;
