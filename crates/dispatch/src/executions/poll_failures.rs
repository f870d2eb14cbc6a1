//! What kind of failure asking a job about its state was: one that passes, or one that stays.
//!
//! Failures in; whether to ask again out. A job that is not there yet may come; a permission that is missing stays missing.

use aqueduct_operations::failure::{Code, Failure};
use serde_json::Value;
use std::time::Duration;

/// How often in a row a job may not be found: some APIs show a new one late.
const MOST_MISSING: u32 = 3;

/// Counts failures in a row.
#[derive(Debug, Default)]
pub struct FailureTally {
    missing: u32,
}

/// Whether to ask again.
#[derive(Debug, PartialEq, Eq)]
pub enum PollDecision {
    /// Yes, but not before this time is over.
    AskAgain(Option<Duration>),
    /// No.
    GiveUp,
}

impl FailureTally {
    /// The job has answered.
    pub fn answered(&mut self) {
        self.missing = 0;
    }

    /// It has not.
    pub fn failed(&mut self, failure: &Failure) -> PollDecision {
        let name = failure.code.name();
        if failure.code == Code::NotFoundResource {
            self.missing += 1;
            return if self.missing >= MOST_MISSING {
                PollDecision::GiveUp
            } else {
                PollDecision::AskAgain(None)
            };
        }
        let stays = [
            "PERMISSION_",
            "VALIDATION_",
            "AUTH_",
            "TOKEN_",
            "NOT_FOUND_",
            "PROTOCOL_",
            "PLUGIN_",
            "CONFLICT_",
        ];
        if failure.code == Code::ConfirmationRequired || stays.iter().any(|prefix| name.starts_with(prefix)) {
            return PollDecision::GiveUp;
        }
        let wait = failure.details.get("retry_after_seconds").and_then(Value::as_u64);
        PollDecision::AskAgain(wait.map(Duration::from_secs))
    }
}
