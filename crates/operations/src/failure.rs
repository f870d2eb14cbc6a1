//! A failed call, as the client sees it and as the log sees it.
//!
//! `message` and `details` go to the client; `cause` goes to the log only. Codes come from the closed table in `code`.

pub mod code;
pub mod leaks;
pub mod wording;

pub use code::Code;

use serde_json::{Map, Value, json};
use std::fmt;

/// Why a call failed.
#[derive(Clone)]
pub struct Failure {
    /// The machine's word for it.
    pub code: Code,
    /// The sentence for people and models.
    pub message: String,
    /// Facts to act on.
    pub details: Map<String, Value>,
    /// For the log only.
    pub cause: Option<String>,
    /// The request was not a request at all: `isError` is then true whatever the code (ruling W5).
    pub malformed_envelope: bool,
    /// The token that a confirmation asks for, mirrored beside `error`.
    pub confirmation: Option<Value>,
}

impl Failure {
    /// A failure with no details yet.
    pub fn new(code: Code, message: impl Into<String>) -> Failure {
        Failure {
            code,
            message: message.into(),
            details: Map::new(),
            cause: None,
            malformed_envelope: false,
            confirmation: None,
        }
    }

    /// Adds a fact.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Failure {
        self.details.insert(key.to_owned(), value.into());
        self
    }

    /// Notes what happened, for the log.
    #[must_use]
    pub fn caused_by(mut self, cause: impl fmt::Display) -> Failure {
        self.cause = Some(cause.to_string());
        self
    }

    /// Marks the request as not being a request at all.
    #[must_use]
    pub fn of_envelope(mut self) -> Failure {
        self.malformed_envelope = true;
        self
    }

    /// The `isError` flag of the tool result.
    pub fn is_error(&self) -> bool {
        self.malformed_envelope || !self.code.is_recoverable()
    }

    /// The whole failure object for the wire.
    pub fn to_value(&self) -> Value {
        let mut error = json!({"code": self.code.name(), "message": self.message});
        if !self.details.is_empty() {
            error["details"] = Value::Object(self.details.clone());
        }
        let mut whole = json!({"success": false, "error": error});
        if let Some(confirmation) = &self.confirmation {
            whole["confirmation"] = confirmation.clone();
        }
        whole
    }
}

// Details may echo what the client sent: only the code and the message are printed.
impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Failure")
            .field("code", &self.code.name())
            .field("message", &self.message)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
