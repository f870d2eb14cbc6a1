//! Judges a live MCP-AQL server.
//!
//! A `Server` to call in, a `Report` and an evidence bundle out (conformance testing specification). Requests are made from
//! introspection alone. Pure but for the calls: no IO, no clock, no idea of how the server is reached. Invariants: an operation that
//! changes something is called only where that is allowed, and only when what it makes can be deleted again; whatever was created
//! is deleted in the end, also after a failure or a stop.

mod catalog;
mod checks;
mod conversation;
mod evidence;
mod exchange;
mod identifiers;
mod lifecycle;
mod operation;
mod pattern;
mod render;
mod report;
mod requests;
mod sample_value;
mod server;
mod shapes;
mod suite;
mod tools;
mod verdict;

pub use render::{json, markdown, text};
pub use report::{CategoryReport, Report, ReportSummary, TestReport};
pub use server::{Boxed, CallFailure, Identity, Server, StrayOutput};
pub use suite::{Level, Settings, StopFlag, SuiteError, SuiteOutcome, run_suite};
pub use verdict::{CATEGORIES, Verdict};

#[cfg(test)]
mod tests;
