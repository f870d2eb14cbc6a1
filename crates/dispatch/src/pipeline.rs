//! One call from arguments to reply. Read `run`: each line is a stage, and each stage takes what the one before gave.
//!
//! A call always has a reply: what goes wrong, a panic included, becomes a failure of that call alone.

use crate::batch::BatchOptions;
use crate::catalog::Catalog;
use crate::concurrency_limiter::ConcurrencyLimiter;
use crate::context::CallContext;
use crate::cursor::CursorKey;
use crate::executions::Executions;
use crate::failure_map::FailedRequest;
use crate::observe::{CallRecord, Observer, ProgressReporter};
use crate::question_limiter::QuestionLimiter;
use crate::stages::call::PreparedCall;
use crate::stages::envelope::{ParsedRequest, RequestEnvelope};
use crate::stages::gatekeep::Admitted;
use crate::stages::meter::QuotaDesk;
use crate::stages::query_options::{QueryOptions, RequestKind};
use crate::stages::route::RouteError;
use crate::stages::validate::{CheckedRequest, UnknownParams};
use crate::stages::{call, envelope, gatekeep, query_options, route, shape, validate};
use crate::worker_pool::WorkerPool;
use crate::{batch, failure_map, introspect, preview, update, warnings};
use aqueduct_limiter::Limiters;
use aqueduct_operations::call::{Call, CallOrigin, SessionEnd, SessionId};
use aqueduct_operations::clock::{Clock, SystemClock};
use aqueduct_operations::execution::ExecutionSettings;
use aqueduct_operations::failure::Failure;
use aqueduct_operations::gatekeeper::Gatekeeper;
use aqueduct_operations::limits::Limits;
use aqueduct_operations::naming::is_snake_case;
use aqueduct_operations::progress::ProgressStage;
use aqueduct_operations::reply::{Reply, Success};
use aqueduct_operations::target::{BuiltIn, Target};
use aqueduct_schema::work::Meter;
use aqueduct_upstream::{PreparedRequest, Upstream};
use arc_swap::ArcSwap;
use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::{Map, Value};
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tracing::{Instrument, Span, field};

/// The span of a stage, for traces. Nothing of a call is in it.
macro_rules! stage {
    ($name:literal) => {
        tracing::trace_span!(target: "aqueduct::stage", $name)
    };
}

/// Settings of dispatch.
#[derive(Debug, Clone)]
pub struct DispatchSettings {
    /// The payload limits.
    pub limits: Limits,
    /// Rejects unknown parameters; off is for development only.
    pub strict_mode: bool,
    /// Seals cursors; without one they do not outlive the process.
    pub cursor_key: Option<CursorKey>,
    /// What a batch does when something must be confirmed.
    pub batch: BatchMode,
    /// Asks the person behind a client that can ask, when a call needs a confirmation. Other clients get a token in any case.
    pub asks_people: bool,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
}

/// What a batch does when an operation of it must be confirmed (operations document, section 7.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BatchMode {
    /// It stops there.
    #[default]
    Halt,
    /// It goes on with the next one.
    Skip,
}

impl Default for DispatchSettings {
    fn default() -> DispatchSettings {
        DispatchSettings {
            limits: Limits::default(),
            strict_mode: true,
            cursor_key: None,
            batch: BatchMode::default(),
            asks_people: false,
            clock: Arc::new(SystemClock),
        }
    }
}

/// What a call may take.
pub(crate) struct CallBudget {
    /// The most tokens of its response.
    pub budget: u64,
    /// Counts its work.
    pub meter: Arc<Meter>,
    /// The yes that it was given as a part of a plan.
    pub consent: Option<PlanConsent>,
}

/// The yes of a person to a plan, which its calls redeem. It stays in the server.
#[derive(Clone)]
pub(crate) struct PlanConsent {
    /// The token.
    pub token: String,
    /// Who said yes.
    pub approver: &'static str,
}

/// Runs calls against the catalog that is in service.
#[derive(Debug)]
pub struct Dispatcher {
    catalog: ArcSwap<Catalog>,
    replaced: watch::Sender<()>,
    pub(crate) gatekeeper: Gatekeeper,
    pub(crate) upstream: Upstream,
    pub(crate) limiter: ConcurrencyLimiter,
    /// Holds sources to their limits and quotas.
    pub(crate) limiters: Arc<Limiters>,
    pub(crate) questions: Arc<QuestionLimiter>,
    /// Jobs that go on after the call that started them.
    pub(crate) executions: Executions,
    pub(crate) cursor_key: Option<CursorKey>,
    /// Where work is done that takes long.
    pub(crate) workers: WorkerPool,
    pub(crate) settings: DispatchSettings,
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
            limiter: ConcurrencyLimiter::default(),
            limiters: Arc::new(Limiters::in_memory(Arc::clone(&settings.clock))),
            questions: Arc::default(),
            executions: Executions::in_memory(ExecutionSettings::default()),
            // Without randomness pages have no cursors, and a call for one says so.
            cursor_key: settings.cursor_key.clone().or_else(|| CursorKey::random().ok()),
            workers: WorkerPool::default(),
            settings,
            observer: None,
        }
    }

    /// Ends work that takes long: the server ends, and waits for nothing else than requests that are out.
    pub fn end_work(&self) {
        self.workers.end();
        self.limiters.drain();
    }

    /// Holds sources to their limits with these, which may count for several processes; without it each process counts by itself.
    #[must_use]
    pub fn limited_by(mut self, limiters: Arc<Limiters>) -> Dispatcher {
        self.limiters = limiters;
        self
    }

    /// Keeps executions with this, which may do so for several processes; without it they end with the process.
    #[must_use]
    pub fn keeping(mut self, executions: Executions) -> Dispatcher {
        self.executions = executions;
        self
    }

    /// Makes the dispatcher known to what goes on without a call. An operation that starts executions can be called from then on.
    pub fn attached(self: Arc<Dispatcher>) -> Arc<Dispatcher> {
        self.executions.attach(Arc::downgrade(&self));
        self
    }

    /// Follows executions that other processes have left behind, from now on.
    pub fn follow_executions(&self) {
        self.executions.take_over();
        self.executions.begin(!self.catalog().executions().is_empty());
    }

    /// Leaves executions in order before the process ends: those of its sessions are closed, others left to other processes.
    pub async fn close_executions(&self, at_most: Duration) {
        self.executions.close(at_most).await;
    }

    /// What holds sources to their limits.
    pub fn limiters(&self) -> &Arc<Limiters> {
        &self.limiters
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
        self.replace_quietly(catalog);
        self.replaced.send_replace(());
    }

    /// Puts another catalog in service that offers the same, without a notification.
    pub fn replace_quietly(&self, catalog: Catalog) {
        let catalog = catalog.following(&self.catalog());
        self.executions.begin(!catalog.executions().is_empty());
        self.catalog.store(Arc::new(catalog));
    }

    /// Builds what operations are searched by, on a thread of its own, so that no call waits for it.
    pub fn prepare_search(self: &Arc<Dispatcher>) {
        let dispatcher = Arc::clone(self);
        let prepare = move || loop {
            let catalog = dispatcher.catalog();
            catalog.prepare_search();
            if Arc::ptr_eq(&catalog, &dispatcher.catalog()) {
                break;
            }
        };
        // Without a thread the first search builds it.
        if let Err(error) = std::thread::Builder::new().name("search-index".to_owned()).spawn(prepare) {
            tracing::warn!(target: "aqueduct::load", %error, "the search is not prepared");
        }
    }

    /// Sees every catalog that is put in service from now on.
    pub fn replaced(&self) -> watch::Receiver<()> {
        self.replaced.subscribe()
    }

    /// What time it is.
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.settings.clock
    }

    /// The limits in force, for whoever reads requests off the wire.
    pub fn limits(&self) -> &Limits {
        &self.settings.limits
    }

    /// Forgets everything that belongs to a session, however it ended, and records how it did.
    pub fn end_session(&self, session: &SessionId, end: SessionEnd) {
        self.gatekeeper.end_session(session);
        self.questions.end_session(session);
        self.executions.end_session(session, end);
        tracing::info!(target: "aqueduct::session", %session, end = end.name(), "session ended");
    }

    /// Runs one call. Never fails: what goes wrong is a `Reply::Failure`.
    pub async fn call(&self, call: Call) -> Reply {
        let limits = &self.settings.limits;
        let meter = Arc::new(Meter::new(limits.max_work_steps));
        let budget = limits.max_response_tokens;
        self.call_within(call, CallBudget { budget, meter, consent: None }).await
    }

    /// Runs one operation of a batch. The work of all of them is counted together.
    pub(crate) fn run_item(&self, call: Call, allowance: CallBudget) -> BoxFuture<'_, Reply> {
        self.call_within(call, allowance).boxed()
    }

    async fn call_within(&self, call: Call, allowance: CallBudget) -> Reply {
        let span = tracing::info_span!(
            target: "aqueduct::call",
            "call",
            operation = loggable(call.operation()),
            source = field::Empty,
            gate = field::Empty,
            danger = field::Empty,
            rule = field::Empty,
            caller = call.origin.caller.name(),
            session = %call.origin.session,
            outcome = field::Empty,
            upstream_ms = field::Empty,
            duration_ms = field::Empty,
        );
        let started = Instant::now();
        let mut cancelled_log = CancelledCallLog { span: span.clone(), started, replied: false };
        let (catalog, call_record) = (self.catalog(), CallRecord::in_span(span.clone()));
        let Call { arguments, origin } = call;
        let request = requested(&arguments);
        let run = self.run(arguments, &origin, &catalog, allowance, &call_record).instrument(span.clone());
        let failed = |failure| Reply::Failure(failure_map::finish(failure, request, &origin.session));
        // A panic is a bug of ours; it must not take other calls with it. What it might leave half done is behind
        // locks that survive it.
        let reply = match AssertUnwindSafe(run).catch_unwind().await {
            Ok(done) => done.unwrap_or_else(failed),
            Err(_) => failed(failure_map::panicked()),
        };
        call_record.finish(&reply).await;
        let took = started.elapsed();
        cancelled_log.replied = true;
        record(&span, &reply, took);
        if let Some(observer) = &self.observer {
            observer.finished(&call_record.finished(&origin.caller, outcome(&reply), took));
        }
        reply
    }

    async fn run<'a>(
        &'a self,
        arguments: Map<String, Value>,
        origin: &'a CallOrigin,
        catalog: &'a Arc<Catalog>,
        allowance: CallBudget,
        call_record: &'a CallRecord<'a>,
    ) -> Result<Reply, Failure> {
        let view = || catalog.view_of(&origin.caller, &origin.scopes);
        let opened = stage!("envelope")
            .in_scope(|| envelope::open(arguments, self.limits()))
            .map_err(|error| failure_map::envelope(error, &view()))?;
        let envelope = match opened {
            ParsedRequest::One(envelope) => envelope,
            ParsedRequest::Batch(operations, beside) => {
                let BatchOptions { budget, plan } = batch::options(&beside)?;
                let allowance = CallBudget { budget: budget.unwrap_or(u64::MAX), ..allowance };
                let batch = Box::pin(batch::run(self, operations, plan, allowance, origin)).await;
                return batch.map(|batch| Reply::Batch(Box::new(batch)));
            }
        };
        let (mut checked, options) = self.check(envelope, origin, catalog, &allowance, call_record).await?;
        if let Some(PlanConsent { token, approver }) = allowance.consent.filter(|_| checked.token.is_none()) {
            (checked.token, checked.approver) = (Some(token), Some(approver));
        }
        let context = self.context(&checked, origin, catalog, allowance.meter, call_record);
        let done = execute(&context, checked, options, call_record).await;
        if let Some(took) = call_record.upstream.total() {
            Span::current().record("upstream_ms", millis(took));
        }
        done.map(Reply::Success)
    }

    /// Finds the operation of a request, and checks its parameters and controls. Nothing is sent.
    pub(crate) async fn check<'a>(
        &'a self,
        envelope: RequestEnvelope,
        origin: &'a CallOrigin,
        catalog: &'a Arc<Catalog>,
        CallBudget { budget, meter, .. }: &CallBudget,
        call_record: &CallRecord<'a>,
    ) -> Result<(CheckedRequest<'a>, QueryOptions), Failure> {
        let mut routed = match stage!("route").in_scope(|| route::route(catalog, envelope, origin)) {
            Ok(routed) => routed,
            Err(error) => {
                if let RouteError::Denied(denied) = &error {
                    call_record.found(denied.entry);
                    call_record.decided(&gatekeep::deny(&self.gatekeeper, denied, origin));
                }
                return Err(failure_map::route(error, &catalog.view_of(&origin.caller, &origin.scopes)));
            }
        };
        let entry = routed.entry;
        call_record.found(entry);
        introspect::complete(&mut routed);
        let strictness =
            if self.settings.strict_mode { UnknownParams::Strict } else { UnknownParams::Lenient };
        let merging = update::merging(catalog, entry);
        let checking = validate::ValidationContext { strictness, merging, limits: self.limits() };
        let validation = validate::within(catalog, routed, checking, &self.workers, meter);
        let checked = validation.instrument(stage!("validate")).await?;
        let options = query_options::read(&checked, *budget)
            .map_err(|error| failure_map::invalid_options(error, entry))?;
        Ok((checked, options))
    }

    /// What a call of this request may use on its way.
    pub(crate) fn context<'a>(
        &'a self,
        checked: &CheckedRequest<'_>,
        origin: &'a CallOrigin,
        catalog: &'a Catalog,
        meter: Arc<Meter>,
        call_record: &'a CallRecord<'_>,
    ) -> CallContext<'a> {
        CallContext {
            dispatcher: self,
            catalog,
            origin,
            meter,
            reporter: Arc::new(ProgressReporter::of(origin.progress.as_ref(), checked)),
            upstream_time: &call_record.upstream,
            http_facts: OnceLock::new(),
            warnings: Mutex::default(),
            desk: Arc::new(QuotaDesk::new(self, checked, origin)),
        }
    }
}

/// The second half of a call: from here on requests are sent.
async fn execute<'a>(
    context: &CallContext<'a>,
    mut checked: CheckedRequest<'a>,
    mut options: QueryOptions,
    call_record: &CallRecord<'a>,
) -> Result<Success, Failure> {
    let entry = checked.entry;
    let prepared_call = call::prepare(&checked).map_err(|error| failure_map::unbuildable(error, entry))?;
    let kind = std::mem::replace(&mut options.kind, RequestKind::Answer);
    match (&kind, &prepared_call) {
        (RequestKind::Preview { if_match }, PreparedCall::Http(_, prepared)) => {
            let prepared = PreparedRequest::clone(prepared);
            let budget = options.budget;
            let preview = preview::preview(context, &checked, prepared, if_match.as_deref(), budget);
            return Box::pin(preview).await;
        }
        (RequestKind::Preview { .. }, PreparedCall::Handler(target)) => {
            let request = target.preview(&checked.values);
            return preview::shown(context, &checked, request, options.budget);
        }
        _ => {}
    }
    if let RequestKind::Collection { plan, .. } = &kind {
        checked.pushed = Arc::clone(&plan.pushed);
    }
    let read_first = update::read_first(context, &checked).await?;
    let Admitted { request: permitted, permit } =
        gatekeep::gatekeep(context, checked, &prepared_call, call_record)
            .instrument(stage!("gatekeep"))
            .await?;
    let admitted = Admitted { request: &permitted, permit };
    let call = call::call(context, admitted, prepared_call, read_first, kind, &options);
    let outcome = call.instrument(stage!("run")).await?;
    // Who waits for an execution hears how far that is.
    let is_about_execution = matches!(entry.operation.target, Target::BuiltIn(BuiltIn::GetExecution));
    if !is_about_execution {
        context.reporter.report(ProgressStage::Completing, "Answered");
    }
    let checked = permitted.checked();
    let mut shaped = shape::shape(context, checked, options, outcome).instrument(stage!("shape")).await?;
    let threshold = Duration::from_millis(context.dispatcher.settings.limits.slow_call_ms);
    shaped.warnings.extend(
        context
            .upstream_time
            .total()
            .and_then(|took| warnings::slow(&checked.entry.public_name, took, threshold)),
    );
    shaped.warnings.extend(context.take_warnings());
    shaped.warnings.extend(context.desk.take_warnings());
    shaped.warnings.extend(warnings::of(checked, &*context.dispatcher.settings.clock));
    if !is_about_execution {
        context.reporter.report(ProgressStage::Completed, "Done");
    }
    Ok(shaped)
}

/// Logs a call that was dropped before its response: the client cancelled it, or is gone.
struct CancelledCallLog {
    span: Span,
    started: Instant,
    replied: bool,
}

impl Drop for CancelledCallLog {
    fn drop(&mut self) {
        if !self.replied {
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
        Reply::Success(_) | Reply::Batch(_) => "success",
        Reply::Failure(failure) => failure.code.name(),
    }
}

fn record(span: &Span, reply: &Reply, took: Duration) {
    span.record("duration_ms", millis(took));
    span.record("outcome", outcome(reply));
    match reply {
        Reply::Success(_) | Reply::Batch(_) => {
            span.in_scope(|| tracing::info!(target: "aqueduct::call", "done"))
        }
        Reply::Failure(failure) => {
            let cause = failure.cause.as_deref().unwrap_or_default();
            span.in_scope(|| tracing::info!(target: "aqueduct::call", cause, "failed"));
        }
    }
}

/// What a failure would be the answer to.
fn requested(arguments: &Map<String, Value>) -> FailedRequest {
    let name = arguments.get("operation").and_then(Value::as_str);
    let is_batch = name == Some("batch") || (name.is_none() && arguments.contains_key("operations"));
    let in_params = arguments.get("params").and_then(|params| params.get("plan"));
    match name {
        Some("introspect") => FailedRequest::Introspection,
        _ if is_batch && arguments.get("plan").or(in_params).is_none() => FailedRequest::Batch,
        _ => FailedRequest::Other,
    }
}

#[cfg(test)]
mod tests;
