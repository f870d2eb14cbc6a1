//! One call from arguments to answer. Read `run`: each line is a stage, and each stage takes what the one before gave.
//!
//! A call always has an answer: what goes wrong on the way, a panic included, becomes a failure of that call alone.

use crate::catalog::Catalog;
use crate::failure_map;
use crate::observe::{Observer, Teller, Trail};
use crate::stages::validate::Strictness;
use crate::stages::{call, envelope, gatekeep, meter, route, shape, validate};
use crate::turns::Turns;
use aqueduct_operations::call::{Call, SessionEnd, SessionId};
use aqueduct_operations::failure::Failure;
use aqueduct_operations::limits::Limits;
use aqueduct_operations::naming::is_snake_case;
use aqueduct_operations::progress::Stage;
use aqueduct_operations::reply::{Reply, Success};
use aqueduct_safety::gatekeeper::Gatekeeper;
use aqueduct_upstream::Upstream;
use arc_swap::ArcSwap;
use futures::FutureExt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tracing::{Instrument, Span, field};

/// What dispatch can be told.
#[derive(Debug, Clone)]
pub struct DispatchSettings {
    /// The payload limits.
    pub limits: Limits,
    /// Rejects unknown parameters; off is for development only.
    pub strict_mode: bool,
}

impl Default for DispatchSettings {
    fn default() -> DispatchSettings {
        DispatchSettings { limits: Limits::default(), strict_mode: true }
    }
}

/// Runs calls against the catalog that is in service.
#[derive(Debug)]
pub struct Dispatcher {
    catalog: ArcSwap<Catalog>,
    replaced: watch::Sender<()>,
    gatekeeper: Gatekeeper,
    upstream: Upstream,
    turns: Turns,
    settings: DispatchSettings,
    observer: Option<Arc<dyn Observer>>,
}

impl Dispatcher {
    /// Puts the parts together.
    pub fn new(
        catalog: Catalog,
        gatekeeper: Gatekeeper,
        upstream: Upstream,
        settings: DispatchSettings,
    ) -> Dispatcher {
        Dispatcher {
            catalog: ArcSwap::from_pointee(catalog),
            replaced: watch::Sender::new(()),
            gatekeeper,
            upstream,
            turns: Turns::default(),
            settings,
            observer: None,
        }
    }

    /// Tells this observer about every call that is done.
    #[must_use]
    pub fn observed_by(mut self, observer: Arc<dyn Observer>) -> Dispatcher {
        self.observer = Some(observer);
        self
    }

    /// The catalog in service.
    pub fn catalog(&self) -> Arc<Catalog> {
        self.catalog.load_full()
    }

    /// Puts another catalog in service. Calls that have begun go on with the one they began with.
    pub fn replace(&self, catalog: Catalog) {
        self.catalog.store(Arc::new(catalog));
        self.replaced.send_replace(());
    }

    /// Sees every catalog that is put in service from now on.
    pub fn replaced(&self) -> watch::Receiver<()> {
        self.replaced.subscribe()
    }

    /// The limits in force, for whoever reads requests off the wire.
    pub fn limits(&self) -> &Limits {
        &self.settings.limits
    }

    /// Forgets everything that belongs to a session, however it ended, and records how it did.
    pub fn end_session(&self, session: &SessionId, end: SessionEnd) {
        self.gatekeeper.end_session(session);
        tracing::info!(target: "aqueduct::session", %session, end = end.name(), "session ended");
    }

    /// Runs one call. Never fails: what goes wrong is a `Reply::Failure`.
    pub async fn call(&self, call: Call) -> Reply {
        let span = tracing::info_span!(
            target: "aqueduct::call",
            "call",
            operation = loggable(call.operation()),
            source = field::Empty,
            session = %call.session,
            outcome = field::Empty,
            upstream_ms = field::Empty,
            duration_ms = field::Empty,
        );
        let started = Instant::now();
        let mut unanswered = Unanswered { span: span.clone(), started, answered: false };
        let mut trail = Trail::default();
        let reply = self.answer(call, &mut trail).instrument(span.clone()).await;
        let took = started.elapsed();
        unanswered.answered = true;
        record(&span, &reply, took);
        if let Some(observer) = &self.observer {
            observer.finished(&trail.finished(outcome(&reply), took));
        }
        reply
    }

    async fn answer(&self, call: Call, trail: &mut Trail) -> Reply {
        let session = call.session.clone();
        let is_introspect = call.operation() == "introspect";
        // A panic is a bug of ours; it must not take other calls with it. What it might leave half done is behind
        // locks that survive it.
        let result = AssertUnwindSafe(self.run(call, trail)).catch_unwind().await;
        let result = match result {
            Ok(result) => result,
            Err(_) => Err(failure_map::panicked()),
        };
        Reply::from(result.map_err(|failure| failure_map::finish(failure, is_introspect, &session)))
    }

    async fn run(&self, call: Call, trail: &mut Trail) -> Result<Success, Failure> {
        let Call { arguments, door, session, progress, caller: _ } = call;
        let catalog = self.catalog();
        let strictness = if self.settings.strict_mode { Strictness::Strict } else { Strictness::Lenient };

        let envelope = envelope::open(arguments, &self.settings.limits)
            .map_err(|error| failure_map::envelope(error, &catalog))?;
        let routed =
            route::route(&catalog, envelope, &door).map_err(|error| failure_map::route(error, &catalog))?;
        let entry = routed.entry;
        Span::current().record("source", &entry.source.name);
        if self.observer.is_some() {
            trail.found(entry);
        }
        let checked = validate::validate(routed, strictness, &self.settings.limits)
            .map_err(|rejection| failure_map::validate(&rejection, entry))?;
        let rehearsed = call::rehearse(&checked).map_err(|error| failure_map::unbuildable(error, entry))?;
        let permitted = gatekeep::gatekeep(&self.gatekeeper, checked, &session)
            .map_err(|refused| failure_map::gatekeep(*refused))?;
        let teller = Teller::of(progress, entry);
        teller.tell(Stage::Initializing, "Waiting for its turn");
        let admitted = meter::meter(&self.turns, permitted).await;
        teller.tell(Stage::Running { done: 0, steps: 1 }, "Under way");
        let started = Instant::now();
        let outcome = call::call(&admitted, &rehearsed, &self.upstream, &catalog, &session).await;
        let took = started.elapsed();
        Span::current().record("upstream_ms", millis(took));
        trail.upstream = Some(took);
        let checked = admitted.permitted.checked();
        let outcome = outcome.map_err(|error| failure_map::upstream(error, entry, &checked.values))?;
        teller.tell(Stage::Completing, "Answered");
        let shaped = shape::shape(checked, outcome);
        teller.tell(Stage::Completed, "Done");
        Ok(shaped)
    }
}

/// Logs a call that was dropped before its answer: the client cancelled it, or is gone.
struct Unanswered {
    span: Span,
    started: Instant,
    answered: bool,
}

impl Drop for Unanswered {
    fn drop(&mut self) {
        if !self.answered {
            self.span.record("duration_ms", millis(self.started.elapsed()));
            self.span.record("outcome", "cancelled");
            self.span.in_scope(|| tracing::info!(target: "aqueduct::call", "cancelled"));
        }
    }
}

/// Names come from clients: only what can be an operation's name goes into the log.
fn loggable(operation: &str) -> &str {
    if is_snake_case(operation) && operation.len() <= 160 { operation } else { "(not a name)" }
}

fn millis(took: Duration) -> f64 {
    (took.as_secs_f64() * 1e6).round() / 1e3
}

fn outcome(reply: &Reply) -> &'static str {
    match reply {
        Reply::Success(_) => "success",
        Reply::Failure(failure) => failure.code.name(),
    }
}

fn record(span: &Span, reply: &Reply, took: Duration) {
    span.record("duration_ms", millis(took));
    span.record("outcome", outcome(reply));
    match reply {
        Reply::Success(_) => span.in_scope(|| tracing::info!(target: "aqueduct::call", "done")),
        Reply::Failure(failure) => {
            let cause = failure.cause.as_deref().unwrap_or_default();
            span.in_scope(|| tracing::info!(target: "aqueduct::call", cause, "failed"));
        }
    }
}

#[cfg(test)]
mod tests;
