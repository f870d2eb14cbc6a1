//! Sends what is asked of a job: its state, its end, another try. Each is an operation of the same source, with its own permit.
//!
//! A step and what is known of the job in; its answer out. What no one asked for is never confirmed (purpose `follow`); what a caller
//! asks for may be (purpose `step`); what an operator does is (purpose `operator`).

use super::index::{Starter, StatusReader};
use super::observation;
use crate::built_in::relationships::LinkReader;
use crate::context::{CallContext, FreshnessNeed};
use crate::failure_map;
use crate::handler_call;
use crate::stages::call::{self, PreparedCall};
use crate::stages::gatekeep::{self, Admitted, Permitted};
use crate::stages::validate::CheckedRequest;
use aqueduct_operations::failure::{Code, Failure, wording};
use aqueduct_operations::gatekeeper::{ConfirmedCall, Permit, Purpose};
use aqueduct_operations::handler::HandlerValues;
use aqueduct_operations::lifecycle::{JobIdentifier, LifecycleStep, StatusSource};
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::response::FieldPath;
use aqueduct_upstream::{LinkError, Upstream};
use serde_json::{Map, Value};

/// What a job answers.
pub struct JobAnswer {
    pub data: Value,
    /// The status, when it came over HTTP.
    pub status: Option<u16>,
    headers: Vec<(String, String)>,
    /// Where its state is told from now on.
    pub location: Option<Result<String, LinkError>>,
}

impl JobAnswer {
    /// The identifier that it names.
    pub fn identifier(&self, place: &JobIdentifier) -> Option<Value> {
        match place {
            JobIdentifier::Path(path) => observation::identifier(observation::at(&self.data, path)),
            JobIdentifier::Header(name) => {
                let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
                found.and_then(|(_, value)| observation::identifier(Some(&Value::from(value.trim()))))
            }
        }
    }
}

/// Sends a permitted request, and reads all of its answer.
pub async fn run<'a>(
    context: &CallContext<'a>,
    request: &Permitted<'a>,
    permit: Permit<'a>,
    prepared: PreparedCall<'a>,
) -> Result<JobAnswer, Failure> {
    let checked = request.checked();
    match prepared {
        PreparedCall::Http(_, prepared) => {
            let _slot = context.slot(permit.record(), permit.record().values(), "Under way").await;
            // The state of a job is never a cached one.
            let response = context.send(permit, checked, &prepared, FreshnessNeed::FromUpstream).await?;
            let location = response.header("location").map(|link| prepared.resolve(link));
            Ok(JobAnswer {
                data: parsed(response.data.as_str()),
                status: Some(response.status),
                headers: response.headers,
                location,
            })
        }
        PreparedCall::Handler(_) => {
            let values = HandlerValues::of_call(&checked.values);
            let data = handler_call::run(context, permit, &values).await?;
            Ok(JobAnswer { data: parsed(data.as_str()), status: None, headers: Vec::new(), location: None })
        }
        PreparedCall::BuiltIn(_) => Err(wording::internal("what is built in is no step of a job")),
    }
}

/// Asks a job for its state.
pub async fn ask_state<'a>(
    context: &CallContext<'a>,
    starter: &'a Starter,
    known: &Map<String, Value>,
) -> Result<JobAnswer, Failure> {
    let by = context.catalog.placed(starter.entry);
    match (&starter.status, &starter.lifecycle.status) {
        (StatusReader::Operation(place), StatusSource::Operation(step)) => {
            let entry = context.catalog.placed(*place);
            follow(context, by, entry, step, Purpose::Follow, known).await
        }
        (StatusReader::Location(entry), _) => ask_location(context, by, entry, known).await,
        (StatusReader::Operation(_), StatusSource::Location) => {
            Err(wording::internal("the lifecycle has changed"))
        }
    }
}

async fn ask_location<'a>(
    context: &CallContext<'a>,
    by: &RegistryEntry,
    entry: &'a RegistryEntry,
    known: &Map<String, Value>,
) -> Result<JobAnswer, Failure> {
    let Some(link) = known.get("location").and_then(Value::as_str) else { return Err(unknown(by)) };
    let checked = CheckedRequest::subrequest(entry, Map::new());
    let unbuildable = |error| failure_map::unbuildable(error, entry);
    let prepared = Upstream::prepare(&entry.operation, &checked.values).map_err(unbuildable)?;
    let prepared = prepared.follow(link).map_err(|error| bad_location(&error, by))?;
    let admitted = gatekeep::gatekeep_subrequest(context, checked, Purpose::Follow, by).await?;
    let Admitted { request, permit } = admitted;
    let _slot = context.slot(permit.record(), permit.record().values(), "Under way").await;
    let response = context.send(permit, request.checked(), &prepared, FreshnessNeed::FromUpstream).await?;
    let data = parsed(response.data.as_str());
    Ok(JobAnswer { data, status: Some(response.status), headers: response.headers, location: None })
}

/// Sends a step that no call asks for: no one does, or an operator.
pub async fn follow<'a>(
    context: &CallContext<'a>,
    by: &RegistryEntry,
    entry: &'a RegistryEntry,
    step: &LifecycleStep,
    purpose: Purpose,
    known: &Map<String, Value>,
) -> Result<JobAnswer, Failure> {
    let checked = CheckedRequest::subrequest(entry, values(step, entry, by, known)?);
    let prepared = call::prepare(&checked).map_err(|error| failure_map::unbuildable(error, entry))?;
    let Admitted { request, permit } = gatekeep::gatekeep_subrequest(context, checked, purpose, by).await?;
    run(context, &request, permit, prepared).await
}

/// A step that a caller has asked for, and that may be sent.
pub struct PermittedStep<'a> {
    request: Permitted<'a>,
    permit: Permit<'a>,
    prepared: PreparedCall<'a>,
    /// What it was confirmed by, which is told of its end.
    pub confirmed: Option<ConfirmedCall>,
}

/// Asks the gate for a step of a call, with the token that came with the call.
pub async fn permit<'a>(
    context: &CallContext<'a>,
    call: &CheckedRequest<'_>,
    entry: &'a RegistryEntry,
    step: &LifecycleStep,
    known: &Map<String, Value>,
) -> Result<PermittedStep<'a>, Failure> {
    let mut checked = CheckedRequest::subrequest(entry, values(step, entry, call.entry, known)?);
    (checked.token, checked.approver) = (call.token.clone(), call.approver);
    let prepared = call::prepare(&checked).map_err(|error| failure_map::unbuildable(error, entry))?;
    let (Admitted { request, permit }, confirmed) =
        gatekeep::gatekeep_step(context, checked, &prepared, call.entry).await?;
    Ok(PermittedStep { request, permit, prepared, confirmed })
}

impl<'a> PermittedStep<'a> {
    /// Sends it.
    pub async fn send(
        self,
        context: &CallContext<'a>,
    ) -> (Result<JobAnswer, Failure>, Option<ConfirmedCall>) {
        let PermittedStep { request, permit, prepared, confirmed } = self;
        (run(context, &request, permit, prepared).await, confirmed)
    }
}

/// The parameters of a step.
pub fn values(
    step: &LifecycleStep,
    entry: &RegistryEntry,
    by: &RegistryEntry,
    known: &Map<String, Value>,
) -> Result<Map<String, Value>, Failure> {
    let paths =
        step.params.iter().filter_map(|(name, value)| Some((name.clone(), FieldPath::parse(&value.text())?)));
    let paths: Vec<(String, FieldPath)> = paths.collect();
    let look = |path: &FieldPath| known.get(&path.to_string()).map(|value| vec![value]);
    let requests = LinkReader::of(0, &paths).requests(&entry.operation, look);
    requests.ok().and_then(|requests| requests.into_iter().next()).ok_or_else(|| unknown(by))
}

fn unknown(by: &RegistryEntry) -> Failure {
    let message = format!(
        "'{}' cannot ask about its job: its API has not named one in the place where the adapter looks for it.",
        by.public_name
    );
    Failure::new(Code::ProtocolInvalidMapping, message).with("operation", by.public_name.as_str())
}

/// The address of a job that leads elsewhere.
pub fn bad_location(error: &LinkError, by: &RegistryEntry) -> Failure {
    let message = format!(
        "The API of '{}' named an address of its job on another origin or outside of its own paths, which is not used.",
        by.public_name
    );
    Failure::new(Code::PermissionDenied, message).with("operation", by.public_name.as_str()).caused_by(error)
}

/// A response is sound JSON, so this reads it.
fn parsed(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or(Value::Null)
}
