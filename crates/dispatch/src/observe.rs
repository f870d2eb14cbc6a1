//! What is reported about calls: finished ones for metrics, with operation, outcome and duration;
//! running ones, with their progress, to whoever waits.
//!
//! Nothing that a client sent is in it: source and operation are names of the registry, the outcome is a closed set.

use crate::stages::validate::CheckedRequest;
use aqueduct_operations::category::Category;
use aqueduct_operations::controls::Control;
use aqueduct_operations::gatekeeper::GateOutcome;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::progress::{Progress, ProgressListener, ProgressStage};
use aqueduct_operations::target::{AnswerKind, Target};
use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Receives every finished call.
pub trait Observer: Debug + Send + Sync {
    /// A call is done.
    fn finished(&self, call: &FinishedCall<'_>);
}

/// A call that is done.
#[derive(Debug, Clone, Copy)]
pub struct FinishedCall<'a> {
    /// Source and public name of the operation, once a call was found to be one of ours.
    pub operation: Option<(&'a str, &'a str)>,
    /// What the gatekeeper decided about it, if it came so far.
    pub gate: Option<GateOutcome>,
    /// `success`, or the failure's code.
    pub outcome: &'static str,
    /// From the arguments to the response.
    pub took: Duration,
    /// The part of it that was spent calling out, retries included.
    pub upstream: Option<Duration>,
}

/// What a call leaves behind on its way.
#[derive(Debug, Default)]
pub(crate) struct CallRecord {
    operation: Option<(String, String)>,
    pub gate: Option<GateOutcome>,
    pub upstream: Option<Duration>,
}

impl CallRecord {
    /// The call is one of this operation.
    pub fn found(&mut self, entry: &RegistryEntry) {
        self.operation = Some((entry.source.name.clone(), entry.public_name.clone()));
    }

    /// The call as observers see it.
    pub fn finished(&self, outcome: &'static str, took: Duration) -> FinishedCall<'_> {
        let operation =
            self.operation.as_ref().map(|(source, operation)| (source.as_str(), operation.as_str()));
        FinishedCall { operation, gate: self.gate, outcome, took, upstream: self.upstream }
    }
}

/// Tells whoever waits for an execution, or for all pages, how far it is (MCP document, section 5.1). Other calls are over
/// too soon.
#[derive(Debug)]
pub(crate) struct ProgressReporter {
    listener: Option<Arc<dyn ProgressListener>>,
    /// How far it is, in thousandths: it never goes back.
    reported: AtomicU64,
}

impl ProgressReporter {
    /// For a call that is an execution, or gathers pages.
    pub fn of(
        listener: Option<&Arc<dyn ProgressListener>>,
        checked: &CheckedRequest<'_>,
    ) -> ProgressReporter {
        let operation = &checked.entry.operation;
        let takes_time = match &operation.target {
            Target::Http(target) if target.answer == AnswerKind::Events => true,
            Target::Handler(_) => true,
            _ => operation.category == Category::Execute || checked.controls.is_set(Control::All),
        };
        ProgressReporter { listener: listener.filter(|_| takes_time).cloned(), reported: AtomicU64::new(0) }
    }

    /// So much of the whole is done, as the handler reports it.
    pub fn report_share(&self, part: f64, message: &str) {
        self.report_done(10.0 + 80.0 * part, message);
    }

    /// It has come to this stage.
    pub fn report(&self, stage: ProgressStage, message: &str) {
        self.report_done(stage.share(), message);
    }

    fn report_done(&self, done: f64, message: &str) {
        let Some(listener) = &self.listener else { return };
        let far = (done * 1_000.0) as u64;
        if self.reported.fetch_max(far, Ordering::Relaxed) < far {
            listener.on_progress(Progress { done, message: message.to_owned() });
        }
    }
}
