//! What a server may say or ask of its own accord: progress, a changed list of tools, a question to a person.
//!
//! Offered to servers: forms for elicitation. Not offered: sampling, roots, pages to open.

use crate::in_flight::InFlight;
use aqueduct_operations::handler::{Answered, Question};
use rmcp::model::{
    ClientCapabilities, ClientConfig, CustomRequest, CustomResult, ElicitRequestParams, ElicitResult,
    ElicitationAction, ErrorCode, ErrorData, Implementation, ProgressNotificationParam,
};
use rmcp::service::{InboundStreamOrigin, NotificationContext, RequestContext};
use rmcp::{ClientHandler, RoleClient};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::sync::Notify;

/// Hears what a server says.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ears {
    /// The calls under way.
    pub(crate) in_flight: Arc<InFlight>,
    /// Is told that the tools have changed.
    pub(crate) changed: Arc<Notify>,
}

impl Ears {
    async fn ask(&self, context: &RequestContext<RoleClient>, question: Question) -> Answered {
        let within = match context.extensions.get::<InboundStreamOrigin>() {
            Some(InboundStreamOrigin::OutboundRequest(id)) => Some(id),
            _ => None,
        };
        tokio::select! {
            answered = self.in_flight.question(within, question) => answered,
            () = context.ct.cancelled() => Answered::Cancelled,
        }
    }
}

impl ClientHandler for Ears {
    fn get_info(&self) -> ClientConfig {
        let capabilities = ClientCapabilities::builder().enable_elicitation().build();
        ClientConfig::new(capabilities, Implementation::new("aqueduct", env!("CARGO_PKG_VERSION")))
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.changed.notify_one();
    }

    async fn on_progress(&self, told: ProgressNotificationParam, _context: NotificationContext<RoleClient>) {
        self.in_flight.progress(told);
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
        Ok(match self.ask(&context, Question { message, schema }).await {
            Answered::Accepted(content) => ElicitResult::new(ElicitationAction::Accept).with_content(content),
            Answered::Declined => ElicitResult::new(ElicitationAction::Decline),
            Answered::Cancelled => ElicitResult::new(ElicitationAction::Cancel),
        })
    }

    /// A question whose schema the SDK cannot read is still a question.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleClient>,
    ) -> Result<CustomResult, ErrorData> {
        let question = request.params.as_ref().and_then(question);
        match question.filter(|_| request.method == "elicitation/create") {
            Some(question) => Ok(CustomResult::new(answer(self.ask(&context, question).await))),
            None => Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None)),
        }
    }
}

/// The question in the parameters of `elicitation/create`; none for a page to open.
pub(crate) fn question(params: &Value) -> Option<Question> {
    let message = params.get("message").and_then(Value::as_str)?.to_owned();
    let schema = params.get("requestedSchema")?.clone();
    Some(Question { message, schema })
}

/// The result of `elicitation/create`.
pub(crate) fn answer(answered: Answered) -> Value {
    match answered {
        Answered::Accepted(content) => json!({"action": "accept", "content": content}),
        Answered::Declined => json!({"action": "decline"}),
        Answered::Cancelled => json!({"action": "cancel"}),
    }
}
