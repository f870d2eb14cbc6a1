//! What a server may say or ask of its own accord: progress, a changed list of tools, a question to a person.
//!
//! Offered to servers: forms for elicitation. Not offered: sampling, roots, pages to open. Whatever a person is shown
//! says who asks, and holds neither secrets of the server nor characters that disguise.

use crate::in_flight::CallsInFlight;
use aqueduct_egress::redact::Redactor;
use aqueduct_operations::failure::wording;
use aqueduct_operations::handler::{ElicitRequest, ElicitResponse};
use aqueduct_operations::sanitize;
use rmcp::model::{
    ClientCapabilities, ClientConfig, CustomRequest, CustomResult, ElicitRequestParams, ElicitResult,
    ElicitationAction, ErrorCode, ErrorData, Implementation, ProgressNotificationParam,
};
use rmcp::service::{InboundStreamOrigin, NotificationContext, RequestContext};
use rmcp::{ClientHandler, RoleClient};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::sync::Notify;

/// The longest question, and the longest word on one of its fields.
const LONGEST_QUESTION: usize = 2_000;

/// Hears what a server says.
#[derive(Debug, Clone)]
pub(crate) struct ServerEvents {
    server: Arc<str>,
    redactor: Arc<Redactor>,
    /// There may be somebody to ask.
    pub(crate) offers_elicitation: bool,
    /// The calls in flight.
    pub(crate) in_flight: Arc<CallsInFlight>,
    /// Notified that the tools have changed.
    pub(crate) changed: Arc<Notify>,
}

impl ServerEvents {
    /// Hears this server, of which this is redactor.
    pub(crate) fn new(server: &str, redactor: Arc<Redactor>) -> ServerEvents {
        ServerEvents {
            server: server.into(),
            redactor,
            offers_elicitation: true,
            in_flight: Arc::default(),
            changed: Arc::default(),
        }
    }

    async fn ask(&self, context: &RequestContext<RoleClient>, question: ElicitRequest) -> ElicitResponse {
        let within = match context.extensions.get::<InboundStreamOrigin>() {
            Some(InboundStreamOrigin::OutboundRequest(id)) => Some(id),
            _ => None,
        };
        if within.is_none() && self.in_flight.is_shared() {
            tracing::warn!(
                target: "aqueduct::mcp",
                server = &*self.server,
                "a question is declined: the server works for several sessions, and does not say whom it asks"
            );
        }
        tokio::select! {
            answered = self.in_flight.question(within, question) => answered,
            () = context.ct.cancelled() => ElicitResponse::Cancelled,
        }
    }
}

impl ClientHandler for ServerEvents {
    fn get_info(&self) -> ClientConfig {
        let capabilities = if self.offers_elicitation {
            ClientCapabilities::builder().enable_elicitation().build()
        } else {
            ClientCapabilities::default()
        };
        ClientConfig::new(capabilities, Implementation::new("aqueduct", env!("CARGO_PKG_VERSION")))
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.changed.notify_one();
    }

    async fn on_progress(
        &self,
        mut progress: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        progress.message = progress.message.map(|message| self.redactor.line(&message));
        self.in_flight.progress(progress);
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::FormElicitationParams { message, requested_schema, .. } = request else {
            return Ok(ElicitResult::new(ElicitationAction::Decline));
        };
        let schema = serde_json::to_value(requested_schema)
            .map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
        let answered =
            self.ask(&context, elicit_request(&self.server, &self.redactor, &message, schema)).await;
        serde_json::from_value(answer(answered))
            .map_err(|error| ErrorData::internal_error(error.to_string(), None))
    }

    /// A question whose schema the SDK cannot read is still a question.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleClient>,
    ) -> Result<CustomResult, ErrorData> {
        let question = request.params.as_ref().and_then(|it| question(&self.server, &self.redactor, it));
        match question.filter(|_| request.method == "elicitation/create") {
            Some(question) => Ok(CustomResult::new(answer(self.ask(&context, question).await))),
            None => Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None)),
        }
    }
}

/// The question in the parameters of `elicitation/create`; none for a page to open.
pub(crate) fn question(server: &str, redactor: &Redactor, params: &Value) -> Option<ElicitRequest> {
    let message = params.get("message").and_then(Value::as_str)?;
    Some(elicit_request(server, redactor, message, params.get("requestedSchema")?.clone()))
}

/// The question as a person may see it: who asks comes first.
fn elicit_request(server: &str, redactor: &Redactor, message: &str, mut schema: Value) -> ElicitRequest {
    let words = shown(redactor, message);
    redact_schema(redactor, &mut schema);
    ElicitRequest { message: format!("The MCP server '{server}' asks: {words}"), schema }
}

fn shown(redactor: &Redactor, text: &str) -> String {
    wording::shortened(&sanitize::one_line(&redactor.data(text)), LONGEST_QUESTION)
}

/// Cleans the words on the fields; names and values stay, for the answer has to hold them.
fn redact_schema(redactor: &Redactor, schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(|item| redact_schema(redactor, item)),
        Value::Object(members) => {
            for (key, member) in members {
                match member {
                    Value::String(text) if matches!(key.as_str(), "title" | "description") => {
                        *text = shown(redactor, text);
                    }
                    Value::Array(names) if key == "enumNames" => {
                        for name in names.iter_mut().filter(|name| name.is_string()) {
                            *name = shown(redactor, name.as_str().unwrap_or_default()).into();
                        }
                    }
                    member => redact_schema(redactor, member),
                }
            }
        }
        _ => {}
    }
}

/// The result of `elicitation/create`.
pub(crate) fn answer(answered: ElicitResponse) -> Value {
    match answered {
        ElicitResponse::Accepted(content) => json!({"action": "accept", "content": content}),
        ElicitResponse::Declined => json!({"action": "decline"}),
        ElicitResponse::Cancelled => json!({"action": "cancel"}),
    }
}

#[cfg(test)]
mod tests;
