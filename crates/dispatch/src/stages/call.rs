//! Runs the call: sends it upstream, once or as often as the response takes, or answers it here. A request that may run comes in,
//! what came back goes out.
//!
//! `prepare` comes earlier in the pipeline: values that make no request are found before anyone is asked to confirm.

use super::gatekeep::Permitted;
use super::query_options::{ListControls, QueryOptions, RequestKind};
use super::validate::CheckedRequest;
use crate::built_in::relationships;
use crate::collection::{self, FetchedPage, HandlerPages, HttpPages, ListAnswer, PageSource};
use crate::context::CallContext;
use crate::events;
use crate::failure_map;
use crate::handler_call;
use crate::introspect;
use crate::update::{self, ReadFirst};
use aqueduct_operations::controls::Control;
use aqueduct_operations::failure::Failure;
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::reply::Warning;
use aqueduct_operations::target::{AnswerKind, BuiltIn, HandlerTarget, HttpTarget, Target};
use aqueduct_upstream::error::RequestBuildError;
use aqueduct_upstream::{PreparedRequest, Upstream, UpstreamResponse};

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

/// Makes the request, so that nobody is asked to confirm one that cannot be sent.
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

/// Runs a permitted request as it was prepared.
pub async fn call<'a>(
    context: &CallContext<'a>,
    permitted: &Permitted<'a>,
    prepared: PreparedCall<'a>,
    read_first: Option<ReadFirst<'a>>,
    options: &mut QueryOptions,
) -> Result<CallOutcome, Failure> {
    let checked = permitted.checked();
    let (target, prepared) = match prepared {
        PreparedCall::Http(target, prepared) => (target, *prepared),
        PreparedCall::Handler(target) => {
            if let RequestKind::Collection(controls) = take(options) {
                let source = HandlerPages { context, permitted, target, pushed: Vec::new() };
                return list(context, permitted, Box::new(source), options, *controls).await;
            }
            let running = handler_call::run(context, permitted.permit(), &checked.values);
            return Box::pin(running).await.map(CallOutcome::unversioned);
        }
        PreparedCall::BuiltIn(BuiltIn::Introspect) => {
            let response = introspect::respond(context.catalog, &checked.values, context.session);
            return response
                .map(|(data, warnings)| CallOutcome::BuiltIn(data, warnings))
                .map_err(failure_map::introspect);
        }
        PreparedCall::BuiltIn(BuiltIn::QueryRelationships) => {
            // On the heap, because every call would have to make room for it.
            let response = Box::pin(relationships::respond(context, permitted, options.budget)).await;
            return response.map(|(data, warnings)| CallOutcome::Collected(data, warnings));
        }
    };
    if target.answer == AnswerKind::Events {
        return Box::pin(events::listen(context, permitted, target, &prepared))
            .await
            .map(CallOutcome::unversioned);
    }
    match take(options) {
        RequestKind::Collection(controls) => {
            let source = HttpPages { context, permitted, template: prepared };
            list(context, permitted, Box::new(source), options, *controls).await
        }
        RequestKind::Change { if_match } => {
            let changing = change(context, permitted, prepared, Change { read_first, if_match });
            Box::pin(changing).await.map(CallOutcome::from)
        }
        RequestKind::Answer | RequestKind::Preview { .. } => {
            context.first(permitted, &prepared).await.map(CallOutcome::from)
        }
    }
}

/// Takes the kind of request out and leaves a plain one.
fn take(options: &mut QueryOptions) -> RequestKind {
    std::mem::replace(&mut options.kind, RequestKind::Answer)
}

/// Answers from the pages of a source, or with what came instead of a list.
async fn list<'a>(
    context: &CallContext<'a>,
    permitted: &Permitted<'a>,
    source: Box<dyn PageSource + '_>,
    options: &QueryOptions,
    controls: ListControls,
) -> Result<CallOutcome, Failure> {
    match Box::pin(collection::answer(context, permitted, source, options, controls)).await? {
        ListAnswer::Answer(data, warnings) => Ok(CallOutcome::Collected(data, warnings)),
        ListAnswer::NoList(fetched) => single(permitted.checked(), *fetched),
    }
}

/// What came is no list: controls of lists that were sent would be ignored, so they are refused.
fn single(checked: &CheckedRequest<'_>, fetched: FetchedPage) -> Result<CallOutcome, Failure> {
    let comes_in_parts = checked.entry.operation.may_be_text();
    let of_items = |control: &Control| match control {
        Control::Fields | Control::Preset | Control::Budget => false,
        // Where a long text goes on.
        Control::After => !comes_in_parts,
        _ => true,
    };
    let sent: Vec<String> = checked
        .controls
        .sent()
        .filter(of_items)
        .map(|control| control.name_on(&checked.entry.operation))
        .collect();
    if sent.is_empty() {
        Ok(CallOutcome::Single { data: fetched.data, etag: fetched.etag })
    } else {
        Err(failure_map::no_list(checked.entry, sent))
    }
}

/// How an update is written.
struct Change<'a> {
    /// The read whose answer it is merged into.
    read_first: Option<ReadFirst<'a>>,
    /// The version that it demands.
    if_match: Option<String>,
}

async fn change<'a>(
    context: &CallContext<'a>,
    permitted: &Permitted<'a>,
    mut prepared: PreparedRequest<'a>,
    Change { read_first, if_match }: Change<'a>,
) -> Result<UpstreamResponse, Failure> {
    let checked = permitted.checked();
    if let Some(read) = read_first {
        let merged = update::merge(context, checked, &read, prepared, if_match.as_deref()).await?;
        return merged.write(context, permitted, &read).await;
    }
    if let Some(version) = if_match {
        update::demand(&mut prepared, &version, checked)?;
    }
    context.first(permitted, &prepared).await
}
