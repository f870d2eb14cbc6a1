//! The progress of a call, reported to the caller that waits for it (MCP document, section 5).
//!
//! A stage of the work in, a share of the whole out. Telling never fails and never waits: who cannot keep up misses some.

use std::fmt::Debug;

/// What everything is.
pub const TOTAL: f64 = 100.0;

/// How far a call is.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// Of `TOTAL`.
    pub done: f64,
    /// What is happening.
    pub message: String,
}

/// Receives the progress of a call.
pub trait ProgressListener: Debug + Send + Sync {
    /// The call has come this far.
    fn on_progress(&self, progress: Progress);
}

/// Where a piece of work stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgressStage {
    /// Not begun.
    Pending,
    /// Being prepared.
    Initializing,
    /// Under way, this many of its steps done.
    Running {
        /// Steps that are done.
        done: u64,
        /// Steps in all.
        steps: u64,
    },
    /// What came back is being put in order.
    Completing,
    /// Done.
    Completed,
    /// Ended some other way.
    Ended,
}

impl ProgressStage {
    /// Its share of the whole.
    pub fn share(self) -> f64 {
        match self {
            ProgressStage::Pending | ProgressStage::Ended => 0.0,
            ProgressStage::Initializing => 5.0,
            ProgressStage::Running { steps: 0, .. } => 10.0,
            ProgressStage::Running { done, steps } => 10.0 + done.min(steps) as f64 / steps as f64 * 80.0,
            ProgressStage::Completing => 95.0,
            ProgressStage::Completed => TOTAL,
        }
    }

    /// The same with words for it.
    pub fn with(self, message: impl Into<String>) -> Progress {
        Progress { done: self.share(), message: message.into() }
    }
}

#[cfg(test)]
mod tests;
