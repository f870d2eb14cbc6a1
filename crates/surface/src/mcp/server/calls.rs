//! Runs a tool call to its response: progress and questions to the client on the way, and an end when it is cancelled.
//!
//! A call in; out, its reply, or what the client has to bring before it goes on. A client that sends a call again with
//! what was asked finds it where it was.

use super::{AqlServer, tool_result};
use crate::mcp::elicitation::{self, CallOwner, CallRounds, ConversationStep, ElicitationMode};
use crate::mcp::session::CallSender;
use crate::mcp::{progress, tasks};
use aqueduct_operations::call::{Call, CallOrigin, ToolEndpoint};
use aqueduct_operations::reply::Reply;
use aqueduct_operations::target::BuiltIn;
use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, CallToolResponse, ErrorData, InputResponses};
use rmcp::service::RequestContext;
use serde_json::{Map, Value, json};
use std::sync::Arc;

impl AqlServer {
    /// Runs a call of an existing tool.
    pub(super) async fn run(
        &self,
        request: CallToolRequestParams,
        endpoint: ToolEndpoint,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(CallSender { session, caller, scopes }) = self.sessions.sender_of(&context.extensions)
        else {
            return Err(ErrorData::invalid_request("The request has no sender", None));
        };
        let owner = CallOwner { session, caller, tool: request.name.into_owned() };
        if let Some(state) = request.request_state {
            let responses = request.input_responses.unwrap_or_default();
            return Box::pin(self.resume(&state, responses, &owner, context)).await;
        }
        let mut arguments = request.arguments.unwrap_or_default();
        if context.meta.get("http") == Some(&Value::Bool(true)) {
            request_http_metadata(&mut arguments);
        }
        let (listener, mut forwarder) =
            progress::token(&context.meta, &arguments).map(progress::channel).unzip();
        let asking = elicitation::mode(context).map(|mode| (mode, elicitation::channel()));
        let call = Call {
            arguments,
            origin: CallOrigin {
                endpoint,
                progress: listener,
                asker: asking.as_ref().map(|(_, (asker, _))| Arc::clone(asker)),
                ..CallOrigin::new(owner.session.clone(), owner.caller.clone(), scopes)
            },
        };
        if let Some((ElicitationMode::RoundTrips, (_, questions))) = asking {
            let dispatcher = Arc::clone(&self.dispatcher);
            let call = Box::pin(async move { dispatcher.call(call).await });
            let rounds = CallRounds::new(call, questions, forwarder);
            return Box::pin(self.converse(rounds, &owner, context)).await;
        }
        // On the heap, as what is rare: everything around it would have to make room for it, several times over.
        let running = Box::pin(self.dispatcher.call(call));
        let answered = self.until_cancelled(context, async {
            match &mut forwarder {
                Some(forwarder) => Box::pin(forwarder.while_running(running, &context.peer)).await,
                None => running.await,
            }
        });
        let reply = match asking {
            Some((_, (_, questions))) => {
                Box::pin(elicitation::ask_while(questions, answered, &context.peer, &self.closing)).await?
            }
            None => answered.await?,
        };
        self.respond(&reply, context).await
    }

    /// The answer to a call; for a client that knows tasks, a task where the call has started an execution.
    async fn respond(
        &self,
        reply: &Reply,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let knows_tasks = || context.client_capabilities().is_some_and(|client| client.supports_tasks());
        if let Some(id) = tasks::started(reply).filter(|_| knows_tasks()) {
            let state = self.ask_execution(BuiltIn::GetExecution, &id, context).await?;
            if let Some(task) = tasks::created(&state, self.dispatcher.execution_times(&id).await) {
                return Ok(task.into());
            }
        }
        Ok(tool_result(reply).into())
    }

    /// Calls a built-in operation on an execution, for the sender this request.
    pub(super) async fn ask_execution(
        &self,
        built_in: BuiltIn,
        id: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<Reply, ErrorData> {
        let Some(CallSender { session, caller, scopes }) = self.sessions.sender_of(&context.extensions)
        else {
            return Err(ErrorData::invalid_request("The request has no sender", None));
        };
        let origin = CallOrigin::new(session, caller, scopes);
        let params = json!({"execution_id": id});
        let Some(call) = self.dispatcher.catalog().built_in_call(built_in, params, origin) else {
            return Err(tasks::no_task(None));
        };
        Ok(Box::pin(self.dispatcher.call(call)).await)
    }

    /// Goes on with the call that this state stands for.
    async fn resume(
        &self,
        state: &str,
        responses: InputResponses,
        owner: &CallOwner,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(mut conversation) = self.parking.take(state, owner) else {
            let message = "This requestState is not known, was used before, or waited too long. Send the call \
                           again without it.";
            return Err(ErrorData::invalid_params(message, None));
        };
        conversation.receive(responses);
        conversation.set_progress_token(context.meta.get_progress_token());
        self.converse(conversation, owner, context).await
    }

    async fn converse(
        &self,
        mut conversation: CallRounds,
        owner: &CallOwner,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        loop {
            match self.until_cancelled(context, conversation.turn(&context.peer)).await? {
                ConversationStep::Replied(Ok(reply)) => return self.respond(&reply, context).await,
                ConversationStep::Replied(Err(_)) => {
                    return Err(ErrorData::internal_error("Internal error of the server", None));
                }
                ConversationStep::Asks => match self.parking.park(owner, conversation, &self.closing) {
                    Ok(required) => return Ok(required.into()),
                    Err(not_parked) => {
                        conversation = *not_parked;
                        conversation.cancel_questions();
                    }
                },
            }
        }
    }

    /// Drops this work when its client does not want it any more: what is answered then goes nowhere.
    async fn until_cancelled<T>(
        &self,
        context: &RequestContext<RoleServer>,
        work: impl Future<Output = T>,
    ) -> Result<T, ErrorData> {
        let over = self.sessions.over();
        tokio::select! {
            () = context.ct.cancelled() => Err(ErrorData::internal_error("The call was cancelled", None)),
            () = over.cancelled() => Err(ErrorData::internal_error("The call was cancelled", None)),
            done = work => Ok(done),
        }
    }
}

/// `_meta` may stand beside the arguments too, as MCP has it; inside they are one place.
fn request_http_metadata(arguments: &mut Map<String, Value>) {
    let meta = arguments.entry("_meta").or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(meta) = meta {
        meta.insert("http".to_owned(), Value::Bool(true));
    }
}
