//! The server under judgement, as its connection offers it: its name, its tools, and calls of them.
//!
//! Implemented by who connects. Results are given exactly as they came, or a judgement would be about the client.

use serde_json::{Map, Value};
use std::pin::Pin;

/// A future of a call.
pub type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// Who a server says it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// What stands on a server's standard output between its messages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StrayOutput {
    /// How many lines.
    pub lines: u64,
    /// The beginning of the first.
    pub first: String,
}

/// A server that is connected.
pub trait Server {
    /// Who it says it is.
    fn identity(&self) -> Identity;

    /// The items of `tools/list`, exactly as they came.
    fn tools(&self) -> &[Value];

    /// What it wrote on its standard output so far that is no message; nothing where it is not reached that way.
    fn stray_output(&self) -> Option<StrayOutput> {
        None
    }

    /// Calls a tool; gives the result of `tools/call` exactly as it came.
    fn call<'a>(
        &'a self,
        tool: &'a str,
        arguments: Map<String, Value>,
    ) -> Boxed<'a, Result<Value, CallFailure>>;
}

/// Why a call has no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallFailure {
    /// The server answered with an error of JSON-RPC.
    #[error("JSON-RPC error {code}: {message}")]
    JsonRpc {
        /// Its code.
        code: i64,
        /// Its words.
        message: String,
    },
    /// There was no answer.
    #[error("no answer: {0}")]
    NoAnswer(String),
}
