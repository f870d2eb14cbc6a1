//! Another MCP server: how it is reached, and what it said that it offers.
//!
//! Sources read it from files, the client connects by it. Values may hold `${VAR}`, which is looked up when the server
//! is started, so that no secret is held here that a file did not hold already.

use secrecy::SecretString;
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::time::Duration;
use url::Url;

/// How one server is reached.
#[derive(Debug, Clone)]
pub struct ServerConfig {
    /// Its name: the source's.
    pub name: String,
    /// The way to it.
    pub reach: Reach,
    /// Longest wait for the answer to one call.
    pub timeout: Duration,
}

/// The way to a server.
#[derive(Debug, Clone)]
pub enum Reach {
    /// A child process, over its standard streams.
    Stdio {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Variables that are set for it, besides the few that every program needs.
        env: Vec<(String, SecretString)>,
        /// The folder in which it starts.
        cwd: Option<PathBuf>,
    },
    /// Streamable HTTP.
    Http {
        /// Its endpoint.
        url: Url,
        /// Headers of every request.
        headers: Vec<(String, SecretString)>,
    },
}

/// What a server said that it offers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Listing {
    /// Its name, version and title, as it gives them.
    pub server: Map<String, Value>,
    /// Its instructions.
    pub instructions: Option<String>,
    /// The items of `tools/list`, exactly as they came, of all pages.
    pub tools: Vec<Value>,
}
