//! The live other side of a source that is neither a file nor a document: something that is connected to.
//!
//! Settings in; what is offered there, as content, and the code that runs it out. A kind gives one as the place of its content;
//! the loader opens it, asks again and again what it offers, and closes it.

use crate::report::ImportReport;
use crate::settings::SourceSettings;
use aqueduct_operations::auth::Auth;
use aqueduct_operations::diagnostic::Diagnostic;
use aqueduct_operations::digest::Digest;
use aqueduct_operations::handler::SealedHandler;
use aqueduct_operations::registry::LoadedSource;
use serde_json::{Map, Value};
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// Something that is connected to.
pub trait Connection: Debug + Send + Sync {
    /// What its source is called by default.
    fn name(&self) -> &str;

    /// Tells it from others: what has the same identity is not opened a second time.
    fn identity(&self) -> Digest;

    /// The same with what is set for it, its name included. The error is a setting that cannot be sent there.
    fn prepare(&self, settings: &SourceSettings) -> Result<PreparedConnection, Diagnostic>;

    /// Begins to connect. What is open already stays so.
    fn open(&self);

    /// Ends it, because it is gone from its list. What is open at the end of the program is dropped.
    fn close(&self);

    /// What is offered now, or why nothing is; no reason when that is no news. It is asked once after it was opened, and at
    /// every look from then on.
    fn offer(&self) -> Result<ConnectionOffer, Option<String>>;

    /// The code that runs what is offered under this name.
    fn handler(&self, name: &str) -> SealedHandler;

    /// Its address, where it has one.
    fn url(&self) -> Option<&Url> {
        None
    }

    /// The variables without which it cannot be opened.
    fn variables(&self) -> Vec<String> {
        Vec::new()
    }

    /// What an adapter file has to name as its target to reach the same; nothing when no adapter file can.
    fn adapter_target(&self) -> Option<AdapterTarget> {
        None
    }

    /// What was seen there beside what was made of it, as the document that `import --bundle` writes.
    fn bundle(&self, _loaded: &LoadedSource, _report: &ImportReport, _captured_at: &str) -> Option<Value> {
        None
    }
}

/// The target of an adapter file that reaches what is behind a connection. It holds no secret.
#[derive(Debug, Clone)]
pub struct AdapterTarget {
    /// The keys of `target` but its timeout, in the order in which they are written.
    pub keys: Map<String, Value>,
    /// How calls authenticate.
    pub auth: Auth,
    /// Longest wait for the response to one call.
    pub timeout: Duration,
    /// What the importer should know of it, such as a value that a variable stands for.
    pub warnings: Vec<String>,
}

/// A connection with what is set for it.
#[derive(Debug)]
pub struct PreparedConnection {
    /// The connection.
    pub connection: Arc<dyn Connection>,
    /// A setting that has no effect on it.
    pub warning: Option<Diagnostic>,
}

/// What is offered on the other side.
#[derive(Debug)]
pub struct ConnectionOffer {
    /// The list of it, as its kind loads it.
    pub content: Vec<u8>,
    /// What the other side calls itself.
    pub own_name: Option<String>,
    /// The names of operations that are there and wait for approval.
    pub withheld: Vec<String>,
}
