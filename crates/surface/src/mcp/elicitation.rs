//! Questions to the person behind a call, on their way from whatever runs it to the client that sent it.
//!
//! An `Elicitor` for the call on one end, the questions on the other. They are put to the client by the task of the request
//! itself: only there does the SDK know on which stream it came. `requests` puts them to clients of the versions with
//! sessions, `round_trips` to those without, whose calls `parking` keeps meanwhile.

mod parking;
mod requests;
mod round_trips;

use aqueduct_operations::handler::{Boxed, ElicitRequest, ElicitResponse, Elicitor};
use rmcp::RoleServer;
use rmcp::model::{ElicitResult, ElicitationAction, ProtocolVersion};
use rmcp::service::RequestContext;
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};

pub use parking::{CallOwner, ParkedCalls};
pub use requests::ask_while;
pub use round_trips::{CallRounds, ConversationStep};

/// How long an answer may take. Anyone who has not answered by then is taken to have gone away.
pub const ANSWER_TIMEOUT: Duration = Duration::from_secs(5 * 60);

/// Questions that may wait to be put; further ones wait.
const WAITING: usize = 16;

/// How a client can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElicitationMode {
    /// By a request of the server, while the call goes on.
    Requests,
    /// By an answer that says what is missing; the client then sends the call again.
    RoundTrips,
}

/// How the client behind this request can be asked; none when it has not said that it can.
pub fn mode(context: &RequestContext<RoleServer>) -> Option<ElicitationMode> {
    let declared = context.client_capabilities()?.elicitation?;
    // An empty declaration is from before there was anything else than forms.
    if declared.form.is_none() && declared.url.is_some() {
        return None;
    }
    let has_sessions = context.protocol_version()? < ProtocolVersion::V_2026_07_28;
    Some(if has_sessions { ElicitationMode::Requests } else { ElicitationMode::RoundTrips })
}

/// The elicitor of a call, and the receiver of its questions.
pub fn channel() -> (Arc<dyn Elicitor>, mpsc::Receiver<PendingQuestion>) {
    let (sender, questions) = mpsc::channel(WAITING);
    (Arc::new(QuestionSender(sender)), questions)
}

#[derive(Debug)]
struct QuestionSender(mpsc::Sender<PendingQuestion>);

impl Elicitor for QuestionSender {
    fn ask<'a>(&'a self, question: ElicitRequest) -> Boxed<'a, ElicitResponse> {
        Box::pin(self.put(question, QuestionLifetime::OfItsCall))
    }

    fn ask_apart<'a>(&'a self, question: ElicitRequest) -> Boxed<'a, ElicitResponse> {
        Box::pin(self.put(question, QuestionLifetime::ItsOwn))
    }
}

impl QuestionSender {
    async fn put(&self, question: ElicitRequest, life: QuestionLifetime) -> ElicitResponse {
        let (answer, response) = oneshot::channel();
        if self.0.send(PendingQuestion { question, life, answer }).await.is_err() {
            return ElicitResponse::Cancelled;
        }
        response.await.unwrap_or(ElicitResponse::Cancelled)
    }
}

/// How long a question stays open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum QuestionLifetime {
    /// As long as its call.
    OfItsCall,
    /// As long as the caller waits: it may belong to another call.
    ItsOwn,
}

/// A question that waits for its answer. Dropped, it was not answered.
#[derive(Debug)]
pub struct PendingQuestion {
    question: ElicitRequest,
    life: QuestionLifetime,
    answer: oneshot::Sender<ElicitResponse>,
}

impl PendingQuestion {
    fn answered(self, answered: ElicitResponse) {
        if self.answer.send(answered).is_err() {
            tracing::debug!(target: "aqueduct::call", "an answer came when nobody waited for it any more");
        }
    }
}

/// The person's answer in the client's result.
fn answered(result: ElicitResult) -> ElicitResponse {
    match result.action {
        ElicitationAction::Accept => {
            ElicitResponse::Accepted(result.content.unwrap_or_else(|| Value::Object(Map::new())))
        }
        ElicitationAction::Decline => ElicitResponse::Declined,
        _ => ElicitResponse::Cancelled,
    }
}

#[cfg(test)]
mod tests;
