//! The code behind an operation that is a tool: the tool is called by its own name, with the arguments as they come.
//!
//! It can be made before the server is connected. The call runs on the clients' thread; dropping the future ends it
//! there and tells the server. A tool that asks questions is called again with the answers: these rounds go by one permit, which
//! lives as long as they do, and each of them asks the limits.

use crate::connection::RequestError;
use crate::in_flight::{InFlightGuard, InFlightOrigin};
use crate::server::ServerSupervisor;
use crate::server_events;
use crate::tool_result;
use aqueduct_operations::digest::Digest;
use aqueduct_operations::handler::{Boxed, ElicitResponse, Envelope, Handler, HandlerCall, HandlerError};
use aqueduct_operations::mcp::ServerListing;
use aqueduct_operations::rate_limits::metering::MeteredRequests;
use aqueduct_operations::size::{LARGE, is_large};
use rmcp::model::{CallToolRequestParams, ErrorCode, ErrorData, InputResponses};
use serde_json::{Map, Value, json};
use std::fmt::Debug;
use std::sync::Arc;
use tokio::runtime;
use tokio_util::task::AbortOnDropHandle;

/// How often a server may ask for more before a call is given up.
const MOST_ROUNDS: usize = 16;

/// How a tool appears as an operation.
#[derive(Debug, Clone, Default)]
pub struct ToolCall {
    /// The tool's own name.
    pub tool: String,
    /// Looks at what the server offers now, before each call.
    pub check: Option<Arc<dyn ToolCheck>>,
    /// Structured content is fitted to what the tool declares of it: undeclared properties go, defaults come. For programs that
    /// put results together; what is served to others passes on as it came.
    pub fits_output: bool,
}

/// Decides whether a tool may be called as it is offered now.
pub trait ToolCheck: Debug + Send + Sync {
    /// Refuses it with an error.
    fn check(&self, listing: &ServerListing) -> Result<(), HandlerError>;
}

/// Calls a tool.
#[derive(Debug)]
pub(crate) struct ToolHandler {
    server: Arc<ServerSupervisor>,
    runtime: runtime::Handle,
    call: ToolCall,
}

impl ToolHandler {
    pub(crate) fn new(
        server: Arc<ServerSupervisor>,
        runtime: runtime::Handle,
        call: ToolCall,
    ) -> ToolHandler {
        ToolHandler { server, runtime, call }
    }
}

impl Handler for ToolHandler {
    fn run<'a>(&'a self, run: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        let params = CallToolRequestParams::new(self.call.tool.clone()).with_arguments(run.values.clone());
        let person = (run.session().clone(), run.caller().clone());
        let origin = InFlightOrigin { person, listener: run.listener.clone(), asker: run.asker.clone() };
        let server = Arc::clone(&self.server);
        let check = self.call.check.clone();
        let requests = run.requests().clone();
        Box::pin(async move {
            let task =
                AbortOnDropHandle::new(self.runtime.spawn(call(server, params, origin, check, requests)));
            let result = task.await.unwrap_or_else(|_| Err(closed(&self.server)));
            // All rounds of questions go by this one permit: it is held until the last of them is over.
            drop(run);
            if !is_large_result(&result) {
                return to_envelope(&self.server, &self.call, result);
            }
            // The thread that serves connections goes on serving.
            let (server, call) = (Arc::clone(&self.server), self.call.clone());
            let to_envelope = self.runtime.spawn_blocking(move || to_envelope(&server, &call, result));
            to_envelope.await.unwrap_or_else(|_| Err(closed(&self.server)))
        })
    }

    fn preview(&self, values: &Map<String, Value>) -> Value {
        json!({
            "server": self.server.config().name,
            "method": "tools/call",
            "params": {"name": self.call.tool, "arguments": values},
        })
    }

    fn identity(&self) -> Option<Digest> {
        Some(self.server.config().identity())
    }
}

/// True when there is much to look through for secrets.
fn is_large_result(result: &Result<Value, HandlerError>) -> bool {
    match result {
        Ok(value) => is_large(value, LARGE),
        Err(HandlerError::Failed { message, details }) => {
            message.len() > LARGE || details.as_ref().is_some_and(|details| is_large(details, LARGE))
        }
        Err(error) => error.to_string().len() > LARGE,
    }
}

/// The envelope of a result, without the server's secrets.
fn to_envelope(
    server: &ServerSupervisor,
    call: &ToolCall,
    result: Result<Value, HandlerError>,
) -> Result<Envelope, HandlerError> {
    let mut result = result.map_err(|error| redact_error(server, error))?;
    server.redactor.value(&mut result);
    if let (true, Some(listing)) = (call.fits_output, server.listing()) {
        tool_result::fit(&mut result, &listing, &call.tool);
    }
    let operation_id = format!("{}.{}", server.config().name, call.tool);
    Ok(tool_result::envelope(result, &operation_id, server.settings.parse_json_text))
}

/// Calls the tool, and again with answers for as long as the server asks for more.
async fn call(
    server: Arc<ServerSupervisor>,
    mut params: CallToolRequestParams,
    origin: InFlightOrigin,
    check: Option<Arc<dyn ToolCheck>>,
    requests: MeteredRequests,
) -> Result<Value, HandlerError> {
    let connection = server.connection().await?;
    // A connected server has listed its tools.
    if let (Some(check), Some(listing)) = (check, server.listing()) {
        check.check(&listing)?;
    }
    let guard = connection.in_flight.enter(origin);
    for round in 0..MOST_ROUNDS {
        // The first has begun with the run.
        if round > 0 {
            requests.begin().await.map_err(HandlerError::Limited)?;
        }
        let result = connection.call(params.clone(), &guard, server.config().timeout).await;
        let result = result.map_err(|error| explain(&server, error))?;
        if result.get("resultType").is_none_or(|kind| kind != "input_required") {
            return Ok(result);
        }
        requests.end(Some(&result));
        params.input_responses = Some(responses(&server, &result, &guard).await?);
        params.request_state = result.get("requestState").and_then(Value::as_str).map(str::to_owned);
    }
    Err(failed(format!("The MCP server '{}' asks for more again and again.", server.config().name)))
}

/// Answers what the server asks for; without a person to ask it declines.
async fn responses(
    server: &ServerSupervisor,
    result: &Value,
    guard: &InFlightGuard<'_>,
) -> Result<InputResponses, HandlerError> {
    let mut responses = InputResponses::new();
    for (key, request) in result.get("inputRequests").and_then(Value::as_object).into_iter().flatten() {
        let method = request.get("method").and_then(Value::as_str).unwrap_or_default();
        if method != "elicitation/create" {
            let name = &server.config().name;
            return Err(failed(format!(
                "The MCP server '{name}' asks for '{method}', which is not offered to it."
            )));
        }
        let question = request.get("params");
        let question =
            question.and_then(|it| server_events::question(&server.config().name, &server.redactor, it));
        let answered = match question {
            Some(question) => guard.ask(question).await,
            None => ElicitResponse::Declined,
        };
        responses.insert(key.clone(), server_events::answer(answered));
    }
    Ok(responses)
}

fn explain(server: &ServerSupervisor, error: RequestError) -> HandlerError {
    let name = &server.config().name;
    match error {
        RequestError::Server(error) => server_error(error),
        RequestError::TimedOut(wait) => {
            HandlerError::TimedOut { milliseconds: wait.as_millis().try_into().unwrap_or(u64::MAX) }
        }
        RequestError::Lost => failed(format!(
            "The MCP server '{name}' ended during the call, which may or may not have been carried out. It is being \
             restarted."
        )),
        RequestError::Unreachable => HandlerError::Unavailable {
            message: format!("The MCP server '{name}' cannot be reached. It is being tried again."),
        },
        RequestError::Transport(words) => failed(format!("The MCP server '{name}' gave no answer: {words}.")),
    }
}

/// The same without the server's secrets.
fn redact_error(server: &ServerSupervisor, mut error: HandlerError) -> HandlerError {
    let redactor = &server.redactor;
    match &mut error {
        HandlerError::Refused { message }
        | HandlerError::NotFound { message }
        | HandlerError::Conflict { message }
        | HandlerError::Invalid { message, .. } => redactor.string(message),
        HandlerError::Failed { message, details } => {
            redactor.string(message);
            details.iter_mut().for_each(|details| redactor.value(details));
        }
        // Sentences of our own.
        HandlerError::Unavailable { .. }
        | HandlerError::TimedOut { .. }
        | HandlerError::Withheld { .. }
        | HandlerError::Denied { .. }
        | HandlerError::TooOften { .. }
        | HandlerError::Limited(_) => {}
    }
    error
}

/// The error that the server sent.
fn server_error(error: ErrorData) -> HandlerError {
    let message = error.message.into_owned();
    if matches!(error.code, ErrorCode::INVALID_PARAMS | ErrorCode::METHOD_NOT_FOUND) {
        return HandlerError::Refused { message };
    }
    let mut details = json!({"code": error.code.0});
    if let Some(data) = error.data {
        details["data"] = data;
    }
    HandlerError::Failed { message, details: Some(details) }
}

fn failed(message: String) -> HandlerError {
    HandlerError::Failed { message, details: None }
}

fn closed(server: &ServerSupervisor) -> HandlerError {
    HandlerError::Unavailable {
        message: format!("The MCP server '{}' has been closed.", server.config().name),
    }
}

#[cfg(test)]
mod tests;
