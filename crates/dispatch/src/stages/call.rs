//! Runs the call: sends it upstream, once or as often as the response takes, or responds here. A permitted request in, what
//! came back out.
//!
//! `prepare` comes earlier in the pipeline: values that make no request are found before anyone is asked to confirm.

use super::gatekeep::{Admitted, Permitted};
use super::query_options::{QueryOptions, RequestKind};
use super::validate::CheckedRequest;
use crate::built_in::relationships;
use crate::collection::{self, HandlerPages, HttpPages, PermittedPages};
use crate::context::CallContext;
use crate::update::{self, ReadFirst};
use crate::{events, executions, failure_map, handler_call, introspect};
use aqueduct_operations::failure::{Failure, wording};
use aqueduct_operations::handler::HandlerValues;
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::reply::Warning;
use aqueduct_operations::target::{AnswerKind, BuiltIn, HandlerTarget, HttpTarget, Target};
use aqueduct_upstream::error::RequestBuildError;
use aqueduct_upstream::{PreparedRequest, Upstream, UpstreamResponse};
use serde_json::Value;

/// What came back.
pub enum CallOutcome {
    /// One value, and its version where the upstream names it.
    Single { data: RawJson, etag: Option<String> },
    /// Part of a list, or of what hangs together, in its final shape.
    Collected(RawJson, Vec<Warning>),
    /// Our own, and the warnings about it.
    BuiltIn(RawJson, Vec<Warning>),
}

impl CallOutcome {
    fn unversioned(data: RawJson) -> CallOutcome {
        CallOutcome::Single { data, etag: None }
    }
}

impl From<UpstreamResponse> for CallOutcome {
    fn from(response: UpstreamResponse) -> CallOutcome {
        CallOutcome::Single { etag: response.etag().map(str::to_owned), data: response.data }
    }
}

/// A call that can be made.
pub enum PreparedCall<'a> {
    /// Over HTTP, by this request.
    Http(&'a HttpTarget, Box<PreparedRequest<'a>>),
    /// By code.
    Handler(&'a HandlerTarget),
    /// Here.
    BuiltIn(&'a BuiltIn),
}

/// Makes the request, so that no person is asked to confirm one that cannot be sent.
pub fn prepare<'a>(checked: &CheckedRequest<'a>) -> Result<PreparedCall<'a>, RequestBuildError> {
    let operation = &checked.entry.operation;
    Ok(match &operation.target {
        Target::Http(target) => {
            PreparedCall::Http(target, Box::new(Upstream::prepare(operation, &checked.values)?))
        }
        Target::Handler(target) => PreparedCall::Handler(target),
        Target::BuiltIn(built_in) => PreparedCall::BuiltIn(built_in),
    })
}

/// Runs a permitted request as it was prepared. What is rare or large is on the heap: every call would have to make room for it.
pub async fn call<'a>(
    context: &CallContext<'a>,
    Admitted { request: permitted, permit }: Admitted<'a, &Permitted<'a>>,
    prepared: PreparedCall<'a>,
    read_first: Option<Admitted<'a, ReadFirst<'a>>>,
    kind: RequestKind,
    options: &QueryOptions,
) -> Result<CallOutcome, Failure> {
    let checked = permitted.checked();
    let starter = context.catalog.executions().of_entry(checked.entry);
    match (prepared, kind) {
        (PreparedCall::BuiltIn(BuiltIn::ListExecutions), RequestKind::Collection { controls, plan }) => {
            let pages = PermittedPages { source: Box::new(executions::list(context)), permit };
            Box::pin(collection::answer(context, permitted, pages, options, *controls, *plan)).await
        }
        (prepared @ (PreparedCall::Http(..) | PreparedCall::Handler(_)), _) if starter.is_some() => {
            let Some(starter) = starter else { return Err(wording::internal("no lifecycle")) };
            let admitted = Admitted { request: permitted, permit };
            let started = Box::pin(executions::start(context, starter, admitted, prepared)).await;
            started.map(|(data, warnings)| CallOutcome::BuiltIn(data, warnings))
        }
        (PreparedCall::BuiltIn(built_in), _) => respond_here(context, permitted, built_in, options).await,
        (PreparedCall::Http(target, prepared), _) if target.answer == AnswerKind::Events => {
            let collected = Box::pin(events::listen(context, permit, target, &prepared)).await;
            collected.map(CallOutcome::unversioned)
        }
        (PreparedCall::Http(_, prepared), RequestKind::Collection { controls, plan }) => {
            let source = Box::new(HttpPages { context, permitted, template: *prepared });
            let pages = PermittedPages { source, permit };
            Box::pin(collection::answer(context, permitted, pages, options, *controls, *plan)).await
        }
        (PreparedCall::Handler(target), RequestKind::Collection { controls, plan }) => {
            let source = Box::new(HandlerPages { context, permitted, target, pushed: Vec::new() });
            let pages = PermittedPages { source, permit };
            Box::pin(collection::answer(context, permitted, pages, options, *controls, *plan)).await
        }
        (PreparedCall::Handler(_), _) => {
            let values = HandlerValues::of_call(&checked.values);
            Box::pin(handler_call::run(context, permit, &values)).await.map(CallOutcome::unversioned)
        }
        (PreparedCall::Http(_, prepared), RequestKind::Change { if_match }) => {
            let update = Admitted { request: permitted, permit };
            let changing = change(context, update, *prepared, read_first, if_match.as_deref());
            Box::pin(changing).await.map(CallOutcome::from)
        }
        (PreparedCall::Http(_, prepared), RequestKind::Answer | RequestKind::Preview { .. }) => {
            context.send_in_slot(permit, checked, &prepared).await.map(CallOutcome::from)
        }
    }
}

/// Answers what is built in.
async fn respond_here<'a>(
    context: &CallContext<'a>,
    permitted: &Permitted<'a>,
    built_in: &BuiltIn,
    options: &QueryOptions,
) -> Result<CallOutcome, Failure> {
    match built_in {
        BuiltIn::Introspect => {
            let origin = context.origin;
            let view = context.catalog.view_of(&origin.caller, &origin.scopes);
            let values = &permitted.checked().values;
            if values.get("query").is_some_and(|query| query == "quota_status") {
                let name = values.get("name").and_then(Value::as_str);
                let status = introspect::quota_status(&view, &context.dispatcher.limiters, name);
                return Box::pin(status).await.map(|data| CallOutcome::BuiltIn(data, Vec::new()));
            }
            let response = introspect::respond(&view, values, &origin.session);
            response
                .map(|(data, warnings)| CallOutcome::BuiltIn(data, warnings))
                .map_err(|error| failure_map::introspect(error, context.catalog))
        }
        BuiltIn::QueryRelationships => {
            let response = Box::pin(relationships::respond(context, permitted, options.budget)).await;
            response.map(|(data, warnings)| CallOutcome::Collected(data, warnings))
        }
        BuiltIn::GetExecution => {
            let (data, warnings) = Box::pin(executions::get(context, permitted.checked())).await?;
            context.warn(warnings);
            Ok(CallOutcome::unversioned(data))
        }
        BuiltIn::CancelExecution => {
            let response = Box::pin(executions::cancel(context, permitted.checked())).await;
            response.map(|(data, warnings)| CallOutcome::BuiltIn(data, warnings))
        }
        BuiltIn::RetryExecution => {
            let response = Box::pin(executions::retry(context, permitted.checked())).await;
            response.map(|(data, warnings)| CallOutcome::BuiltIn(data, warnings))
        }
        // A list is a collection, whatever is asked of it.
        BuiltIn::ListExecutions => Err(wording::internal("a list that is none")),
    }
}

/// Sends a change: merged into what is read first, where something is, and with the version that it demands.
async fn change<'a>(
    context: &CallContext<'a>,
    update: Admitted<'a, &Permitted<'a>>,
    mut prepared: PreparedRequest<'a>,
    read_first: Option<Admitted<'a, ReadFirst<'a>>>,
    if_match: Option<&str>,
) -> Result<UpstreamResponse, Failure> {
    let checked = update.request.checked();
    if let Some(Admitted { request: read, permit }) = read_first {
        let reading = Admitted { request: &read, permit };
        let merged = update::merge(context, checked, reading, prepared, if_match).await?;
        return merged.write(context, update, &read).await;
    }
    update::demand(&mut prepared, if_match, checked)?;
    context.send_in_slot(update.permit, checked, &prepared).await
}
