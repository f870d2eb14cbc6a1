//! A call of a client without sessions (MCP 2026-07-28), which can be asked only by answering its call: with what is
//! missing, to be sent again with it.
//!
//! The running call in; out, turn by turn, its questions or its reply. Between two turns the call goes on by itself.

use super::{PendingQuestion, answered};
use crate::mcp::progress::ProgressForwarder;
use aqueduct_operations::handler::ElicitResponse;
use aqueduct_operations::reply::Reply;
use rmcp::RoleServer;
use rmcp::model::{
    ElicitRequest, ElicitRequestParams, InputRequest, InputRequests, InputResponses, ProgressToken,
};
use rmcp::service::Peer;
use std::collections::BTreeMap;
use std::pin::Pin;
use tokio::sync::mpsc;
use tokio::task::JoinError;
use tokio_util::task::AbortOnDropHandle;

type BoxedCall = Pin<Box<dyn Future<Output = Reply> + Send>>;

/// A call and what is asked on the way. Dropped, the call is cancelled and nothing was answered.
pub struct CallRounds {
    call: RunningCall,
    questions: mpsc::Receiver<PendingQuestion>,
    open: BTreeMap<String, PendingQuestion>,
    question_count: u32,
    forwarder: Option<ProgressForwarder>,
}

/// What a step of the conversation ends with.
#[derive(Debug)]
pub enum ConversationStep {
    /// The reply, unless the call panicked.
    Replied(Result<Reply, JoinError>),
    /// Questions for the person.
    Asks,
}

enum RunningCall {
    /// In the task of the request that sent it.
    Inline(BoxedCall),
    /// In a task of its own.
    Spawned(AbortOnDropHandle<Reply>),
}

impl CallRounds {
    /// Starts with a call that is not running yet.
    pub fn new(
        call: BoxedCall,
        questions: mpsc::Receiver<PendingQuestion>,
        forwarder: Option<ProgressForwarder>,
    ) -> CallRounds {
        CallRounds {
            call: RunningCall::Inline(call),
            questions,
            open: BTreeMap::new(),
            question_count: 0,
            forwarder,
        }
    }

    /// Runs until there is a reply or something to ask, passing on its progress.
    pub async fn turn(&mut self, peer: &Peer<RoleServer>) -> ConversationStep {
        let CallRounds { call, questions, open, question_count, forwarder } = self;
        let turn = async {
            loop {
                // Of those that are together in a batch, all that have come up are asked together.
                while let Ok(next) = questions.try_recv() {
                    *question_count += 1;
                    open.insert(format!("question_{question_count}"), next);
                }
                open.retain(|_, pending| !pending.answer.is_closed());
                if !open.is_empty() {
                    return ConversationStep::Asks;
                }
                tokio::select! {
                    biased;
                    reply = call.reply() => return ConversationStep::Replied(reply),
                    Some(next) = questions.recv() => {
                        *question_count += 1;
                        open.insert(format!("question_{question_count}"), next);
                    }
                }
            }
        };
        match forwarder {
            Some(forwarder) => forwarder.while_running(turn, peer).await,
            None => turn.await,
        }
    }

    /// What the client is asked. Questions that the SDK has no words for are not put.
    pub fn requests(&mut self) -> InputRequests {
        let mut requests = InputRequests::new();
        let unsupported = self.open.extract_if(.., |name, pending| {
            match serde_json::from_value(pending.question.schema.clone()) {
                Ok(requested_schema) => {
                    let message = pending.question.message.clone();
                    let form =
                        ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema };
                    requests.insert(name.clone(), InputRequest::Elicitation(ElicitRequest::new(form)));
                    false
                }
                Err(error) => {
                    tracing::warn!(target: "aqueduct::call", %error, "a question cannot be put to this client");
                    true
                }
            }
        });
        unsupported.for_each(|(_, pending)| pending.answered(ElicitResponse::Cancelled));
        requests
    }

    /// Takes the answers. Questions without one are asked again.
    pub fn receive(&mut self, mut responses: InputResponses) {
        let answers: Vec<_> = self.open.keys().filter_map(|name| responses.remove_entry(name)).collect();
        for (name, response) in answers {
            if let Some(pending) = self.open.remove(&name) {
                let result = serde_json::from_value(response);
                pending.answered(result.map_or(ElicitResponse::Cancelled, answered));
            }
        }
    }

    /// Cancels the open questions.
    pub fn cancel_questions(&mut self) {
        for (_, pending) in std::mem::take(&mut self.open) {
            pending.answered(ElicitResponse::Cancelled);
        }
    }

    /// The token for progress from now on; none for no progress.
    pub fn set_progress_token(&mut self, token: Option<ProgressToken>) {
        if let Some(forwarder) = &mut self.forwarder {
            forwarder.rename(token);
        }
    }

    /// Moves the call to a task of its own.
    pub fn detach(&mut self) {
        if let RunningCall::Inline(call) = &mut self.call {
            let call = std::mem::replace(call, Box::pin(std::future::pending()));
            self.call = RunningCall::Spawned(AbortOnDropHandle::new(tokio::spawn(call)));
        }
    }

    /// Runs the call to its end; questions are not answered.
    pub async fn run_to_end(self) {
        let CallRounds { mut call, questions, open, .. } = self;
        drop((questions, open));
        if call.reply().await.is_err() {
            tracing::debug!(target: "aqueduct::call", "a call that nobody waited for broke");
        }
    }
}

impl RunningCall {
    async fn reply(&mut self) -> Result<Reply, JoinError> {
        match self {
            RunningCall::Inline(call) => Ok(call.await),
            RunningCall::Spawned(call) => call.await,
        }
    }
}
