//! What is reported about calls: finished ones to an observer, with operation, decision, outcome and durations; running ones,
//! with their progress, to the caller that waits.
//!
//! What was decided is the gatekeeper's own record, which has the values of the call too: an observer that writes
//! something down takes their digest.

use crate::stages::validate::CheckedRequest;
use aqueduct_operations::call::Caller;
use aqueduct_operations::category::Category;
use aqueduct_operations::controls::Control;
use aqueduct_operations::gatekeeper::{CallEnd, ConfirmedCall, GateRecord};
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::progress::{Progress, ProgressListener, ProgressStage};
use aqueduct_operations::reply::Reply;
use aqueduct_operations::target::{AnswerKind, BuiltIn, Target};
use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tracing::Span;

/// Receives every finished call.
pub trait Observer: Debug + Send + Sync {
    /// A call is done.
    fn finished(&self, call: &FinishedCall<'_>);
}

/// A call that is done.
#[derive(Debug, Clone, Copy)]
pub struct FinishedCall<'a> {
    /// Who sent it.
    pub caller: &'a Caller,
    /// The operation and its source, once a call was found to be one of ours.
    pub entry: Option<&'a RegistryEntry>,
    /// What the gatekeeper decided about it, if it came so far: who asked for what, by which rule, with what outcome.
    pub gate: Option<&'a GateRecord<'a>>,
    /// `success`, or the failure's code.
    pub outcome: &'static str,
    /// From the arguments to the response.
    pub took: Duration,
    /// The part of it that was spent calling out, retries included.
    pub upstream: Option<Duration>,
}

/// What a call leaves behind on its way, also when it fails or panics.
#[derive(Debug, Default)]
pub(crate) struct CallRecord<'a> {
    /// The span of the call, which stages have spans beneath; without one it is whichever is current.
    span: Option<Span>,
    entry: OnceLock<&'a RegistryEntry>,
    gate: OnceLock<GateRecord<'a>>,
    pub upstream: UpstreamTime,
    confirmed: Mutex<Option<ConfirmedCall>>,
}

/// The time that a call spends calling out, in nanoseconds.
#[derive(Debug, Default)]
pub(crate) struct UpstreamTime(AtomicU64);

impl UpstreamTime {
    /// Counts the time since then.
    pub fn add_since(&self, started: Instant) {
        let took = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.0.fetch_add(took.max(1), Ordering::Relaxed);
    }

    /// The whole, when something was sent.
    pub fn total(&self) -> Option<Duration> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            nanos => Some(Duration::from_nanos(nanos)),
        }
    }
}

impl<'a> CallRecord<'a> {
    /// The call runs by a confirmation, which is told of its end.
    pub fn confirmed(&self, call: Option<ConfirmedCall>) {
        *self.confirmed.lock().unwrap_or_else(PoisonError::into_inner) = call;
    }

    /// Tells the confirmation, if there is one, how the call ended.
    pub async fn finish(&self, reply: &Reply) {
        let confirmed = self.confirmed.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(confirmed) = confirmed else { return };
        let end = match reply {
            Reply::Success(_) | Reply::Batch(_) => CallEnd::Succeeded,
            Reply::Failure(failure) => CallEnd::Failed(failure.code.name().to_owned()),
        };
        confirmed.finish(end).await;
    }

    /// The record of a call that has this span.
    pub fn in_span(span: Span) -> CallRecord<'a> {
        CallRecord { span: Some(span), ..CallRecord::default() }
    }

    fn span(&self) -> Span {
        self.span.clone().unwrap_or_else(Span::current)
    }

    /// The call is one of this operation.
    pub fn found(&self, entry: &'a RegistryEntry) {
        self.span().record("source", &entry.source.name);
        self.entry.get_or_init(|| entry);
    }

    /// This was decided about the call itself. It is in the log at once: the call may be cancelled.
    pub fn decided(&self, record: &GateRecord<'a>) {
        let span = self.span();
        if !span.is_disabled() {
            span.record("gate", record.outcome().name());
            span.record("danger", record.danger().name());
            span.record("rule", record.rule().to_string());
        }
        self.gate.get_or_init(|| record.clone());
    }

    /// The call as observers see it.
    pub fn finished<'b>(
        &'b self,
        caller: &'b Caller,
        outcome: &'static str,
        took: Duration,
    ) -> FinishedCall<'b> {
        let (entry, gate) = (self.entry.get().copied(), self.gate.get());
        FinishedCall { caller, entry, gate, outcome, took, upstream: self.upstream.total() }
    }
}

/// Tells the caller that waits for an execution, or for all pages, how far it is (MCP document, section 5.1). Other calls are over
/// too soon.
#[derive(Debug)]
pub(crate) struct ProgressReporter {
    listener: Option<Arc<dyn ProgressListener>>,
    /// One more than how far it is, in thousandths; 0 before anything was told. It never goes back.
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
            Target::Handler(_) | Target::BuiltIn(BuiltIn::GetExecution) => true,
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
        let far = (done * 1_000.0) as u64 + 1;
        if self.reported.fetch_max(far, Ordering::Relaxed) < far {
            listener.on_progress(Progress { done, message: message.to_owned() });
        }
    }
}
