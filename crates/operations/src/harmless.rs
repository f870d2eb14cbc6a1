//! What may stand as a sample where a model reads it before it was asked for anything.
//!
//! An operation or a text in, yes or no out. Nothing that removes, resets, moves money or deals with credentials is harmless.

use crate::category::effect::{final_word_in, removal_in};
use crate::danger::DangerLevel;
use crate::naming::words;
use crate::operation::Operation;
use crate::secrets::names::{NamePlace, is_secret};

/// What no one needs to be shown how to handle, besides credentials.
#[rustfmt::skip]
const DELICATE: &[&str] = &[
    "key", "auth", "oauth", "login", "logout", "session", "impersonate", "sudo", "audit",
    "cancel", "terminate", "kill", "ban", "block", "suspend", "disable", "deactivate", "shutdown", "reboot", "expire", "payment",
    "close", "accept", "reject", "decline", "approve", "finalize", "settle", "submit", "publish", "merge", "deploy", "release",
];

/// True when nothing is lost, sent away or given out by it.
pub fn is_harmless(operation: &Operation) -> bool {
    operation.danger.level < DangerLevel::Destructive
        && !operation.danger.requires_confirmation
        && operation.deprecated.is_none()
        && removal_in(&operation.name).is_none()
        && !is_delicate(&operation.name)
}

/// True for a name or a text that deals with credentials or money, or from which there is no way back.
pub fn is_delicate(text: &str) -> bool {
    let is_delicate = |word: &String| {
        let word = word.strip_suffix('s').unwrap_or(word);
        DELICATE.contains(&word) || is_secret(word, NamePlace::Parameter)
    };
    final_word_in(text).is_some() || words(text).iter().any(is_delicate)
}

#[cfg(test)]
mod tests;
