//! Code that runs an operation: a function of a program that uses this library, a tool of another MCP server, any
//! kind of source to come.
//!
//! Checked values in, an envelope out: `data`, and `meta` on where it comes from. The rest of the program knows no more
//! of what is behind it, so that a new kind of source needs no change anywhere else (operation sources, sections on
//! envelopes and on adding a source).

mod call;
mod sealed;

pub use call::{HandlerCall, HandlerPermit, HandlerValues, run_handler};
pub use sealed::SealedHandler;

use crate::clock::{Clock, SystemClock, iso8601};
use crate::digest::Digest;
use crate::rate_limits::metering::LimitRefusal;
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;

/// A future on the heap.
pub type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Runs an operation. Dropping the future cancels the run. Other code holds it as a [`SealedHandler`].
pub trait Handler: Debug + Send + Sync {
    /// Runs it once.
    fn run<'a>(&'a self, run: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>>;

    /// The request as a preview shows it, without credentials.
    fn preview(&self, values: &Map<String, Value>) -> Value;

    /// Who runs it, so that another one is recognised: of a server, how it is reached. A function of the program cannot become
    /// another one, and has none. A handler that hands its calls on gives the identity of the one behind it.
    fn identity(&self) -> Option<Digest> {
        None
    }
}

/// Receives the progress of a run, in units of the run.
pub trait HandlerProgress: Debug + Send + Sync {
    /// It has come this far, of so much in all when that is known.
    fn on_progress(&self, done: f64, total: Option<f64>, message: Option<String>);
}

/// A person who can be asked while a run is under way.
pub trait Elicitor: Debug + Send + Sync {
    /// Asks; the schema says what a response looks like.
    fn ask<'a>(&'a self, question: ElicitRequest) -> Boxed<'a, ElicitResponse>;

    /// Asks what may be meant for another call of the same person: the end of this one does not withdraw it, only anyone who
    /// asks does, by no longer waiting.
    fn ask_apart<'a>(&'a self, question: ElicitRequest) -> Boxed<'a, ElicitResponse> {
        self.ask(question)
    }
}

/// A question to a person.
#[derive(Debug, Clone)]
pub struct ElicitRequest {
    /// The words.
    pub message: String,
    /// A JSON Schema of what is wanted, as MCP restricts it.
    pub schema: Value,
}

/// The reply of a person.
#[derive(Debug, Clone, PartialEq)]
pub enum ElicitResponse {
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
    pub discriminant: EnvelopeMark,
    /// The result itself.
    pub data: Value,
    /// Where it comes from.
    pub meta: EnvelopeMeta,
}

/// The mark of an envelope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum EnvelopeMark {
    /// The only one.
    #[serde(rename = "aqueduct/1")]
    Aqueduct,
}

/// Where a result comes from.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnvelopeMeta {
    /// `local`, `http` or `mcp`, or the name of another kind of source.
    pub source: String,
    /// `<namespace>.<name>`.
    pub operation_id: String,
    /// When, in RFC 3339.
    pub timestamp: String,
    /// More facts: `statusCode`, `headers`, `contentType`; `isError`.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// The facts of an HTTP response besides its data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpFacts {
    /// The status.
    pub status: u16,
    /// The headers that may be shown.
    pub headers: Vec<(String, String)>,
    /// The content type.
    pub content_type: String,
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
    /// The operator has not approved of what would run it.
    #[error("{message}")]
    Withheld {
        /// A sentence that says what to do.
        message: String,
    },
    /// What is requested is not there.
    #[error("{message}")]
    NotFound {
        /// What is not there, and what to do.
        message: String,
    },
    /// It cannot be done as things stand: it is there already, or was changed meanwhile.
    #[error("{message}")]
    Conflict {
        /// What stands against it.
        message: String,
    },
    /// A value is not right, for a reason that no schema states.
    #[error("{message}")]
    Invalid {
        /// What would be right.
        message: String,
        /// The parameter, when it is one.
        param: Option<String>,
    },
    /// A limit of its source keeps it from running now.
    #[error("a limit of the source")]
    Limited(Box<LimitRefusal>),
    /// The handler refuses the values or does not know the operation.
    #[error("{message}")]
    Refused {
        /// Its words.
        message: String,
    },
    /// This server itself does not let it happen.
    #[error("{message}")]
    Denied {
        /// What to do.
        message: String,
        /// More facts, by name.
        details: Map<String, Value>,
    },
    /// It was tried too often.
    #[error("{message}")]
    TooOften {
        /// What was too often.
        message: String,
        /// When to try again.
        retry_after_seconds: u64,
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

impl HandlerError {
    /// The kind of error that a failed run is, whatever failed.
    pub const CODE: &'static str = "EXECUTION_ERROR";

    /// What is requested is not there.
    pub fn not_found(message: impl Into<String>) -> HandlerError {
        HandlerError::NotFound { message: message.into() }
    }

    /// It cannot be done as things stand.
    pub fn conflict(message: impl Into<String>) -> HandlerError {
        HandlerError::Conflict { message: message.into() }
    }

    /// The value of this parameter is not right.
    pub fn invalid(param: impl Into<String>, message: impl Into<String>) -> HandlerError {
        HandlerError::Invalid { message: message.into(), param: Some(param.into()) }
    }

    /// What runs it is not there now.
    pub fn unavailable(message: impl Into<String>) -> HandlerError {
        HandlerError::Unavailable { message: message.into() }
    }

    /// It failed.
    pub fn failed(message: impl Into<String>) -> HandlerError {
        HandlerError::Failed { message: message.into(), details: None }
    }

    /// The code by which programs know it.
    pub fn code(&self) -> &'static str {
        HandlerError::CODE
    }
}

impl Envelope {
    /// The text of the mark.
    pub const MARK: &'static str = "aqueduct/1";

    /// The result of a function of this program.
    pub fn local(operation_id: &str, data: Value) -> Envelope {
        Envelope::of("local", operation_id, data)
    }

    /// The response of an HTTP API.
    pub fn http(operation_id: &str, data: Value, facts: HttpFacts) -> Envelope {
        let mut envelope = Envelope::of("http", operation_id, data);
        let headers: Map<String, Value> =
            facts.headers.into_iter().map(|(name, value)| (name, Value::from(value))).collect();
        envelope.meta.more.insert("statusCode".to_owned(), facts.status.into());
        envelope.meta.more.insert("headers".to_owned(), Value::Object(headers));
        envelope.meta.more.insert("contentType".to_owned(), facts.content_type.into());
        envelope
    }

    /// The result of a tool of another MCP server, which says of a failure that it is one.
    pub fn mcp(operation_id: &str, data: Value, is_error: bool) -> Envelope {
        let mut envelope = Envelope::of("mcp", operation_id, data);
        if is_error {
            envelope.meta.more.insert("isError".to_owned(), Value::Bool(true));
        }
        envelope
    }

    /// The result of another kind of source.
    pub fn of(source: &str, operation_id: &str, data: Value) -> Envelope {
        let meta = EnvelopeMeta {
            source: source.to_owned(),
            operation_id: operation_id.to_owned(),
            timestamp: iso8601(SystemClock.now()),
            more: Map::new(),
        };
        Envelope { discriminant: EnvelopeMark::Aqueduct, data, meta }
    }

    /// What a handler gave, in an envelope: as it is when it is one already, else wrapped as a local result.
    pub fn wrapping(operation_id: &str, value: Value) -> Envelope {
        Envelope::parse(&value).unwrap_or_else(|| Envelope::local(operation_id, value))
    }

    /// The envelope that a value is, when it has the mark of one.
    pub fn parse(value: &Value) -> Option<Envelope> {
        let members = value.as_object()?;
        if members.get("$envelope").and_then(Value::as_str) != Some(Envelope::MARK) {
            return None;
        }
        let mut more = members.get("meta")?.as_object()?.clone();
        let mut text = |key: &str| more.remove(key)?.as_str().map(str::to_owned);
        let (source, operation_id, timestamp) = (text("source")?, text("operationId")?, text("timestamp")?);
        let meta = EnvelopeMeta { source, operation_id, timestamp, more };
        Some(Envelope { discriminant: EnvelopeMark::Aqueduct, data: members.get("data")?.clone(), meta })
    }

    /// True when the result says itself that it is a failure (MCP's `isError`).
    pub fn is_error(&self) -> bool {
        self.meta.more.get("isError").and_then(Value::as_bool).unwrap_or(false)
    }
}

#[cfg(test)]
mod tests;
