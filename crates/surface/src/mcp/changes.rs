//! Tells clients that the list of tools has changed: those with a session by a notification, those without by the stream
//! that they asked for.
//!
//! The catalogs that are put in service in, notifications out, until the client is gone.

use rmcp::RoleServer;
use rmcp::service::{Peer, SubscriptionContext};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// Tells the client of a session, until `over`.
pub async fn notify_session(
    mut replaced: watch::Receiver<()>,
    peer: Peer<RoleServer>,
    over: CancellationToken,
) {
    while let Some(Ok(())) = over.run_until_cancelled(replaced.changed()).await {
        if let Err(error) = peer.notify_tool_list_changed().await {
            tracing::debug!(target: "aqueduct::session", %error, "a client does not hear of a new list of tools");
        }
    }
}

/// Notifies a subscriber, until the subscription ends.
pub async fn notify_subscriber(mut replaced: watch::Receiver<()>, subscription: &SubscriptionContext) {
    loop {
        tokio::select! {
            () = subscription.cancelled() => return,
            changed = replaced.changed() => if changed.is_err() { return },
        }
        if let Err(error) = subscription.sink().notify_tool_list_changed().await {
            tracing::debug!(target: "aqueduct::session", %error, "a subscriber is gone");
            return;
        }
    }
}
