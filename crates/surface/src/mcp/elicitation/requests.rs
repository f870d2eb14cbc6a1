//! Puts questions to a client by requests of the server, `elicitation/create` (MCP up to 2025-11-25).
//!
//! The questions of a running call in; its answer out. A question that no one needs the answer of any more is withdrawn,
//! and the call's own answer comes after the last of them. One with a life of its own goes on after the call.

use super::{ANSWER_TIMEOUT, PendingQuestion, QuestionLifetime, answered};
use aqueduct_operations::handler::ElicitResponse;
use futures::StreamExt;
use futures::stream::FuturesUnordered;
use rmcp::RoleServer;
use rmcp::model::{ClientResult, CustomRequest, ServerRequest};
use rmcp::service::{Peer, PeerRequestOptions, RequestHandle, ServiceError};
use serde_json::json;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// Puts the questions of this call to the client until the call is over. From `closing` on no person is asked, since no
/// answer would be heard.
pub async fn ask_while<T>(
    mut questions: mpsc::Receiver<PendingQuestion>,
    call: impl Future<Output = T>,
    peer: &Peer<RoleServer>,
    closing: &CancellationToken,
) -> T {
    let over = closing.child_token();
    let mut call = std::pin::pin!(call);
    let mut open = FuturesUnordered::new();
    let outcome = loop {
        tokio::select! {
            biased;
            Some(pending) = questions.recv() => open.push(put(pending, peer, closing, &over)),
            Some(()) = open.next() => {}
            outcome = &mut call => break outcome,
        }
    };
    over.cancel();
    while let Some(()) = open.next().await {}
    outcome
}

async fn put(
    pending: PendingQuestion,
    peer: &Peer<RoleServer>,
    closing: &CancellationToken,
    over: &CancellationToken,
) {
    if over.is_cancelled() {
        return pending.answered(ElicitResponse::Cancelled);
    }
    // The SDK's own type knows fewer members of a schema than the world does. Without a mode it is a form, in all versions.
    let params = json!({"message": pending.question.message, "requestedSchema": pending.question.schema});
    let request = ServerRequest::CustomRequest(CustomRequest::new("elicitation/create", Some(params)));
    let sent = match peer.send_cancellable_request(request, PeerRequestOptions::no_options()).await {
        Ok(sent) => sent,
        Err(error) => {
            tracing::debug!(target: "aqueduct::call", %error, "a question does not reach the client");
            return pending.answered(ElicitResponse::Cancelled);
        }
    };
    match pending.life {
        QuestionLifetime::OfItsCall => receive(pending, sent, over).await,
        // Only the sending has to be done by the task of the request.
        QuestionLifetime::ItsOwn => {
            let closing = closing.clone();
            tokio::spawn(async move { receive(pending, sent, &closing).await });
        }
    }
}

/// Waits for the answer to a question that was sent, or withdraws it.
async fn receive(
    mut pending: PendingQuestion,
    mut sent: RequestHandle<RoleServer>,
    over: &CancellationToken,
) {
    let response = tokio::select! {
        biased;
        response = &mut sent.rx => Some(response),
        () = pending.answer.closed() => None,
        () = over.cancelled() => None,
        () = tokio::time::sleep(ANSWER_TIMEOUT) => None,
    };
    match response {
        Some(response) => pending.answered(response.map_or(ElicitResponse::Cancelled, read_response)),
        None => {
            pending.answered(ElicitResponse::Cancelled);
            if let Err(error) = sent.cancel(Some("The answer is no longer needed".to_owned())).await {
                tracing::debug!(target: "aqueduct::call", %error, "a question could not be withdrawn");
            }
        }
    }
}

fn read_response(response: Result<ClientResult, ServiceError>) -> ElicitResponse {
    match response {
        Ok(ClientResult::ElicitResult(result)) => answered(result),
        Ok(_) => ElicitResponse::Cancelled,
        Err(error) => {
            tracing::debug!(target: "aqueduct::call", %error, "the client does not pass on a question");
            ElicitResponse::Cancelled
        }
    }
}
