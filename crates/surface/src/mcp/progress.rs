//! Passes on the progress of a call, as `notifications/progress`, to a client that gave a token for it (MCP document, section 5).
//!
//! A call that is running in, its response out; notifications go out on the way, all of them before the response.

use aqueduct_operations::progress::{Progress, ProgressListener, TOTAL};
use bytes::Bytes;
use rmcp::RoleServer;
use rmcp::model::{NumberOrString, ProgressNotificationParam, ProgressToken, RequestMetaObject};
use rmcp::service::Peer;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use tokio::sync::mpsc;

/// Steps that may wait to be sent; further ones are left out.
const WAITING: usize = 64;

/// The listener for a call, and the forwarder to its client.
pub fn channel(token: ProgressToken) -> (Arc<dyn ProgressListener>, ProgressForwarder) {
    let (sender, steps) = mpsc::channel(WAITING);
    (Arc::new(ProgressStep(sender)), ProgressForwarder { token: Some(token), steps })
}

/// The token that a request carries: where MCP has it, or where the arguments have their own metadata.
pub fn token(meta: &RequestMetaObject, arguments: &Map<String, Value>) -> Option<ProgressToken> {
    let inside = || arguments.get("_meta")?.get("progressToken").cloned();
    meta.get_progress_token().or_else(|| {
        let token: NumberOrString = serde_json::from_value(inside()?).ok()?;
        Some(ProgressToken(token))
    })
}

/// The same message with the token where MCP has it, for an SDK that looks for it there to find the stream of a call.
pub fn with_token_in_meta(message: Bytes) -> Bytes {
    if memchr::memmem::find(&message, b"progressToken").is_none() {
        return message;
    }
    let Ok(mut tree) = serde_json::from_slice::<Value>(&message) else { return message };
    let Some(token) = tree.pointer("/params/arguments/_meta/progressToken").cloned() else { return message };
    let Some(params) = tree["params"].as_object_mut() else { return message };
    let meta = params.entry("_meta").or_insert_with(|| json!({}));
    match meta.as_object_mut() {
        Some(meta) if !meta.contains_key("progressToken") => {
            _ = meta.insert("progressToken".to_owned(), token)
        }
        _ => return message,
    }
    Bytes::from(tree.to_string())
}

#[derive(Debug)]
struct ProgressStep(mpsc::Sender<Progress>);

impl ProgressListener for ProgressStep {
    fn on_progress(&self, progress: Progress) {
        if self.0.try_send(progress).is_err() {
            tracing::debug!(target: "aqueduct::call", "a step of a call was not passed on");
        }
    }
}

/// Steps on their way to a client.
pub struct ProgressForwarder {
    token: Option<ProgressToken>,
    steps: mpsc::Receiver<Progress>,
}

impl ProgressForwarder {
    /// Passes on every step of this call until it has its response.
    pub async fn while_running<T>(&mut self, call: impl Future<Output = T>, peer: &Peer<RoleServer>) -> T {
        let mut call = std::pin::pin!(call);
        loop {
            tokio::select! {
                biased;
                Some(step) = self.steps.recv() => self.send(step, peer).await,
                answer = &mut call => {
                    while let Ok(step) = self.steps.try_recv() {
                        self.send(step, peer).await;
                    }
                    return answer;
                }
            }
        }
    }

    /// Passes steps on under this token from now on; without one, not at all.
    pub fn rename(&mut self, token: Option<ProgressToken>) {
        self.token = token;
    }

    async fn send(&self, step: Progress, peer: &Peer<RoleServer>) {
        let Some(token) = &self.token else { return };
        let notification = ProgressNotificationParam::new(token.clone(), step.done)
            .with_total(TOTAL)
            .with_message(step.message);
        if let Err(error) = peer.notify_progress(notification).await {
            tracing::debug!(target: "aqueduct::call", %error, "the client does not hear how far its call is");
        }
    }
}

#[cfg(test)]
mod tests;
