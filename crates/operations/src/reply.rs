//! The response to a call, in the one shape that goes over the wire (core specification, section 5.1).
//!
//! A success or a failure in, compact JSON text out; an upstream's JSON is spliced in unchanged.

pub mod batch;
mod warning;

pub use batch::{BatchHalt, BatchReply, ItemResult, PendingOperation};
pub use warning::{Warning, WarningSeverity};

use crate::failure::{Code, Failure};
use crate::raw_json::RawJson;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Success or failure.
#[derive(Debug, Clone)]
pub enum Reply {
    /// It worked.
    Success(Success),
    /// It did not.
    Failure(Failure),
    /// Several operations, each with a result of its own.
    Batch(Box<BatchReply>),
}

/// A call that worked.
#[derive(Debug, Clone)]
pub struct Success {
    /// What came back.
    pub data: RawJson,
    /// What the client should know besides.
    pub warnings: Vec<Warning>,
    /// Facts about the call, when requested.
    pub meta: Map<String, Value>,
}

impl Success {
    /// A success with nothing but data.
    pub fn of(data: RawJson) -> Success {
        Success { data, warnings: Vec::new(), meta: Map::new() }
    }
}

/// Why a reply has nothing to read.
#[derive(Debug, thiserror::Error)]
pub enum ReplyError {
    /// The call failed.
    #[error("{}: {}", .0.code.name(), .0.message)]
    Failed(Failure),
    /// What came is not of the form that was requested.
    #[error("the data is not of the expected form")]
    Form(#[source] serde_json::Error),
}

impl Reply {
    /// What came back, as a type of one's own or a `serde_json::Value`. A batch gives the whole of its response.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, ReplyError> {
        let text = match self {
            Reply::Success(success) => return read(success.data.as_str()),
            Reply::Failure(failure) => return Err(ReplyError::Failed(failure.clone())),
            Reply::Batch(batch) => batch.to_json(),
        };
        read(&text)
    }

    /// Why it failed, if it did.
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            Reply::Failure(failure) => Some(failure),
            Reply::Success(_) | Reply::Batch(_) => None,
        }
    }

    /// The token with which the same call runs, when a person has to agree to it first.
    pub fn confirmation_token(&self) -> Option<&str> {
        let failure = self.failure().filter(|failure| failure.code == Code::ConfirmationRequired)?;
        failure.details.get("confirmation_token").and_then(Value::as_str)
    }

    /// The `isError` flag of the tool result.
    pub fn is_error(&self) -> bool {
        match self {
            Reply::Success(_) | Reply::Batch(_) => false,
            Reply::Failure(failure) => failure.is_error(),
        }
    }

    /// The whole response as compact JSON text. Data that came as text is spliced in, not parsed again.
    pub fn to_json(&self) -> String {
        let mut out = match self {
            Reply::Success(success) => String::with_capacity(success.data.as_str().len() + 64),
            Reply::Failure(_) | Reply::Batch(_) => String::new(),
        };
        self.each_piece(|piece| out.push_str(piece));
        out
    }

    /// The same in pieces, for who puts it elsewhere: large data is not copied together first.
    pub fn each_piece(&self, mut take: impl FnMut(&str)) {
        let success = match self {
            Reply::Failure(failure) => return take(&failure.to_value().to_string()),
            Reply::Batch(batch) => return take(&batch.to_json()),
            Reply::Success(success) => success,
        };
        take(r#"{"success":true,"data":"#);
        take(success.data.as_str());
        if !success.warnings.is_empty() {
            let mut warnings = String::new();
            warning::push_warnings(&success.warnings, &mut warnings);
            take(&warnings);
        }
        if !success.meta.is_empty() {
            take(r#","_meta":"#);
            take(&Value::Object(success.meta.clone()).to_string());
        }
        take("}");
    }
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, ReplyError> {
    serde_json::from_str(text).map_err(ReplyError::Form)
}

impl From<Result<Success, Failure>> for Reply {
    fn from(result: Result<Success, Failure>) -> Reply {
        match result {
            Ok(success) => Reply::Success(success),
            Err(failure) => Reply::Failure(failure),
        }
    }
}

#[cfg(test)]
mod tests;
