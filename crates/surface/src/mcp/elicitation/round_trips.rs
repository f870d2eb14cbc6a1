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
    ElicitRequest, ElicitRequestParams, ElicitResult, InputRequest, InputRequests, InputResponses,
    ProgressToken,
};
use rmcp::service::Peer;
use std::collections::BTreeMap;
use std::pin::Pin;
use tokio::sync::mpsc;
use tokio::task::JoinError;
use tokio_util::task::AbortOnDropHandle;

type BoxedCall = Pin<Box<dyn Future<Output = Reply> + Send>>;

/// A call and what is asked on the way. Dropped, the call is cancelled and nothing was answered.
pub struct Conversation {
    call: RunningCall,
    asked: mpsc::Receiver<PendingQuestion>,
    open: BTreeMap<String, PendingQuestion>,
    questions: u32,
    passing: Option<ProgressForwarder>,
}

/// Whose turn it is.
#[derive(Debug)]
pub enum ConversationStep {
    /// Nobody's: here is the reply, unless the call broke.
    Replied(Result<Reply, JoinError>),
    /// The person's.
    Asks,
}

enum RunningCall {
    /// As part of the request that sent it.
    Here(BoxedCall),
    /// On its own.
    Apart(AbortOnDropHandle<Reply>),
}

impl Conversation {
    /// The beginning of one.
    pub fn new(
        call: BoxedCall,
        asked: mpsc::Receiver<PendingQuestion>,
        passing: Option<ProgressForwarder>,
    ) -> Conversation {
        Conversation { call: RunningCall::Here(call), asked, open: BTreeMap::new(), questions: 0, passing }
    }

    /// Runs until there is a reply or something to ask, passing on how far it is.
    pub async fn turn(&mut self, peer: &Peer<RoleServer>) -> ConversationStep {
        let Conversation { call, asked, open, questions, passing } = self;
        let turn = async {
            loop {
                // Of those that are together in a batch, all that have come up are asked together.
                while let Ok(next) = asked.try_recv() {
                    *questions += 1;
                    open.insert(format!("question_{questions}"), next);
                }
                open.retain(|_, asked| !asked.is_given_up());
                if !open.is_empty() {
                    return ConversationStep::Asks;
                }
                tokio::select! {
                    biased;
                    reply = call.reply() => return ConversationStep::Replied(reply),
                    Some(next) = asked.recv() => {
                        *questions += 1;
                        open.insert(format!("question_{questions}"), next);
                    }
                }
            }
        };
        match passing {
            Some(passing) => passing.while_running(turn, peer).await,
            None => turn.await,
        }
    }

    /// What the client is asked. Questions that the SDK has no words for are not put.
    pub fn requests(&mut self) -> InputRequests {
        let mut requests = InputRequests::new();
        let mut unspeakable = Vec::new();
        for (name, asked) in &self.open {
            match serde_json::from_value(asked.question.schema.clone()) {
                Ok(requested_schema) => {
                    let message = asked.question.message.clone();
                    let form =
                        ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema };
                    requests.insert(name.clone(), InputRequest::Elicitation(ElicitRequest::new(form)));
                }
                Err(error) => {
                    tracing::warn!(target: "aqueduct::call", %error, "a question cannot be put to this client");
                    unspeakable.push(name.clone());
                }
            }
        }
        for name in unspeakable {
            if let Some(asked) = self.open.remove(&name) {
                asked.answered(ElicitResponse::Cancelled);
            }
        }
        requests
    }

    /// Takes the answers. What is not among them will be asked again.
    pub fn hear(&mut self, mut responses: InputResponses) {
        let answers: Vec<_> = self.open.keys().filter_map(|name| responses.remove_entry(name)).collect();
        for (name, response) in answers {
            let answer =
                serde_json::from_value::<ElicitResult>(response).map_or(ElicitResponse::Cancelled, answered);
            if let Some(asked) = self.open.remove(&name) {
                asked.answered(answer);
            }
        }
    }

    /// Nobody answers what is open.
    pub fn nobody_answers(&mut self) {
        for (_, asked) in std::mem::take(&mut self.open) {
            asked.answered(ElicitResponse::Cancelled);
        }
    }

    /// Under which name to tell from now on how far it is, if at all.
    pub fn told_as(&mut self, token: Option<ProgressToken>) {
        if let Some(passing) = &mut self.passing {
            passing.rename(token);
        }
    }

    /// From here on the call needs nobody to wait for it.
    pub fn let_go(&mut self) {
        if let RunningCall::Here(call) = &mut self.call {
            let call = std::mem::replace(call, Box::pin(std::future::pending()));
            self.call = RunningCall::Apart(AbortOnDropHandle::new(tokio::spawn(call)));
        }
    }

    /// Runs to its end, whatever that is; whoever is asked on the way is not there.
    pub async fn end_alone(self) {
        let Conversation { mut call, asked, open, .. } = self;
        drop((asked, open));
        if call.reply().await.is_err() {
            tracing::debug!(target: "aqueduct::call", "a call that nobody waited for broke");
        }
    }
}

impl RunningCall {
    async fn reply(&mut self) -> Result<Reply, JoinError> {
        match self {
            RunningCall::Here(call) => Ok(call.await),
            RunningCall::Apart(call) => call.await,
        }
    }
}
