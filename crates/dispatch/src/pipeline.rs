//! One call from arguments to reply. Read `run`: each line is a stage, and each stage takes what the one before gave.
//!
//! A call always has a reply: what goes wrong, a panic included, becomes a failure of that call alone.

use crate::batch::BatchOptions;
use crate::call_log::CallLog;
use crate::catalog::Catalog;
use crate::context::CallContext;
use crate::dispatcher::Dispatcher;
use crate::failure_map::FailedRequest;
use crate::observe::{CallRecord, ProgressReporter};
use crate::stages::call::PreparedCall;
use crate::stages::envelope::{ParsedRequest, RequestEnvelope};
use crate::stages::gatekeep::Admitted;
use crate::stages::meter::CallPauseHandler;
use crate::stages::query_options::{QueryOptions, RequestKind};
use crate::stages::route::RouteError;
use crate::stages::validate::{CheckedRequest, UnknownParams};
use crate::stages::{call, envelope, gatekeep, query_options, route, shape, validate};
use crate::{batch, call_log, failure_map, introspect, preview, update, warnings};
use aqueduct_operations::call::{Call, CallOrigin};
use aqueduct_operations::failure::Failure;
use aqueduct_operations::progress::ProgressStage;
use aqueduct_operations::reply::{Reply, Success};
use aqueduct_operations::target::{BuiltIn, Target};
use aqueduct_schema::work::Meter;
use aqueduct_upstream::PreparedRequest;
use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::{Map, Value};
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use tracing::Instrument;

/// The span of a stage, for traces. Nothing of a call is in it.
macro_rules! stage {
    ($name:literal) => {
        tracing::trace_span!(target: "aqueduct::stage", $name)
    };
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

impl Dispatcher {
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
        let log = CallLog::begin(&call);
        let (catalog, call_record) = (self.catalog(), CallRecord::in_span(log.span()));
        let Call { arguments, origin } = call;
        let request = requested(&arguments);
        let run = self.run(arguments, &origin, &catalog, allowance, &call_record).instrument(log.span());
        let failed = |failure| Reply::Failure(failure_map::finish(failure, request, &origin.session));
        // A panic is a bug of ours; it must not take other calls with it. What it might leave half done is behind
        // locks that survive it.
        let reply = match AssertUnwindSafe(run).catch_unwind().await {
            Ok(done) => done.unwrap_or_else(failed),
            Err(_) => failed(failure_map::panicked()),
        };
        call_record.finish(&reply).await;
        let took = log.finish(&reply);
        if let Some(observer) = &self.observer {
            observer.finished(&call_record.finished(&origin.caller, call_log::outcome(&reply), took));
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
            call_log::record_upstream(took);
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
        let task = introspect::task_in(&routed);
        let strictness =
            if self.settings.strict_mode { UnknownParams::Strict } else { UnknownParams::Lenient };
        let merging = update::merging(catalog, entry);
        let checking = validate::ValidationContext { strictness, merging, limits: self.limits() };
        let validation = validate::within(catalog, routed, checking, &self.workers, meter);
        let taught = |failure| match introspect::is_introspect(entry) {
            true => introspect::with_search(failure, task.as_deref(), catalog),
            false => failure,
        };
        let checked = validation.instrument(stage!("validate")).await.map_err(taught)?;
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
            pause_handler: Arc::new(CallPauseHandler::new(self, checked, origin)),
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
    shaped.warnings.extend(context.pause_handler.take_warnings());
    shaped.warnings.extend(warnings::of(checked, context));
    if !is_about_execution {
        context.reporter.report(ProgressStage::Completed, "Done");
    }
    Ok(shaped)
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
