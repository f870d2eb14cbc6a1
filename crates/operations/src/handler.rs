//! Code that runs an operation: a function of a program that uses this library, a tool of another MCP server, any
//! kind of source to come.
//!
//! Checked values in, an envelope out: `data`, and `meta` on where it comes from. The rest of the program knows no more
//! of what is behind it, so that a new kind of source needs no change anywhere else (operation sources, sections on
//! envelopes and on adding a source).

use crate::call::{Caller, SessionId};
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

/// A future on the heap.
pub type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Runs an operation. Dropping the future cancels the run.
pub trait Handler: Debug + Send + Sync {
    /// Runs it once.
    fn run<'a>(&'a self, run: Run<'a>) -> Boxed<'a, Result<Envelope, HandlerError>>;

    /// What would be asked of whom, for a call that is only rehearsed; no credential is in it.
    fn preview(&self, values: &Map<String, Value>) -> Value;
}

/// One run: the values, and who is behind it.
#[derive(Debug)]
pub struct Run<'a> {
    /// Value by public parameter name, defaults filled in.
    pub values: &'a Map<String, Value>,
    /// The session it belongs to.
    pub session: &'a SessionId,
    /// Who sends it.
    pub caller: &'a Caller,
    /// Who wants to hear how far it is.
    pub listener: Option<Arc<dyn RunListener>>,
    /// Who can be asked something on the way.
    pub asker: Option<Arc<dyn Asker>>,
}

/// Is told how far a run is, in the run's own measure.
pub trait RunListener: Debug + Send + Sync {
    /// It has come this far, of so much in all when that is known.
    fn told(&self, done: f64, total: Option<f64>, message: Option<String>);
}

/// A person who can be asked while a run is under way.
pub trait Asker: Debug + Send + Sync {
    /// Asks; the schema says what an answer looks like.
    fn ask<'a>(&'a self, question: Question) -> Boxed<'a, Answered>;
}

/// What a person is asked.
#[derive(Debug, Clone)]
pub struct Question {
    /// The words.
    pub message: String,
    /// A JSON Schema of what is wanted, as MCP restricts it.
    pub schema: Value,
}

/// What a person says.
#[derive(Debug, Clone, PartialEq)]
pub enum Answered {
    /// This.
    Accepted(Value),
    /// No.
    Declined,
    /// Nothing: they went away, or cannot be asked.
    Cancelled,
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Envelope {
    /// Tells an envelope from any other value.
    #[serde(rename = "$envelope")]
    pub discriminant: Discriminant,
    /// The result itself.
    pub data: Value,
    /// Where it comes from.
    pub meta: Meta,
}

/// The mark of an envelope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Discriminant {
    /// The only one.
    #[serde(rename = "aqueduct/1")]
    Aqueduct,
}

/// Where a result comes from.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Meta {
    /// `local`, `http` or `mcp`, or the name of another kind of source.
    pub source: String,
    /// `<namespace>.<name>`.
    pub operation_id: String,
    /// When, in RFC 3339.
    pub timestamp: String,
    /// What else its origin tells: `statusCode`, `headers`, `contentType`; `isError`.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// Why a run gave no envelope.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum HandlerError {
    /// What runs it is not there now; a sentence that says what to do.
    #[error("{message}")]
    Unavailable {
        /// The sentence.
        message: String,
    },
    /// It took too long.
    #[error("no answer within {milliseconds} ms")]
    TimedOut {
        /// The wait.
        milliseconds: u64,
    },
    /// Whoever runs it refuses the values or does not know the operation.
    #[error("{message}")]
    Refused {
        /// Its words.
        message: String,
    },
    /// It failed; what it says of that.
    #[error("{message}")]
    Failed {
        /// Its words, which may go to the client.
        message: String,
        /// More of them.
        details: Option<Value>,
    },
}

impl Envelope {
    /// The text of the mark.
    pub const MARK: &'static str = "aqueduct/1";

    /// True when the result says itself that it is a failure (MCP's `isError`).
    pub fn is_error(&self) -> bool {
        self.meta.more.get("isError").and_then(Value::as_bool).unwrap_or(false)
    }
}
